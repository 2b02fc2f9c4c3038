// SPDX-License-Identifier: MIT
// Reads a journal directory that another process may be writing.
#include "affix/journal/reader.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace affix::inline v0::journal {

namespace {

// Maps segment `number` for reading. NotFound also for one that is prepared and not begun.
std::expected<Segment*, base::Error> open_segment(const std::string& directory,
                                                  std::uint32_t number) {
  const std::string path = segment_path(directory, number);
  std::expected<Segment*, base::Error> mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped) {
    return mapped;
  }
  SegmentHandle segment(*mapped);
  if (!segment->begun()) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "the segment is prepared and not yet begun", path, "J214"});
  }
  if (std::expected<void, base::Error> checked = segment->check_header(number, path); !checked) {
    return std::unexpected(checked.error());
  }
  return segment.release();
}

// True if `number` is missing in the directory and a later one is there. In an archive the last one
// has none after it.
bool is_before_others(const std::string& directory, std::uint32_t number) {
  const std::vector<std::uint32_t> numbers =
      list_segments(directory).value_or(std::vector<std::uint32_t>());
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  return at != numbers.end() && *at != number;
}

}  // namespace

std::expected<Reader, base::Error> Reader::open(std::string directory) {
  const std::expected<std::vector<std::uint32_t>, base::Error> numbers = list_segments(directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  for (const std::uint32_t number : *numbers) {
    const std::expected<Segment*, base::Error> segment = open_segment(directory, number);
    if (segment) {
      return Reader(std::move(directory), *segment);
    }
    if (segment.error().code != base::ErrorCode::NotFound) {
      return std::unexpected(segment.error());
    }
  }
  return std::unexpected(
      base::Error{base::ErrorCode::NotFound, "no journal segment", std::move(directory), "J216"});
}

Reader::Reader(std::string directory, Segment* segment)
    : directory_(std::move(directory)),
      identity_(segment->header().identity, segment->header().identity_bytes),
      segment_(segment),
      offset_(format::records_offset) {}

Reader::Reader(Reader&& other) noexcept
    : directory_(std::move(other.directory_)),
      identity_(std::move(other.identity_)),
      segment_(std::exchange(other.segment_, nullptr)),
      offset_(other.offset_),
      damage_(std::move(other.damage_)) {}

Reader& Reader::operator=(Reader&& other) noexcept {
  std::swap(directory_, other.directory_);
  std::swap(identity_, other.identity_);
  std::swap(segment_, other.segment_);
  std::swap(offset_, other.offset_);
  std::swap(damage_, other.damage_);
  return *this;
}

Reader::~Reader() {
  if (segment_ != nullptr) {
    segment_->drop_reference();
  }
}

const format::Header& Reader::header() const noexcept {
  return segment_->header();
}

std::uint32_t Reader::segment() const noexcept {
  return segment_->number();
}

Position Reader::position() const noexcept {
  return {segment_->number(), static_cast<std::uint32_t>(offset_)};
}

// A truncated file, or a disk that fails, leaves what no writer leaves.
bool Reader::notice_loss(bool at_end) {
  const std::uint64_t whole = segment_->header().segment_bytes;
  const bool cut =
      at_end && segment_->size() < whole && segment_->size() - offset_ < format::record_bytes(0);
  if (segment_->lost() || cut) {
    damage_ = base::Error{
        base::ErrorCode::Damaged,
        (cut ? "the segment's file was cut short, to " + std::to_string(segment_->size()) +
                   " of its " + std::to_string(whole) + " bytes"
             : "the file was cut short while it was read, or its disk fails, at or after byte " +
                   std::to_string(offset_)),
        segment_path(directory_, segment_->number()), "J211"};
  }
  return damage_.has_value();
}

// With durability `sync` a writer copies records into its file with pwrite, in their order: a
// record's length may be visible before its last byte, and then nothing is behind it.
bool Reader::may_be_in_writing() const {
  const std::optional<format::State> state = segment_->state();
  if (!state || state->clean != 0 || (state->flags & format::state_flag_synced) == 0) {
    return false;
  }
  const char* const at = segment_->base() + offset_;
  const std::size_t left = segment_->size() - offset_;
  const auto word_at = [at](std::size_t offset) {
    // Relaxed: each word is looked at for itself.
    return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(at + offset), __ATOMIC_RELAXED);
  };
  const std::size_t length = word_at(0);
  if (length < format::record_header_bytes || length > left) {
    return false;
  }
  const std::size_t taken = format::record_bytes(length - format::record_header_bytes);
  const bool more = taken + sizeof(std::uint32_t) <= left && word_at(taken) != 0;
  // Acquire: what is parsed after this look includes all bytes before a last one that it saw.
  return !more && __atomic_load_n(at + length - 1, __ATOMIC_ACQUIRE) == 0;
}

