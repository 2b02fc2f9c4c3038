// SPDX-License-Identifier: MIT
// What a session seldom counts.
#include "engine/session_meter.hpp"

namespace affix::inline v0::engine {

namespace {

SessionStanding standing_of(session::Phase phase) noexcept {
  switch (phase) {
    case session::Phase::Disconnected:
      return SessionStanding::Disconnected;
    case session::Phase::LogonAwaited:
    case session::Phase::LogonSent:
    case session::Phase::LogonPending:
      return SessionStanding::Connected;
    case session::Phase::Active:
    case session::Phase::ResetSent:
      return SessionStanding::LoggedOn;
    case session::Phase::LogoutSent:
    case session::Phase::LogoutForced:
    case session::Phase::LogoutAnswered:
    case session::Phase::Closing:
      break;
  }
  return SessionStanding::LoggingOut;
}

}  // namespace

std::expected<SessionMeter, base::Error> SessionMeter::open(CounterFile& file, WorkerMeter& worker,
                                                            const SeatIdentity& identity,
                                                            base::Now now, SessionSeat* shown_in) {
  const auto seat = file.take_seat(identity);
  if (!seat) {
    return std::unexpected(seat.error());
  }
  (**seat)[SessionCounter::StateSince].set(static_cast<std::uint64_t>(now.utc_ns));
  return SessionMeter(file, worker, **seat, shown_in);
}

void SessionMeter::note_event(session::Event event, base::Now now) noexcept {
  switch (event) {
    case session::Event::LoggedOn:
      add(SessionCounter::Logons);
      set_time(SessionCounter::LastLogon, now);
      // Before its first message is measured.
      seat_.get_deleter().file->reserve_latencies();
      return;
    case session::Event::Rejected:
      add(SessionCounter::RejectsSent);
      return;
    case session::Event::ResendRequested:
      add(SessionCounter::ResendRequestsSent);
      return;
    case session::Event::SequenceTooHigh:
      if (!std::exchange(gap_open_, true)) {
        add(SessionCounter::Gaps);
      }
      return;
    case session::Event::Garbled:
      add(SessionCounter::Garbled);
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
    set_time(SessionCounter::DisabledSince, now);
  } else {
    (*seat_)[SessionCounter::DisabledSince].set(0);
  }
  change_remarks([why](SessionRemarks& remarks) { remarks.disabled_by.set(why); });
  note_change(state, now);
}

void SessionMeter::note_connected(std::string_view peer, base::Now now) noexcept {
  set_time(SessionCounter::ConnectedSince, now);
  change_remarks([peer](SessionRemarks& remarks) { remarks.peer.set(peer); });
}

void SessionMeter::note_end(std::string_view why, base::Now now) noexcept {
  (*seat_)[SessionCounter::ConnectedSince].set(0);
  set_time(SessionCounter::LastDisconnect, now);
  change_remarks([why](SessionRemarks& remarks) {
    remarks.peer.set({});
    remarks.last_end.set(why);
  });
}

void SessionMeter::note_closed() noexcept {
  add(SessionCounter::Disconnections);
  abandon_send();
  watched_from_ns_ = 0;
  answered_test_ = 0;
  gap_open_ = false;
}

void SessionMeter::note_change(const session::SessionState& state, base::Now now) noexcept {
  // Less is the count of a session that took over from the one that was counted.
  if (state.throttle.over_limit > over_limit_) {
    add(SessionCounter::ReceivesThrottled, state.throttle.over_limit - over_limit_);
  }
  over_limit_ = state.throttle.over_limit;
  phase_ = state.phase;
  const SessionStanding by_phase = standing_of(phase_);
  const auto standing = static_cast<std::uint64_t>(
      disabled_ && by_phase == SessionStanding::Disconnected ? SessionStanding::Disabled
                                                             : by_phase);
  if (standing != (*seat_)[SessionCounter::State].value()) {
    (*seat_)[SessionCounter::State].set(standing);
    set_time(SessionCounter::StateSince, now);
    if (shown_in_ != nullptr) {
      shown_in_->show(static_cast<SessionStanding>(standing));
    }
  }
}

SessionLatencies* SessionMeter::take_latencies() noexcept {
  return seat_.get_deleter().file->take_latencies(*seat_);
}

}  // namespace affix::inline v0::engine
