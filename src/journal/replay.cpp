// SPDX-License-Identifier: MIT
// Finds the start of a replay, and walks from there.
#include "affix/journal/replay.hpp"

#include "journal/find_record.hpp"
#include "journal/read_ahead.hpp"
#include "journal/replay_source.hpp"
#include "journal/segment.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace affix::inline v0::journal {

namespace {

std::size_t all_of(Segment& segment, std::size_t /*offset*/) noexcept {
  return segment.records_limit();
}

std::size_t resident_from(Segment& segment, std::size_t offset) noexcept {
  return segment.resident_end(offset, std::min(offset + stretch_bytes, segment.records_limit()));
}

}  // namespace

Replay::Replay(Replay&& other) noexcept {
  swap(other);
}

Replay& Replay::operator=(Replay&& other) noexcept {
  if (this != &other) {
    finish();
    swap(other);
  }
  return *this;
}

Replay::~Replay() {
  finish();
}

void Replay::swap(Replay& other) noexcept {
  std::swap(source_, other.source_);
  std::swap(ahead_, other.ahead_);
  std::swap(segment_, other.segment_);
  std::swap(until_, other.until_);
  std::swap(at_, other.at_);
  std::swap(given_, other.given_);
  std::swap(end_, other.end_);
  std::swap(from_, other.from_);
  std::swap(to_, other.to_);
  std::swap(wanted_, other.wanted_);
  std::swap(cold_pages_, other.cold_pages_);
  std::swap(waiting_, other.waiting_);
  std::swap(damaged_, other.damaged_);
}

std::size_t Replay::limit() const noexcept {
  const std::size_t whole = segment_->records_limit();
  return at_.segment == end_.segment ? std::min<std::size_t>(end_.offset, whole) : whole;
}

// --- Where it begins ---

// Checkpoints ascend from the barrier on, so the last one not beyond `from_` is found in the newest
// segments, which are mapped, or else by binary search.
void Replay::find_start(Position barrier) noexcept {
  const std::uint32_t low = std::max<std::uint32_t>(barrier.segment, 1);
  std::uint32_t high = source_->mapped.number();
  while (Segment* const segment = source_->mapped.find(high)) {
    const bool readable =
        cold_pages_ == ColdPages::Read || segment->is_written() ||
        segment->resident_end(0, format::records_offset) == format::records_offset;
    if (!readable) {
      break;  // It is then searched with the others, in its file.
    }
    if (high == low || segment->header().next_outgoing <= from_) {
      if (!start_in_mapped(*segment, barrier)) {
        segment->add_reference();
        ask({{}, high, high, from_, barrier, end_, segment, false});
      }
      return;
    }
    --high;
  }
  ask({{}, low, high, from_, barrier, end_, nullptr, false});
}

bool Replay::start_in_mapped(Segment& segment, Position barrier) noexcept {
  const std::optional<std::size_t> start =
      start_in(segment, from_, barrier, cold_pages_ == ColdPages::Read ? &all_of : &resident_from);
  if (start) {
    use_mapped(segment);
    at_ = {segment.number(), static_cast<std::uint32_t>(*start)};
  }
  return start.has_value();
}

void Replay::find_start_in_ring(Position barrier) noexcept {
  // A missing segment counts as not beyond: the oldest are removed first.
  std::uint32_t low = std::max<std::uint32_t>(barrier.segment, 1);
  std::uint32_t high = source_->mapped.number();
  while (low < high) {
    const std::uint32_t middle = low + (high - low + 1) / 2;
    const Segment* const mapped = source_->mapped.find(middle);
    if (mapped != nullptr && mapped->header().next_outgoing > from_) {
      high = middle - 1;
    } else {
      low = middle;
    }
  }
  at_ = {low, format::records_offset};
  if (Segment* const segment = source_->mapped.find(low)) {
    static_cast<void>(start_in_mapped(*segment, barrier));
  }
}

// --- Reaching the record at at_ ---

Replay::Step Replay::reach() noexcept {
  while (at_ < end_) {
    Step step = Step::Ready;
    if (segment_ == nullptr) {
      step = enter();
    } else if (reaches_past(*segment_, at_.offset, until_, limit())) {
      step = go_on();
    } else {
      return Step::Ready;
    }
    if (step != Step::Ready) {
      return step;
    }
  }
  return Step::End;
}

// A ring's segment may have been reused for newer records since the last call. Lost records are
// skipped: their numbers have no stored message.
Replay::Step Replay::reach_in_ring() noexcept {
  if (segment_ != nullptr && segment_->number() != at_.segment) {
    leave();
  }
  while (at_ < end_) {
    if (segment_ != nullptr) {
      until_ = limit();
      return Step::Ready;
    }
    if (Segment* const segment = source_->mapped.find(at_.segment)) {
      use_mapped(*segment);
    } else {
      at_ = {at_.segment + 1, format::records_offset};
    }
  }
  return Step::End;
}

Replay::Step Replay::enter() noexcept {
  if (!pending()) {
    if (Segment* const segment = source_->mapped.find(at_.segment)) {
      use_mapped(*segment);
      return Step::Ready;
    }
    ask({at_, 0, 0, 0, {}, end_, nullptr, false});
  }
  return await();
}

// Continues in the present segment.
Replay::Step Replay::go_on() noexcept {
  if (!pending()) {
    const bool brought = ahead_ != nullptr && ahead_->reading().segment == segment_;
    const bool lends = brought && ahead_->reading().lends;
    if (!lends && extend_mapped()) {
      return Step::Ready;
    }
    segment_->add_reference();
    ask({at_, 0, 0, 0, {}, end_, segment_, lends});
  }
  return await();
}

