// SPDX-License-Identifier: MIT
// Makes, cuts and sets aside copies, as files. Each step leaves files that open, so that a kill or
// a power loss between two steps only means to begin again.
#include "affix/journal/copying.hpp"

#include "affix/base/text.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/reader.hpp"

#include "journal/mended_segment.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"
#include "journal/segment_size.hpp"
#include "journal/summary.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::journal {

namespace {

using Copying = std::expected<void, base::Error>;

constexpr std::size_t label_bytes_max = 64;

constexpr int names_max = 1'000;

base::Error wrong_use(std::string message, std::string where) {
  return {base::ErrorCode::InvalidArgument, std::move(message), std::move(where), "J224"};
}

Disk& disk_of(const Options& options) noexcept {
  return options.disk != nullptr ? *options.disk : system_disk();
}

bool is_there(const std::string& path) noexcept {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0;
}

/// `stem` and `suffix`, with a number in between if that name exists.
std::expected<std::string, base::Error> free_name(const std::string& stem,
                                                  const std::string& suffix) {
  std::string name = stem + suffix;
  for (int again = 2; is_there(name); ++again) {
    if (again > names_max) {
      return std::unexpected(
          base::Error{base::ErrorCode::Limit, "too many files of earlier cuts", name, "J224"});
    }
    name = stem;
    name.append("-").append(std::to_string(again)).append(suffix);
  }
  return name;
}

bool is_label(std::string_view label) noexcept {
  return !label.empty() && label.size() <= label_bytes_max &&
         std::ranges::all_of(label, [](char one) {
           return base::is_letter(one) || base::is_digit(one) || one == '-' || one == '_';
         });
}

base::Error bad_label(const Options& options) {
  return wrong_use("a label has 1 to 64 letters, digits, '-' and '_'", options.directory);
}

/// The files of a closed journal while it is cut.
class Cutter {
 public:
  Cutter(const SegmentFiles& files, std::vector<std::uint32_t> numbers, std::string_view label)
      : files_(files), numbers_(std::move(numbers)), label_(label) {}

  std::expected<bool, base::Error> run(Position from);

 private:
  std::expected<SegmentHandle, base::Error> map(std::uint32_t number, Segment::Access access) const;
  std::expected<Position, base::Error> resting_place(Position from) const;
  Copying check(Position from) const;
  Copying find_reserve();
  Copying close_before(std::uint32_t number) const;
  Copying put_away(std::uint32_t number) const;
  std::expected<bool, base::Error> shorten(Position from) const;
  [[nodiscard]] format::State closed_at(format::State state, std::uint32_t end) const noexcept;

