// SPDX-License-Identifier: MIT
// A session's rare counting.
#include "host/session_meter.hpp"

namespace affix::inline v0::host {

namespace {

session::SessionStanding standing_of(session::Phase phase) noexcept {
  switch (phase) {
    case session::Phase::Disconnected:
      return session::SessionStanding::Disconnected;
    case session::Phase::LogonAwaited:
    case session::Phase::LogonSent:
    case session::Phase::LogonPending:
      return session::SessionStanding::Connected;
    case session::Phase::Active:
    case session::Phase::ResetSent:
      return session::SessionStanding::LoggedOn;
    case session::Phase::LogoutSent:
    case session::Phase::LogoutForced:
    case session::Phase::LogoutAnswered:
    case session::Phase::Closing:
      break;
  }
  return session::SessionStanding::LoggingOut;
}

}  // namespace

std::expected<SessionMeter, base::Error> SessionMeter::open(counters::CounterFile& file,
                                                            counters::WorkerMeter& worker,
                                                            const counters::SeatIdentity& identity,
                                                            base::Now now, SessionSlot* shown_in) {
  const auto seat = file.take_seat(identity);
  if (!seat) {
    return std::unexpected(seat.error());
  }
  (**seat)[counters::SessionCounter::StateSince].set(static_cast<std::uint64_t>(now.utc_ns));
  return SessionMeter(file, worker, **seat, shown_in);
}

void SessionMeter::note_event(session::Event event, base::Now now) noexcept {
  switch (event) {
    case session::Event::Continued:
      add(counters::SessionCounter::Continuations);
      seat_.get_deleter().file->reserve_latencies();
      return;
    case session::Event::LoggedOn:
      add(counters::SessionCounter::Logons);
      set_time(counters::SessionCounter::LastLogon, now);
      // Before its first message is measured.
      seat_.get_deleter().file->reserve_latencies();
      return;
    case session::Event::Rejected:
      add(counters::SessionCounter::RejectsSent);
      return;
    case session::Event::ResendRequested:
      add(counters::SessionCounter::ResendRequestsSent);
      return;
    case session::Event::SequenceTooHigh:
      if (!std::exchange(gap_open_, true)) {
        add(counters::SessionCounter::Gaps);
      }
      return;
    case session::Event::Garbled:
      add(counters::SessionCounter::Garbled);
      return;
    case session::Event::GapClosed:
      gap_open_ = false;
      return;
    default:
      return;
  }
}

void SessionMeter::note_disabled(std::string_view why, const session::SessionState& state,
                                 base::Now now) noexcept {
  disabled_ = !why.empty();
  if (disabled_) {
    set_time(counters::SessionCounter::DisabledSince, now);
  } else {
    (*seat_)[counters::SessionCounter::DisabledSince].set(0);
  }
  change_remarks([why](counters::SessionRemarks& remarks) { remarks.disabled_by.set(why); });
  note_change(state, now);
}

void SessionMeter::note_connected(std::string_view peer, base::Now now) noexcept {
  set_time(counters::SessionCounter::ConnectedSince, now);
  change_remarks([peer](counters::SessionRemarks& remarks) { remarks.peer.set(peer); });
}

void SessionMeter::note_end(std::string_view why, base::Now now) noexcept {
  (*seat_)[counters::SessionCounter::ConnectedSince].set(0);
  set_time(counters::SessionCounter::LastDisconnect, now);
  change_remarks([why](counters::SessionRemarks& remarks) {
    remarks.peer.set({});
    remarks.last_end.set(why);
  });
}

void SessionMeter::note_closed() noexcept {
  add(counters::SessionCounter::Disconnections);
  abandon_send();
  watched_from_ns_ = 0;
  answered_test_ = 0;
  gap_open_ = false;
}

void SessionMeter::note_change(const session::SessionState& state, base::Now now) noexcept {
  // A lower count is that of a successor of the session that was counted.
  if (state.throttle.over_limit > over_limit_) {
    add(counters::SessionCounter::ReceivesThrottled, state.throttle.over_limit - over_limit_);
  }
  over_limit_ = state.throttle.over_limit;
  phase_ = state.phase;
  const session::SessionStanding by_phase = standing_of(phase_);
  const auto standing =
      static_cast<std::uint64_t>(disabled_ && by_phase == session::SessionStanding::Disconnected
                                     ? session::SessionStanding::Disabled
                                     : by_phase);
  if (standing != (*seat_)[counters::SessionCounter::State].value()) {
    (*seat_)[counters::SessionCounter::State].set(standing);
    set_time(counters::SessionCounter::StateSince, now);
    if (shown_in_ != nullptr) {
      shown_in_->show(static_cast<session::SessionStanding>(standing));
    }
  }
}

counters::SessionLatencies* SessionMeter::take_latencies() noexcept {
  return seat_.get_deleter().file->take_latencies(*seat_);
}

}  // namespace affix::inline v0::host