// In the writer's own mapping, pages already in memory need no request.
bool Replay::extend_mapped() noexcept {
  const std::size_t whole = limit();
  if (cold_pages_ == ColdPages::Read) {
    until_ = whole;
    return true;
  }
  until_ = segment_->resident_end(at_.offset, std::min(at_.offset + stretch_bytes, whole));
  return !reaches_past(*segment_, at_.offset, until_, whole);
}

bool Replay::pending() const noexcept {
  return ahead_ != nullptr && !ahead_->idle();
}

void Replay::ask(const WantedRecords& wanted) noexcept {
  if (ahead_ == nullptr) {
    ahead_ = std::make_unique<ReadAhead>().release();
  }
  ahead_->want(wanted);
  hand_over();
}

void Replay::hand_over() noexcept {
  if (cold_pages_ == ColdPages::Read) {
    if (ReadAhead::bring(ahead_, *source_->files)) {
      return;
    }
    cold_pages_ = ColdPages::Await;  // A later attempt of read_ahead() may have what lacks now.
  }
  source_->asked.push(*ahead_);
}

Replay::Step Replay::await() noexcept {
  Stretch stretch;
  switch (ahead_->take(stretch)) {
    case Brought::Waiting:
    case Brought::Later:
      waiting_ = true;
      return Step::Wait;
    case Brought::Gone:
      leave();
      at_ = {stretch.number + 1, format::records_offset};
      return Step::Ready;
    case Brought::Failed:
      damaged_ = true;
      return Step::End;
    case Brought::Records:
      break;
  }
  use(stretch);
  if (cold_pages_ == ColdPages::Await) {
    ask_for_following();
  }
  return Step::Ready;
}

// So that it is in memory when the writer has read the present one.
void Replay::ask_for_following() noexcept {
  const Stretch& reading = ahead_->reading();
  WantedRecords following;
  following.end = end_;
  if (!reading.last) {
    following.at = {reading.number, static_cast<std::uint32_t>(reading.next)};
    reading.segment->add_reference();
    following.mapped = reading.segment;
    following.lends = reading.lends;
  } else {
    following.at = {reading.number + 1, format::records_offset};
    if (source_->mapped.find(following.at.segment) != nullptr) {
      return;
    }
  }
  if (following.at < end_) {
    ask(following);
  } else if (following.mapped != nullptr) {
    following.mapped->drop_reference();
  }
}

void Replay::use_mapped(Segment& segment) noexcept {
  leave();
  segment.add_reference();
  segment_ = &segment;
  until_ = 0;
}

void Replay::use(const Stretch& stretch) noexcept {
  leave();
  ahead_->read(stretch);
  segment_ = stretch.segment;
  until_ = stretch.until;
  at_ = {stretch.number, static_cast<std::uint32_t>(stretch.begin)};
}

void Replay::leave() noexcept {
  if (segment_ != nullptr && (ahead_ == nullptr || ahead_->reading().segment != segment_)) {
    segment_->drop_reference();
  }
  segment_ = nullptr;
}

void Replay::finish() noexcept {
  wanted_ = Wanted::Nothing;
  leave();
  if (ahead_ != nullptr && ahead_->abandon()) {
    hand_over();
  }
  ahead_ = nullptr;
}

// --- Walking ---

std::optional<Record> Replay::next() noexcept {
  waiting_ = false;
  while (wanted_ != Wanted::Nothing) {
    const Step step = source_->mapped.in_ring() ? reach_in_ring() : reach();
    if (step == Step::Wait) {
      return std::nullopt;
    }
    if (step == Step::End) {
      break;
    }
    const Parsed parsed =
        parse_record(segment_->base(), until_, at_.segment, at_.offset, segment_->check());
    if (parsed.found == Found::Bad || segment_->lost()) {
      damaged_ = true;
      break;
    }
    if (parsed.found == Found::End) {
      leave();
      at_ = {at_.segment + 1, format::records_offset};
      continue;
    }
    given_ = at_;
    at_.offset = static_cast<std::uint32_t>(parsed.next_offset);
    const Record& record = parsed.record;
    if (wanted_ == Wanted::Unprocessed) {
      if (record.kind == Kind::Received && !record.processed && !record.message_omitted) {
        return record;
      }
      continue;
    }
    if (record.kind != Kind::Sent || record.sequence < from_) {
      continue;
    }
    if (record.sequence > to_) {
      break;
    }
    if (!record.message_omitted) {
      return record;
    }
  }
  finish();
  return std::nullopt;
}

Replay Replay::of_sent(const ReplaySource& source, const Range& range, Position barrier,
                       Position end, ColdPages cold_pages) noexcept {
  Replay replay;
  replay.source_ = &source;
  replay.end_ = end;
  replay.from_ = range.from;
  replay.to_ = range.to;
  replay.wanted_ = Wanted::SentRange;
  replay.cold_pages_ = cold_pages;
  if (source.mapped.in_ring()) {
    replay.find_start_in_ring(barrier);
  } else {
    replay.find_start(barrier);
  }
  return replay;
}

Replay Replay::of_unprocessed(const ReplaySource& source, Position oldest, Position end,
                              ColdPages cold_pages) noexcept {
  Replay replay;
  replay.source_ = &source;
  replay.at_ = oldest;
  replay.end_ = end;
  replay.wanted_ = Wanted::Unprocessed;
  replay.cold_pages_ = cold_pages;
  return replay;
}

}  // namespace affix::inline v0::journal