  const SegmentFiles& files_;
  std::vector<std::uint32_t> numbers_;  // Ascending.
  std::string label_;
  std::uint64_t reserved_ = 0;
};

std::expected<SegmentHandle, base::Error> Cutter::map(std::uint32_t number,
                                                      Segment::Access access) const {
  const std::string path = files_.path(number);
  const std::expected<Segment*, base::Error> mapped = Segment::map(path, access, files_.disk());
  if (!mapped) {
    return std::unexpected(mapped.error());
  }
  SegmentHandle segment(*mapped);
  if (Copying checked = segment->check_header(number, path); !checked) {
    return std::unexpected(checked.error());
  }
  return segment;
}

// Where the copy ends afterwards: the header of a segment that has no record before `from` may be
// another one than that of the journal to follow.
std::expected<Position, base::Error> Cutter::resting_place(Position from) const {
  if (from.offset != format::records_offset || from.segment == numbers_.front()) {
    return from;
  }
  const auto segment = map(from.segment, Segment::Access::ReadOnly);
  if (!segment) {
    return std::unexpected(segment.error());
  }
  return Position{from.segment - 1, (*segment)->header().previous_end};
}

// A record must begin at `from`, or the records of its segment end there.
Copying Cutter::check(Position from) const {
  const auto segment = map(from.segment, Segment::Access::ReadOnly);
  if (!segment) {
    return std::unexpected(segment.error());
  }
  std::size_t at = format::records_offset;
  while (at < from.offset) {
    const Parsed parsed =
        parse_record((*segment)->base(), (*segment)->size(), from.segment, at, Check::FormOnly);
    if (parsed.found != Found::Record) {
      break;
    }
    at = parsed.next_offset;
  }
  if (at != from.offset) {
    return std::unexpected(wrong_use("no record begins at byte " + std::to_string(from.offset),
                                     files_.path(from.segment)));
  }
  return {};
}

// It may have been renewed in a segment that is put away.
Copying Cutter::find_reserve() {
  if (const auto summary = read_summary(files_.directory())) {
    reserved_ = summary->reserved_outgoing;
  }
  for (const std::uint32_t number : numbers_) {
    const auto segment = map(number, Segment::Access::ReadOnly);
    if (!segment) {
      return std::unexpected(segment.error());
    }
    if (const auto state = (*segment)->state()) {
      reserved_ = std::max(reserved_, state->reserved_outgoing);
    }
  }
  return {};
}

format::State Cutter::closed_at(format::State state, std::uint32_t end) const noexcept {
  state.durable_offset = end;
  state.end_offset = end;
  state.clean = 1;
  state.reserved_outgoing = std::max(state.reserved_outgoing, reserved_);
  return state;
}

// Makes the segment before `number` the end of a closed journal, while `number` is still there, so
// that the journal opens with and without it.
Copying Cutter::close_before(std::uint32_t number) const {
  const auto next = map(number, Segment::Access::ReadOnly);
  const auto segment = map(number - 1, Segment::Access::ReadWrite);
  if (!next || !segment) {
    return std::unexpected(!next ? next.error() : segment.error());
  }
  const std::uint32_t end = (*next)->header().previous_end;
  const std::string path = files_.path(number - 1);
  // All of it, as its state will say so.
  if (Copying synced = (*segment)->sync(0, (*segment)->size(), path); !synced) {
    return synced;
  }
  (*segment)->set_state(closed_at((*segment)->state().value_or(format::State{}), end));
  (*segment)->clear_left();
  return (*segment)->sync(0, format::records_offset, path);
}

Copying Cutter::put_away(std::uint32_t number) const {
  const std::string path = files_.path(number);
  const auto aside =
      free_name(files_.directory() + "/cut-" + label_ + "-" + std::to_string(number), ".journal");
  if (!aside) {
    return std::unexpected(aside.error());
  }
  if (const int error_number = files_.disk().rename(path, *aside); error_number != 0) {
    return std::unexpected(base::make_system_error("rename", error_number, path));
  }
  // Before the next one goes, so that no power loss leaves a hole.
  return files_.sync_directory();
}

// The new contents take the file's name in one step: no order of stores in place opens after each
// of them. False: there was nothing to remove.
std::expected<bool, base::Error> Cutter::shorten(Position from) const {
  const std::string path = files_.path(from.segment);
  MendedSegment work(from.segment, path);
  if (Copying read = work.read(); !read) {
    return std::unexpected(read.error());
  }
  const std::size_t used = used_end(work.bytes.data(), from.offset, work.bytes.size());
  // The end mark alone is nothing that was stored.
  if (used <= from.offset + format::end_mark_bytes) {
    return false;
  }
  const auto aside = free_name(files_.directory() + "/cut-" + label_ + "-" +
                                   std::to_string(from.segment) + "-" + std::to_string(from.offset),
                               ".bytes");
  if (!aside) {
    return std::unexpected(aside.error());
  }
  if (Copying kept =
          write_file(*aside, std::string_view(work.bytes).substr(from.offset, used - from.offset),
                     files_.disk());
      !kept) {
    return std::unexpected(kept.error());
  }
  work.end_at(from.offset);
  work.clear_left();
  work.forget_index_entries(from.offset, UINT32_MAX);
  const format::State state = newest_state(work.bytes.data()).value_or(format::State{});
  work.put_state(closed_at(state, from.offset));
  const std::string fresh = path + ".new";
  if (Copying written = write_file(fresh, work.bytes, files_.disk()); !written) {
    static_cast<void>(files_.disk().remove(fresh));
    return std::unexpected(written.error());
  }
  if (const int error_number = files_.disk().rename(fresh, path); error_number != 0) {
    return std::unexpected(base::make_system_error("rename", error_number, path));
  }
  if (Copying synced = files_.sync_directory(); !synced) {
    return std::unexpected(synced.error());
  }
  return true;
}

std::expected<bool, base::Error> Cutter::run(Position from) {
  const auto rest = resting_place(from);
  if (!rest) {
    return std::unexpected(rest.error());
  }
  if (Copying checked = check(*rest); !checked) {
    return std::unexpected(checked.error());
  }
  if (Copying found = find_reserve(); !found) {
    return std::unexpected(found.error());
  }
  for (std::uint32_t number = numbers_.back(); number > rest->segment; --number) {
    if (Copying closed = close_before(number); !closed) {
      return std::unexpected(closed.error());
    }
    if (Copying away = put_away(number); !away) {
      return std::unexpected(away.error());
    }
  }
  const auto shortened = shorten(*rest);
  return shortened ? *shortened || numbers_.back() > rest->segment : shortened;
}

}  // namespace

