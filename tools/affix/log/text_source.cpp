// SPDX-License-Identifier: MIT
// Splits the window into lines, and tests each cheaply first.
#include "log/text_source.hpp"

#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"

#include "log/event_line.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

namespace affix::inline v0::tools::log {

namespace {

/// A longer line is cut here.
constexpr std::size_t line_bytes_max = std::size_t{64} << 20;

/// Maximum bytes after a message on its line that are ignored.
constexpr std::size_t tail_bytes_max = 8;

/// QuickFIX's file names have the form FIX.4.4-SENDER-TARGET.messages.current.log.
std::string own_of_file_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const std::size_t begin = name.find('-');
  const std::size_t end = begin == std::string::npos ? begin : name.find('-', begin + 1);
  if (!name.starts_with("FIX") || end == std::string::npos) {
    return {};
  }
  return name.substr(begin + 1, end - begin - 1);
}

/// True if no message in the line can continue after its end: the line has no SOH, or ends with a
/// checksum. This excludes most lines of a big log.
bool is_whole_line(std::string_view line) noexcept {
  constexpr std::size_t head_bytes = 128;
  if (line.empty() || line.back() != '\n') {
    return false;
  }
  if (std::memchr(line.data(), wire::soh, std::min(line.size(), head_bytes)) == nullptr) {
    return true;
  }
  line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
  constexpr std::size_t checksum_bytes = 8;  // SOH, "10=ddd", SOH.
  return line.size() > checksum_bytes && line.back() == wire::soh &&
         line.substr(line.size() - checksum_bytes, 4) ==
             "\x01"
             "10=";
}

}  // namespace

TextSource::TextSource(ByteWindow window, const std::string& path, TextOptions options,
                       const RawFilter& filter)
    : window_(std::move(window)),
      source_name_(std::filesystem::path(path).filename().string()),
      options_(std::move(options)),
      filter_(filter) {
  if (options_.own_comp_id.empty()) {
    options_.own_comp_id = own_of_file_name(path);
  }
}

// Finds a whole line at the window's front, and sets `line_end_` to its end. False: there is none
// yet.
bool TextSource::find_line(std::size_t from) {
  while (line_end_ == 0) {
    const std::string_view view = window_.view();
    const void* const found =
        from < view.size() ? std::memchr(view.data() + from, '\n', view.size() - from) : nullptr;
    if (found != nullptr) {
      line_end_ = static_cast<std::size_t>(static_cast<const char*>(found) - view.data()) + 1;
      break;
    }
    from = view.size();
    if (from > line_bytes_max) {
      line_end_ = from;
    } else if (!window_.more()) {
      if (from == 0 || options_.growing) {
        return false;
      }
      line_end_ = from;
    }
  }
  return true;
}

// Size of the message at `begin` according to its BodyLength, if that is correct.
std::optional<std::size_t> TextSource::framed_size(std::size_t begin) {
  wire::Framer framer;
  for (;;) {
    const std::string_view rest = window_.view().substr(begin);
    const wire::Frame frame = framer.next(rest);
    if (frame.status == wire::FrameStatus::Partial) {
      // A wrong length must not read the rest of the file: the line's contents decide.
      if (frame.needed == 0 || frame.needed > wire::Framer::message_bytes_default ||
          !window_.more()) {
        return std::nullopt;
      }
      continue;
    }
    if (frame.status == wire::FrameStatus::Skip) {
      return std::nullopt;
    }
    if (begin + frame.size > line_end_) {
      // Continues after the line's end only if the whole message is valid; otherwise there are two
      // messages.
      wire::FieldIndexOf<512> index;
      wire::index_message(rest.substr(0, frame.size), index);
      if (!index.whole() && index.defect != wire::MessageDefect::TooManyFields) {
        return std::nullopt;
      }
    }
    return frame.size;
  }
}

