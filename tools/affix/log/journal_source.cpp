// SPDX-License-Identifier: MIT
// Converts records to entries.
#include "log/journal_source.hpp"

#include "affix/journal/format.hpp"

#include "log/byte_window.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace affix::inline v0::tools::log {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t segment_bytes_max = std::size_t{1} << 30;
constexpr std::array<std::string_view, 3> segment_endings{"", ".gz", ".zst"};

bool is_zero(std::string_view bytes) noexcept {
  return bytes.empty() || (bytes.front() == '\0' &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

base::Error too_long(const std::string& path, std::size_t limit) {
  return {base::ErrorCode::Limit,
          "is longer than the " + std::to_string(limit) +
              " bytes that its header says, or than can be read",
          path, "P127"};
}

}  // namespace

std::expected<UnpackedSegment, base::Error> read_segment(const std::string& path,
                                                         std::uint32_t number, Extent extent) {
  auto window = ByteWindow::open(path);
  if (!window) {
    return std::unexpected(std::move(window.error()));
  }
  std::size_t limit = segment_bytes_max;
  bool begun = false;
  for (std::size_t before = 0; window->more(); before = window->view().size()) {
    const std::string_view view = window->view();
    if (view.size() < affix::journal::format::records_offset) {
      continue;
    }
    if (!begun) {
      const auto scan = affix::journal::SegmentScan::open(view, number, path);
      if (!scan) {
        return std::unexpected(scan.error());
      }
      limit = std::min<std::uint64_t>(limit, scan->header().segment_bytes);
      begun = true;
    }
    if (view.size() > limit) {
      return std::unexpected(too_long(path, limit));
    }
    if (is_zero(view.substr(std::max(before, affix::journal::format::records_offset)))) {
      auto scan = affix::journal::SegmentScan::open(view, number, path);
      while (scan && scan->next()) {
      }
      if (scan && scan->stop() == affix::journal::ScanStop::End && scan->offset() <= before) {
        break;
      }
    }
  }
  UnpackedSegment segment{std::string(window->view()), window->view().size()};
  window->consume(segment.bytes.size());
  // The rest is counted and not kept.
  while (extent == Extent::File && window->more()) {
    if (!is_zero(window->view())) {
      return std::unexpected(base::Error{
          base::ErrorCode::Damaged, "has bytes far after the end of its records", path, "J208"});
    }
    segment.file_bytes += window->view().size();
    if (segment.file_bytes > limit) {
      return std::unexpected(too_long(path, limit));
    }
    window->consume(window->view().size());
  }
  if (!window->problem().empty()) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged, window->problem(), "", "J211"});
  }
  return segment;
}

std::expected<SegmentPaths, base::Error> segments_in(const std::string& directory) {
  SegmentPaths files;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string path = entry->path().string();
    const std::uint32_t number = segment_number_of(entry->path().filename().string());
    if (number == 0) {
      continue;
    }
    const auto [known, added] = files.emplace(number, path);
    if (!added && path.size() < known->second.size()) {
      known->second = path;
    }
  }
  if (error) {
    return std::unexpected(base::make_system_error("readdir", error.value(), directory));
  }
  if (files.empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no journal segment", directory, "J216"});
  }
  return files;
}

std::uint32_t segment_number_of(std::string_view file_name) noexcept {
  for (const std::string_view ending : segment_endings) {
    if (file_name.ends_with(ending)) {
      const std::uint32_t number = affix::journal::segment_file_number(
          file_name.substr(0, file_name.size() - ending.size()));
      if (number != 0) {
        return number;
      }
    }
  }
  return 0;
}

Entry entry_of_record(const affix::journal::Record& record, std::string_view session) {
  Entry entry;
  entry.utc_ns = record.utc_ns;
  entry.sequence = record.sequence;
  entry.number_after = record.number_after;
  entry.session = session;
  entry.bytes = record.bytes;
  entry.message_omitted = record.message_omitted;
  switch (record.kind) {
    case affix::journal::Kind::Sent:
      entry.direction = Direction::Out;
      entry.queued = record.unsent != 0;
      break;
    case affix::journal::Kind::Received:
      entry.direction = Direction::In;
      entry.unprocessed = !record.processed;
      break;
    case affix::journal::Kind::Held:
      entry.kind = EntryKind::Held;
      entry.direction = Direction::In;
      break;
    case affix::journal::Kind::Resent:
      entry.kind = EntryKind::Resent;
      entry.direction = Direction::Out;
      break;
    case affix::journal::Kind::Event:
      entry.kind = EntryKind::Event;
      entry.event = affix::journal::to_text(record.event);
      // Repair pads an event with spaces to the size of the lost records.
      while (!entry.bytes.empty() && entry.bytes.back() == ' ') {
        entry.bytes.remove_suffix(1);
      }
      break;
  }
  return entry;
}

