// SPDX-License-Identifier: MIT
// Reads stretches of old segments into memory and gives back those that were used.
#include "journal/read_ahead.hpp"

#include "affix/journal/format.hpp"

#include "journal/find_record.hpp"

#include <algorithm>
#include <string>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

// Others may release descriptors and memory at any time, while an unreadable file stays so.
bool is_lack(base::ErrorCode code) noexcept {
  return code == base::ErrorCode::Exhausted;
}

std::size_t bring_from(Segment& segment, std::size_t offset) noexcept {
  const std::size_t until = std::min(offset + stretch_bytes, segment.records_limit());
  return segment.bring_in(offset, until) ? until : 0;
}

}  // namespace

ReadAhead::~ReadAhead() {
  for (Segment* const segment :
       {wanted_.mapped, stretch_.segment, reading_.segment, behind_.segment}) {
    if (segment != nullptr) {
      segment->drop_reference();
    }
  }
}

void ReadAhead::want(const WantedRecords& wanted) noexcept {
  wanted_ = wanted;
  brought_ = Brought::Waiting;
  state_.store(State::Asked, std::memory_order_relaxed);
}

Brought ReadAhead::take(Stretch& stretch) noexcept {
  // Acquire: the answer was stored before.
  if (state_.load(std::memory_order_acquire) != State::Answered) {
    return Brought::Waiting;
  }
  state_.store(State::Idle, std::memory_order_relaxed);
  stretch = std::exchange(stretch_, {});
  return brought_;
}

void ReadAhead::read(const Stretch& stretch) noexcept {
  if (behind_.segment != nullptr) {
    behind_.segment->drop_reference();  // No request since; its pages are left to the system.
  }
  behind_ = std::exchange(reading_, stretch);
}

bool ReadAhead::abandon() noexcept {
  // Both sides may end at once: the one that finds the other's state deletes.
  return state_.exchange(State::Over, std::memory_order_acq_rel) != State::Asked;
}

bool ReadAhead::bring(ReadAhead* ahead, const SegmentFiles& files) noexcept {
  if (ahead->state_.load(std::memory_order_acquire) == State::Asked) {
    give_back(ahead->behind_, files);
    ahead->answer(files);
    if (ahead->brought_ == Brought::Later) {
      return false;
    }
    State asked = State::Asked;
    // Release: a reader of the state sees the answer.
    if (ahead->state_.compare_exchange_strong(asked, State::Answered, std::memory_order_acq_rel)) {
      return true;
    }
  }
  for (Stretch* const stretch : {&ahead->behind_, &ahead->reading_, &ahead->stretch_}) {
    give_back(*stretch, files);
  }
  delete ahead;
  return true;
}

void ReadAhead::answer(const SegmentFiles& files) noexcept {
  brought_ = wanted_.at.valid() ? open(files) : find(files);
  if (brought_ == Brought::Records) {
    brought_ = bring_stretch();
  }
  if (wanted_.mapped != nullptr) {
    wanted_.mapped->drop_reference();
    wanted_.mapped = nullptr;
  }
  if (brought_ != Brought::Records && stretch_.segment != nullptr) {
    stretch_.segment->drop_reference();
    stretch_.segment = nullptr;
  }
}

Brought ReadAhead::find(const SegmentFiles& files) noexcept {
  const std::expected<std::uint32_t, int> found =
      find_segment(files, wanted_.low, wanted_.high, wanted_.sequence);
  if (!found) {
    return is_lack(base::code_of_errno(found.error())) ? Brought::Later : Brought::Failed;
  }
  wanted_.at = {*found, format::records_offset};
  if (const Brought opened = open(files); opened != Brought::Records) {
    wanted_.at = {};  // The next attempt must search again.
    return opened;
  }
  if (!stretch_.segment->bring_in(0, format::records_offset)) {
    return Brought::Failed;
  }
  const std::optional<std::size_t> start =
      start_in(*stretch_.segment, wanted_.sequence, wanted_.barrier, &bring_from);
  if (!start) {
    return Brought::Failed;
  }
  stretch_.begin = *start;
  return Brought::Records;
}

// Opens the segment of `wanted_.at`, with a reference of the answer's own.
Brought ReadAhead::open(const SegmentFiles& files) noexcept {
  stretch_ = {};
  stretch_.number = wanted_.at.segment;
  stretch_.begin = wanted_.at.offset;
  stretch_.lends = wanted_.lends;
  if (wanted_.mapped != nullptr) {
    stretch_.segment = std::exchange(wanted_.mapped, nullptr);
    return Brought::Records;
  }
  stretch_.lends = true;
  const std::string path = files.path(stretch_.number);
  const std::expected<Segment*, base::Error> mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped) {
    if (is_lack(mapped.error().code)) {
      return Brought::Later;
    }
    return mapped.error().code == base::ErrorCode::NotFound ? Brought::Gone : Brought::Failed;
  }
  stretch_.segment = *mapped;
  // Pages that the system reads ahead by itself would look like pages in use.
  stretch_.segment->suppress_readahead();
  if (!stretch_.segment->bring_in(0, format::records_offset) || !stretch_.segment->begun() ||
      !stretch_.segment->check_header(stretch_.number, path)) {
    return Brought::Failed;
  }
  if (stretch_.segment->size() < stretch_.segment->header().segment_bytes) {
    return Brought::Failed;  // The file was truncated: its end is not that of its records.
  }
  return Brought::Records;
}

// Reads a stretch from its beginning: the usual size, or one record if that is longer.
Brought ReadAhead::bring_stretch() noexcept {
  Segment& segment = *stretch_.segment;
  const std::size_t limit = wanted_.end.segment == stretch_.number
                                ? std::min<std::size_t>(wanted_.end.offset, segment.records_limit())
                                : segment.records_limit();
  std::size_t until = std::min(stretch_.begin + stretch_bytes, limit);
  stretch_.was_cold = segment.resident_end(stretch_.begin, until) < until;
  stretch_.next = stretch_.begin;
  while (segment.bring_in(stretch_.begin, until)) {
    stretch_.until = until;
    while (!reaches_past(segment, stretch_.next, until, limit)) {
      const Parsed parsed =
          parse_record(segment.base(), until, stretch_.number, stretch_.next, Check::FormOnly);
      if (parsed.found != Found::Record) {
        // The end, or bytes that are no record: the writer will see which.
        stretch_.last = true;
        return Brought::Records;
      }
      stretch_.next = parsed.next_offset;
    }
    if (stretch_.next != stretch_.begin) {
      return Brought::Records;
    }
    until = std::min(until + (until - stretch_.begin), limit);
  }
  return Brought::Failed;
}

void ReadAhead::give_back(Stretch& stretch, const SegmentFiles& files) noexcept {
  if (stretch.segment == nullptr) {
    return;
  }
  if (stretch.lends) {
    stretch.segment->give_back(stretch.begin, stretch.next);
    // Pages that were in memory before may be in use elsewhere, and stay. The system keeps pages in
    // larger pieces; one across the border to the stretch before is released only now.
    if (stretch.was_cold) {
      const std::size_t begin = std::max(stretch.begin, stretch_bytes) - stretch_bytes;
      stretch.segment->forget(begin, stretch.next, files.path(stretch.number));
    }
  }
  stretch.segment->drop_reference();
  stretch.segment = nullptr;
}

}  // namespace affix::inline v0::journal