std::optional<Record> Reader::next() {
  for (;;) {
    if (damage_) {
      return std::nullopt;
    }
    Parsed parsed =
        parse_record(segment_->base(), segment_->size(), segment_->number(), offset_, Check::Crc);
    if (notice_loss(parsed.found == Found::End)) {
      return std::nullopt;
    }
    if (parsed.found == Found::End) {
      // Before the look for the next segment, which is begun before this one is left.
      const bool left = segment_->marked() && segment_->left().has_value();
      // The next segment is begun after the last record of this one, so once it has begun, one more
      // look at this one decides.
      std::expected<Segment*, base::Error> following =
          open_segment(directory_, segment_->number() + 1);
      if (!following && following.error().code == base::ErrorCode::NotFound) {
        if (!left || !is_before_others(directory_, segment_->number() + 1)) {
          return std::nullopt;
        }
        following = std::unexpected(
            base::Error{base::ErrorCode::NotFound, "the segment after this one is gone",
                        segment_path(directory_, segment_->number()), "J216"});
      }
      parsed =
          parse_record(segment_->base(), segment_->size(), segment_->number(), offset_, Check::Crc);
      if (parsed.found == Found::End) {
        if (!following) {
          damage_ = following.error();
          return std::nullopt;
        }
        enter(*following);
        continue;
      }
      if (following) {
        (*following)->drop_reference();
      }
    }
    if (parsed.found == Found::Bad) {
      if (may_be_in_writing() && !has_begun_following()) {
        return std::nullopt;
      }
      // The writer may have completed it since.
      parsed =
          parse_record(segment_->base(), segment_->size(), segment_->number(), offset_, Check::Crc);
    }
    if (notice_loss(false)) {
      return std::nullopt;
    }
    if (parsed.found != Found::Record) {
      damage_ =
          base::Error{base::ErrorCode::Damaged, "bad record at byte " + std::to_string(offset_),
                      segment_path(directory_, segment_->number()), "J208"};
      return std::nullopt;
    }
    offset_ = parsed.next_offset;
    return parsed.record;
  }
}

bool Reader::has_begun_following() const {
  const std::expected<Segment*, base::Error> following =
      open_segment(directory_, segment_->number() + 1);
  if (following) {
    (*following)->drop_reference();
  }
  return following || following.error().code == base::ErrorCode::Damaged;
}

// Continues in `following`, whose reference becomes ours; records damage if the two do not
// fit.
void Reader::enter(Segment* following) {
  const format::Header& header = following->header();
  const format::Header& left = segment_->header();
  if (header.journal_id != left.journal_id || header.previous_end != offset_) {
    damage_ = base::Error{base::ErrorCode::Damaged,
                          "the segment does not continue the one before it, which ends at byte " +
                              std::to_string(offset_),
                          segment_path(directory_, header.segment_number), "J212"};
  }
  segment_->drop_reference();
  segment_ = following;
  offset_ = format::records_offset;
}

std::expected<void, base::Error> Reader::seek(Position position) {
  const std::expected<Segment*, base::Error> segment = open_segment(directory_, position.segment);
  if (!segment) {
    return std::unexpected(segment.error());
  }
  segment_->drop_reference();
  segment_ = *segment;
  offset_ = position.offset == 0 ? format::records_offset : position.offset;
  damage_.reset();
  if (offset_ < format::records_offset || offset_ % format::alignment != 0 ||
      offset_ > segment_->size()) {
    offset_ = format::records_offset;
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "no record begins at that position",
                                       segment_path(directory_, position.segment), "J216"});
  }
  return {};
}

}  // namespace affix::inline v0::journal