std::expected<std::unique_ptr<Source>, base::Error> JournalSource::open(
    const std::string& directory, const RawFilter& filter) {
  auto reader = affix::journal::Reader::open(directory);
  if (!reader) {
    return std::unexpected(std::move(reader.error()));
  }
  return std::make_unique<JournalSource>(std::move(*reader), directory, filter);
}

JournalSource::JournalSource(affix::journal::Reader reader, std::string directory,
                             const RawFilter& filter)
    : reader_(std::move(reader)),
      directory_(std::move(directory)),
      session_(reader_.identity()),
      filter_(filter) {}

// Continues in the next existing segment. False when there is none.
bool JournalSource::pass_over_damage() {
  const std::uint32_t number = reader_.segment();
  const SegmentPaths files = segments_in(directory_).value_or(SegmentPaths());
  const auto following = files.upper_bound(number);
  if (!reader_.damage() && (following == files.end() || following->first == number + 1)) {
    return false;  // The end, or a segment in which the reader continues by itself.
  }
  const bool overtaken = reader_.damage() && reader_.damage()->code == base::ErrorCode::NotFound &&
                         following != files.end();
  if (reader_.damage() && !overtaken) {
    add_problem(reader_.damage()->text());
  } else {
    add_problem(directory_ + ": segments between " + std::to_string(number) + " and " +
                std::to_string(following->first) + " are gone");
  }
  for (auto at = following; at != files.end(); ++at) {
    if (reader_.seek({at->first, 0})) {
      return true;
    }
  }
  return false;
}

std::optional<Entry> JournalSource::next() {
  for (;;) {
    const auto record = reader_.next();
    if (!record) {
      const bool known =
          reader_.damage() && !problems().empty() && problems().back() == reader_.damage()->text();
      if (known || !pass_over_damage()) {
        return std::nullopt;
      }
      continue;
    }
    if (filter_.passes_time(record->utc_ns) && filter_.passes(record->bytes)) {
      return entry_of_record(*record, session_);
    }
  }
}

std::expected<std::unique_ptr<Source>, base::Error> ArchiveSource::open(
    const std::string& directory, const RawFilter& filter) {
  auto files = segments_in(directory);
  if (!files) {
    return std::unexpected(std::move(files.error()));
  }
  return std::make_unique<ArchiveSource>(std::move(*files), filter);
}

ArchiveSource::ArchiveSource(SegmentPaths files, const RawFilter& filter)
    : files_(std::move(files)), filter_(filter) {}

bool ArchiveSource::open_next() {
  while (!files_.empty()) {
    const auto [number, path] = *files_.begin();
    files_.erase(files_.begin());
    scan_.reset();
    path_ = path;
    auto segment = read_segment(path, number, Extent::Records);
    if (!segment) {
      // NotFound: it was prepared and never begun.
      if (segment.error().code != base::ErrorCode::NotFound) {
        add_problem(segment.error().text());
      }
      continue;
    }
    bytes_ = std::move(segment->bytes);
    auto scan = affix::journal::SegmentScan::open(bytes_, number, path);
    if (!scan) {
      if (scan.error().code != base::ErrorCode::NotFound) {
        add_problem(scan.error().text());
      }
      continue;
    }
    scan_ = *scan;
    if (session_.empty()) {
      session_ = scan_->header().identity;
    }
    return true;
  }
  return false;
}

std::optional<Entry> ArchiveSource::next() {
  while (scan_ || open_next()) {
    const auto record = scan_->next();
    if (!record) {
      if (scan_->stop() == affix::journal::ScanStop::Bad) {
        add_problem(path_ + ": bad record at byte " + std::to_string(scan_->offset()));
      }
      scan_.reset();
    } else if (filter_.passes_time(record->utc_ns) && filter_.passes(record->bytes)) {
      return entry_of_record(*record, session_);
    }
  }
  return std::nullopt;
}

}  // namespace affix::inline v0::tools::log
