// SPDX-License-Identifier: MIT
// A hosted session's dependence on the wall clock: windows and periods.
#include "host/hosted_session.hpp"

namespace affix::inline v0::host {

void HostedSession::follow_schedule() noexcept {
  const Timetable::Change change =
      timetable_.follow_schedule(host_.now().utc_ns, settings_->schedule_reset_at_start);
  if (change == Timetable::Change::None) {
    return;
  }
  if (link_.connected() && change == Timetable::Change::SessionEnds) {
    note_end(EndedBy::Schedule);
    logout("the session's window has ended");
  }
  begin_period();
  host_.on_logon_window(*this);
}

void HostedSession::begin_period() noexcept {
  if (!timetable_.period_reset_due() || link_.connected()) {
    return;
  }
  if (!numbers_are_first()) {
    reset();
  }
  timetable_.on_period_reset(numbers_are_first());  // The journal may have refused it.
}

base::CodedText HostedSession::connection_refusal() noexcept {
  follow_schedule();
  const base::CodedText refusal = journal_refusal();
  if (refusal.empty() && timetable_.period_reset_due()) {
    begin_period();
    return journal_refusal();
  }
  return refusal;
}

}  // namespace affix::inline v0::host
