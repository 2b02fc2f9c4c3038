// SPDX-License-Identifier: MIT
// The kill switch.
#include "admin/handlers.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace affix::inline v0::admin {

namespace {

using host::SessionControls;
using host::SessionHandle;

struct Switched {
  bool before = false;
  bool after = false;
};

/// Addition to the answer: empty when a restart remembers.
std::string remember(KillSwitchFile& file, const engine::SendingScope& scope, bool stop) {
  const auto kept = file.set(scope, stop);
  if (!kept) {
    return ". After a restart it may be otherwise: " + kept.error().text();
  }
  return stop && !file.keeps() ? ". A restart forgets it: there is no kill_switch_file" : "";
}

/// Covers later sessions first: a session that is in neither set would otherwise
/// escape.
Outcome turn(Desk& desk, const Words& words, bool stop) {
  const engine::SendingScope scope = desk.sending_scope(words[0]);
  desk.engine().set_sending_stopped(scope, stop);
  const auto remembered = std::make_shared<std::string>();
  Outcome outcome = desk.ask_sessions<Switched>(
      desk.sessions_in(words[0]),
      [stop](SessionHandle session, Switched& switched) {
        const SessionControls controls(session);
        switched.before = controls.sight().sending_stopped;
        if (stop) {
          controls.stop_sending();
        } else {
          controls.resume_sending();
        }
        switched.after = controls.sight().sending_stopped;
      },
      [stop, remembered](std::span<const SessionHandle> asked, std::span<const Switched> results,
                         std::span<const ErrandEnd> ends) {
        Answer answer = Answer::table({"session", "before", "now"});
        const auto word = [](bool stopped) { return stopped ? "stopped" : "sending"; };
        for (std::size_t at = 0; at < asked.size(); ++at) {
          const bool done = ends[at] == ErrandEnd::Done;
          answer.add({std::string(asked[at].name()), done ? word(results[at].before) : "unknown",
                      done                               ? word(results[at].after)
                      : ends[at] == ErrandEnd::Withdrawn ? "unchanged: worker busy, withdrawn"
                                                         : "worker busy with it"});
        }
        const auto missed = std::count_if(ends.begin(), ends.end(),
                                          [](ErrandEnd end) { return end != ErrandEnd::Done; });
        if (missed != 0) {
          const bool begun = std::find(ends.begin(), ends.end(), ErrandEnd::Begun) != ends.end();
          answer.set_status(begun ? AnswerStatus::Begun : AnswerStatus::Busy);
          answer.set_text(std::to_string(missed) + " of " + std::to_string(ends.size()) +
                          " sessions were not reached in time: see the rows, and try again. What "
                          "comes from now on " +
                          (stop ? "begins stopped" : "may send") + *remembered);
        } else {
          answer.set_text(std::to_string(ends.size()) +
                          (stop ? " sessions send no application message, and what comes begins so"
                                : " sessions may send application messages, and what comes may") +
                          *remembered);
        }
        return answer;
      });
  // The workers know already: stopping does not wait for the disk.
  *remembered = remember(desk.kill_switch(), scope, stop);
  return outcome;
}

}  // namespace

Outcome kill(Desk& desk, const Words& words) {
  return turn(desk, words, true);
}

Outcome resume(Desk& desk, const Words& words) {
  return turn(desk, words, false);
}

}  // namespace affix::inline v0::admin
