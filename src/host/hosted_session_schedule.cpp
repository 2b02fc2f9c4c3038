// SPDX-License-Identifier: MIT
// A hosted session's dependence on the wall clock: windows, periods and the next check.
#include "host/hosted_session.hpp"

#include <algorithm>

namespace affix::inline v0::host {

namespace {

/// Time within which a change of the clock is noticed.
constexpr std::int64_t longest_look_ns = 60 * base::ns_per_second;

}  // namespace

std::int64_t HostedSession::wall_clock_deadline() const noexcept {
  const base::Now now = host_.now();
  std::int64_t pause_ns = timetable_.resets.pause_ns(now.utc_ns, longest_look_ns);
  if (timetable_.schedule != nullptr) {
    pause_ns = std::min(pause_ns, timetable_.schedule->pause_ns(now.utc_ns));
  }
  return now.steady_ns + pause_ns;
}

void HostedSession::follow_schedule() noexcept {
  if (timetable_.schedule == nullptr || !timetable_.schedule->advance(host_.now().utc_ns)) {
    return;
  }
  const bool begins = timetable_.schedule->take_beginning();
  if (begins) {
    timetable_.resets.on_period(settings_->schedule_reset_at_start);
  }
  if (link_.connected() && (begins || !timetable_.schedule->open())) {
    // A window may end where the next begins; its session ends all the same.
    note_end(EndedBy::Schedule);
    logout("the session's window has ended");
  }
  begin_period();
  host_.on_logon_window(*this);
}

void HostedSession::begin_period() noexcept {
  if (!timetable_.resets.period_due() || link_.connected()) {
    return;
  }
  const auto are_first = [this] {
    return journal_->next_outgoing() == 1 && journal_->next_expected() == 1;
  };
  if (!are_first()) {
    reset();
  }
  timetable_.resets.on_period(!are_first());  // The journal may have refused it.
}

base::CodedText HostedSession::connection_refusal() noexcept {
  follow_schedule();
  const base::CodedText refusal = journal_refusal();
  if (refusal.empty() && timetable_.resets.period_due()) {
    begin_period();
    return journal_refusal();
  }
  return refusal;
}

}  // namespace affix::inline v0::host