std::optional<TextSource::Piece> TextSource::next_piece() {
  window_.consume(consumed_);
  line_end_ -= std::min(line_end_, consumed_);
  consumed_ = 0;
  if (!find_line(0)) {
    return std::nullopt;
  }
  Piece piece;
  piece.text = window_.view().substr(0, line_end_);
  piece.consumed = line_end_;
  if (is_whole_line(piece.text) && !filter_.passes(piece.text)) {
    return piece;
  }
  piece.message = find_message(piece.text);
  if (!piece.message) {
    return piece;
  }
  const std::size_t begin = piece.message->begin;
  if (piece.message->delimiter == std::string_view(&wire::soh, 1)) {
    if (const auto size = framed_size(begin)) {
      // The window may have moved.
      piece.consumed = begin + *size;
      piece.message_size = *size;
      piece.text = window_.view().substr(0, piece.consumed);
      static constexpr char soh_text[] = {wire::soh};
      piece.message->delimiter = {soh_text, 1};
      // A closing bracket or line end after it is no piece of its own.
      if (line_end_ > piece.consumed && line_end_ - piece.consumed <= tail_bytes_max) {
        piece.consumed = line_end_;
      }
      return piece;
    }
    piece.text = window_.view().substr(0, line_end_);
    piece.message = find_message(piece.text);
  }
  std::string_view rest = piece.text.substr(begin);
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) {
    rest.remove_suffix(1);
  }
  piece.message_size = message_length(rest, piece.message->delimiter);
  return piece;
}

std::optional<Entry> TextSource::event_of(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) {
    line.remove_suffix(1);
  }
  if (line.empty()) {
    return std::nullopt;
  }
  if (auto ours = read_event_line(line)) {
    ours->session = *sessions_.emplace(ours->session).first;
    return filter_.passes_time(ours->utc_ns) ? ours : std::nullopt;
  }
  const LinePrefix prefix = read_prefix(line.substr(0, 64));
  if (prefix.utc_ns == 0) {
    return std::nullopt;
  }
  if (line.front() == '<' && line.back() == '>') {
    prefix_ = line;  // QuickFIX's screen log: the message is on the next line.
    return std::nullopt;
  }
  if (!filter_.passes_time(prefix.utc_ns)) {
    return std::nullopt;
  }
  Entry entry;
  entry.kind = EntryKind::Event;
  entry.event = "log";
  entry.utc_ns = prefix.utc_ns;
  entry.session = source_name_;
  entry.bytes = line;
  return entry;
}

std::optional<Entry> TextSource::entry_of(const Piece& piece) {
  if (!filter_.passes(piece.text)) {
    prefix_.clear();
    if (!piece.message && piece.text.front() == '<') {
      static_cast<void>(event_of(piece.text));  // The message after this prefix may pass the
                                                // filter.
    }
    return std::nullopt;
  }
  if (!piece.message) {
    return event_of(piece.text);
  }
  const std::string_view before = piece.text.substr(0, piece.message->begin);
  if (!filter_.passes_time(read_prefix_time(before))) {
    prefix_.clear();
    return std::nullopt;
  }
  LinePrefix prefix = read_prefix(before);
  if (prefix.utc_ns == 0 && prefix.direction == Direction::Unknown && !prefix_.empty()) {
    prefix = read_prefix(prefix_);
  }
  prefix_.clear();
  Entry entry;
  entry.utc_ns = prefix.utc_ns;
  entry.direction = prefix.direction;
  entry.bytes = piece.text.substr(piece.message->begin, piece.message_size);
  const std::string_view delimiter = piece.message->delimiter;
  if (delimiter != std::string_view(&wire::soh, 1) || entry.bytes.back() != wire::soh) {
    converted_.clear();
    append_with_soh(converted_, entry.bytes, delimiter);
    entry.bytes = converted_;
  }
  describe(entry, options_.own_comp_id, sessions_);
  return filter_.passes_time(entry.utc_ns) ? std::optional(entry) : std::nullopt;
}

std::optional<Entry> TextSource::next() {
  while (const auto piece = next_piece()) {
    consumed_ = piece->consumed;
    if (auto entry = entry_of(*piece)) {
      return entry;
    }
  }
  if (!window_.problem().empty() && !std::exchange(reported_, true)) {
    add_problem(window_.problem());
  }
  return std::nullopt;
}

}  // namespace affix::inline v0::tools::log