std::expected<void, base::Error> plant(const Options& options, const format::Header& header) {
  Disk& disk = disk_of(options);
  if (Copying checked = check_segment_header(reinterpret_cast<const char*>(&header), sizeof(header),
                                             header.segment_number, options.directory);
      !checked) {
    return checked;
  }
  if (header.segment_number == 0 || header.segment_bytes > segment_bytes_max ||
      header.segment_bytes < format::records_offset + format::record_bytes(0)) {
    return std::unexpected(base::Error{
        base::ErrorCode::Damaged, "the segment's header contradicts itself or the file's length",
        options.directory, "J209"});
  }
  const std::string identity(header.identity, header.identity_bytes);
  if (identity != options.identity) {
    return std::unexpected(base::Error{
        base::ErrorCode::InvalidArgument,
        "the journal belongs to session '" + identity + "', not to '" + options.identity + "'",
        options.directory, "J202"});
  }
  const std::expected<SegmentFiles, base::Error> files =
      SegmentFiles::open(options.directory, disk);
  if (!files) {
    return std::unexpected(files.error());
  }
  const std::expected<std::vector<std::uint32_t>, base::Error> numbers =
      list_segments(options.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  if (!numbers->empty()) {
    return std::unexpected(base::Error{base::ErrorCode::AlreadyExists,
                                       "the directory has a journal already", options.directory,
                                       "J224"});
  }
  SegmentBegin begin{header, {}};
  const BootId boot = disk.boot_id();
  std::copy(std::begin(boot.bytes), std::end(boot.bytes), std::begin(begin.state.boot_id));
  begin.state.durable_offset = format::records_offset;
  begin.state.end_offset = static_cast<std::uint32_t>(format::records_offset);
  begin.state.clean = 1;
  const Segment::Access access = options.durability == Durability::Sync
                                     ? Segment::Access::Written
                                     : Segment::Access::ReadWrite;
  std::expected<UnnamedSegment, base::Error> made = UnnamedSegment::make(
      files->path(header.segment_number), static_cast<std::size_t>(header.segment_bytes),
      {.access = access, .new_pages = NewPages::Faulted}, &begin, disk);
  if (!made) {
    return std::unexpected(made.error());
  }
  if (Copying synced = made->sync(); !synced) {
    return synced;
  }
  const std::expected<Segment*, base::Error> named = made->name();
  if (!named) {
    return std::unexpected(named.error());
  }
  (*named)->drop_reference();
  return files->sync_directory();
}

std::expected<std::string, base::Error> set_aside(const Options& options, std::string_view label) {
  if (!is_label(label)) {
    return std::unexpected(bad_label(options));
  }
  if (!is_there(options.directory)) {
    return std::unexpected(base::make_system_error("open", ENOENT, options.directory));
  }
  Disk& disk = disk_of(options);
  const std::expected<SegmentFiles, base::Error> files =
      SegmentFiles::open(options.directory, disk);
  if (!files) {
    return std::unexpected(files.error());
  }
  auto aside = free_name(options.directory + "." + std::string(label), "");
  if (!aside) {
    return aside;
  }
  if (const int error_number = disk.rename(options.directory, *aside); error_number != 0) {
    return std::unexpected(base::make_system_error("rename", error_number, options.directory));
  }
  const std::filesystem::path parent = std::filesystem::path(options.directory).parent_path();
  const std::string within = parent.empty() ? "." : parent.string();
  if (const int error_number = disk.sync_directory(within); error_number != 0) {
    return std::unexpected(base::make_system_error("fsync", error_number, within));
  }
  return aside;
}

std::expected<bool, base::Error> cut(const Options& options, Position from,
                                     std::string_view label) {
  if (!is_label(label)) {
    return std::unexpected(bad_label(options));
  }
  if (from.offset == 0) {
    from.offset = static_cast<std::uint32_t>(format::records_offset);
  }
  Options opened = options;
  opened.role = JournalRole::Copy;
  opened.sync_on_close = true;
  {
    // Ends what a crash left, and brings all records from the mirror into their segments.
    const auto journal = Journal::open(opened);
    if (!journal) {
      return std::unexpected(journal.error());
    }
    const Position end = (*journal)->end();
    if (Copying closed = (*journal)->close(); !closed) {
      return std::unexpected(closed.error());
    }
    if (!(from < end) && !(from.segment == end.segment && from.offset == format::records_offset)) {
      return false;
    }
  }
  const std::expected<SegmentFiles, base::Error> files =
      SegmentFiles::open(options.directory, disk_of(options));
  if (!files) {
    return std::unexpected(files.error());
  }
  std::expected<std::vector<std::uint32_t>, base::Error> numbers = list_segments(options.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  if (numbers->empty() || from.segment < numbers->front()) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "the journal is to be cut before its oldest segment",
                                       options.directory, "J224"});
  }
  return Cutter(*files, std::move(*numbers), label).run(from);
}

