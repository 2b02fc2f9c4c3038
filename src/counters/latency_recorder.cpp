// SPDX-License-Identifier: MIT
// Fills in the steps of each message, and the cause of its longest wait.
#include "counters/latency_recorder.hpp"

namespace affix::inline v0::counters {

LatencyRecorder::LatencyRecorder(LatencyFile& file, std::size_t worker, net::Reactor& clock,
                                 bool reckons)
    : file_(file),
      reactor_(clock),
      clock_(reckons),
      ring_(file.ring(worker)),
      records_(file.records(worker)),
      mask_(records_.size() - 1),
      ways_(std::make_unique<Way[]>(records_.size())) {}

LatencyRecord& LatencyRecorder::begin_record(bool answers) noexcept {
  LatencyRecord& record = records_[place_of(++begun_)];
  record.number.store(0, std::memory_order_relaxed);
  // Later writes are not visible before the number is cleared.
  std::atomic_thread_fence(std::memory_order_release);
  if (answers) {
    // A message held after a gap came with an earlier read, whose times are not stored.
    const bool known = !at_hand_.released;
    record.in_session.set(at_hand_.session);
    record.in_number.set(at_hand_.number);
    set(record, LatencyStep::Received, known ? at_hand_.received_ns : 0);
    set(record, LatencyStep::Read, known ? at_hand_.read_ns : 0);
    set(record, LatencyStep::HandedOver, at_hand_.handed_ns);
    const std::int64_t came_ns = !known                      ? at_hand_.handed_ns
                                 : at_hand_.received_ns != 0 ? at_hand_.received_ns
                                                             : at_hand_.read_ns;
    oldest_ns_ = std::min(oldest_ns_, came_ns);
  } else {
    record.in_session.set(0);
    record.in_number.set(0);
    set(record, LatencyStep::Received, 0);
    set(record, LatencyStep::Read, 0);
    set(record, LatencyStep::HandedOver, 0);
  }
  set(record, LatencyStep::Sent, 0);
  set(record, LatencyStep::Transmitted, 0);
  record.cause.set(static_cast<std::uint64_t>(LatencyCause::None));
  record.wait_ns.set(0);
  return record;
}

void LatencyRecorder::end_record(LatencyRecord& record) noexcept {
  // Release: a reader that sees the number sees the record.
  record.number.store(begun_, std::memory_order_release);
  ring_.begun.set(begun_);
}

void LatencyRecorder::end_delivery() noexcept {
  at_hand_.delivering = false;
  if (at_hand_.answered) {
    return;
  }
  LatencyRecord& record = begin_record(true);
  record.out_session.set(0);
  record.out_number.set(0);
  set(record, LatencyStep::Committed, 0);
  end_record(record);
}

void LatencyRecorder::commit(LatencyTrack& track, std::uint64_t number,
                             std::size_t outbox_bytes) noexcept {
  // Between two clock readings, the cycle clock may be slightly late.
  const std::int64_t now_ns = std::max(now(), at_hand_.delivering ? at_hand_.handed_ns : 0);
  LatencyRecord& record = begin_record(at_hand_.delivering);
  at_hand_.answered = true;
  record.out_session.set(track.session);
  record.out_number.set(number);
  set(record, LatencyStep::Committed, now_ns);
  oldest_ns_ = std::min(oldest_ns_, now_ns);
  end_record(record);
  ways_[place_of(begun_)] = {.end = track.flushed_bytes + outbox_bytes};
  if (is_kept(track.last)) {
    ways_[place_of(track.last)].next = begun_;
  }
  track.first_unsent = track.first_unsent != 0 ? track.first_unsent : begun_;
  track.first_unstamped = track.first_unstamped != 0 ? track.first_unstamped : begun_;
  track.last = begun_;
}

void LatencyRecorder::note_sent(LatencyTrack& track, std::size_t bytes, std::uint64_t position,
                                LatencyCause held_by) noexcept {
  track.flushed_bytes += bytes;
  while (is_kept(track.first_unsent)) {
    LatencyRecord& record = records_[place_of(track.first_unsent)];
    Way& way = ways_[place_of(track.first_unsent)];
    if (way.end > track.flushed_bytes) {
      return;
    }
    way.position = position;
    const std::int64_t committed_ns = step_of(record, LatencyStep::Committed);
    set(record, LatencyStep::Sent, std::max(sending_ns_, committed_ns));
    const auto held =
        static_cast<std::uint64_t>(std::max<std::int64_t>(sending_ns_ - committed_ns, 0));
    if (track.first_unsent < turn_first_ && held > record.wait_ns.value()) {
      record.cause.set(static_cast<std::uint64_t>(held_by));
      record.wait_ns.set(held);
    }
    track.first_unsent = way.next;
  }
  track.first_unsent = 0;  // None is left, or the ring has overwritten them.
}

void LatencyRecorder::note_transmitted(LatencyTrack& track, std::uint64_t position,
                                       std::int64_t utc_ns) noexcept {
  while (is_kept(track.first_unstamped) && track.first_unstamped != track.first_unsent) {
    const Way& way = ways_[place_of(track.first_unstamped)];
    if (way.position > position) {
      return;
    }
    set(records_[place_of(track.first_unstamped)], LatencyStep::Transmitted, utc_ns);
    track.first_unstamped = way.next;
  }
  if (!is_kept(track.first_unstamped)) {
    track.first_unstamped = track.first_unsent;
  }
}

void LatencyRecorder::note_wait(WaitCause cause, std::int64_t took_ns, base::Now now) noexcept {
  waits_[waits_noted_++ % waits_kept] = {now.utc_ns - took_ns, now.utc_ns, latency_cause_of(cause)};
  latest_wait_end_ns_ = now.utc_ns;
}

// A wait counts for the part of a message's time that it overlaps, also for a message that lay in
// the kernel while the previous turn was delayed.
void LatencyRecorder::explain_turn() noexcept {
  for (std::uint64_t number = turn_first_; number <= begun_; ++number) {
    if (!is_kept(number)) {
      continue;
    }
    LatencyRecord& record = records_[place_of(number)];
    std::int64_t first_ns = never;
    std::int64_t last_ns = 0;
    for (const base::Counter& step : record.steps) {
      if (const auto ns = static_cast<std::int64_t>(step.value()); ns != 0) {
        first_ns = std::min(first_ns, ns);
        last_ns = std::max(last_ns, ns);
      }
    }
    // An unsent message is still waiting.
    const bool unsent = record.out_session.value() != 0 && step_of(record, LatencyStep::Sent) == 0;
    last_ns = unsent ? never : last_ns;
    for (const Wait& wait : waits_) {
      const std::int64_t shared_ns =
          std::min(wait.end_ns, last_ns) - std::max(wait.begin_ns, first_ns);
      if (shared_ns > static_cast<std::int64_t>(record.wait_ns.value())) {
        record.cause.set(static_cast<std::uint64_t>(wait.cause));
        record.wait_ns.set(static_cast<std::uint64_t>(shared_ns));
      }
    }
  }
}

}  // namespace affix::inline v0::counters