std::expected<std::optional<Position>, base::Error> epoch_after(const std::string& directory,
                                                                std::uint64_t epoch) {
  const std::expected<std::vector<std::uint32_t>, base::Error> numbers = list_segments(directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  std::uint32_t start = 0;
  for (std::size_t left = numbers->size(); left > 0 && start == 0; --left) {
    const std::uint32_t number = (*numbers)[left - 1];
    const std::string path = segment_path(directory, number);
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadOnly);
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    const SegmentHandle segment(*mapped);
    if (!segment->begun()) {
      continue;
    }
    if (Copying checked = segment->check_header(number, path); !checked) {
      return std::unexpected(checked.error());
    }
    start = segment->header().epoch <= epoch ? number : 0;
  }
  if (start == 0) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "the epoch began in a segment that is not kept any more",
                                       directory, "J224"});
  }
  std::expected<Reader, base::Error> reader = Reader::open(directory);
  if (!reader) {
    return std::unexpected(reader.error());
  }
  if (Copying sought = reader->seek({start, 0}); !sought) {
    return std::unexpected(sought.error());
  }
  while (const std::optional<Record> record = reader->next()) {
    if (const auto begun = epoch_of(*record); begun && *begun > epoch) {
      return record->position;
    }
  }
  if (reader->damage()) {
    return std::unexpected(*reader->damage());
  }
  return std::nullopt;
}

std::expected<std::uint64_t, base::Error> newest_epoch(const std::string& directory) {
  if (!is_there(directory)) {
    return 0;
  }
  const std::expected<std::vector<std::uint32_t>, base::Error> numbers = list_segments(directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  for (std::size_t left = numbers->size(); left > 0; --left) {
    const std::uint32_t number = (*numbers)[left - 1];
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(segment_path(directory, number), Segment::Access::ReadOnly);
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    const SegmentHandle segment(*mapped);
    if (!segment->begun()) {
      continue;
    }
    std::uint64_t newest = segment->header().epoch;
    std::expected<Reader, base::Error> reader = Reader::open(directory);
    if (!reader) {
      return std::unexpected(reader.error());
    }
    if (Copying sought = reader->seek({number, 0}); !sought) {
      return std::unexpected(sought.error());
    }
    while (const std::optional<Record> record = reader->next()) {
      newest = std::max(newest, epoch_of(*record).value_or(0));
    }
    return newest;
  }
  return 0;
}

}  // namespace affix::inline v0::journal
