// SPDX-License-Identifier: MIT
// The kill switch.
#include "admin/command_table.hpp"

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
    return ". A restart may not keep this: " + kept.error().text();
  }
  return stop && !file.keeps() ? ". A restart forgets it: there is no kill_switch_file" : "";
}

/// Covers later sessions first: a session that is in neither set would otherwise
/// escape.
Outcome turn(CommandContext& context, const Words& words, bool stop) {
  const engine::SendingScope scope = context.sending_scope(words[0]);
  context.engine().set_sending_stopped(scope, stop);
  const auto remembered = std::make_shared<std::string>();
  Outcome outcome = context.ask_sessions<Switched>(
      context.sessions_in(words[0]),
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
                         std::span<const TaskEnd> ends) {
        Answer answer = Answer::table({"session", "before", "now"});
        const auto word = [](bool stopped) { return stopped ? "stopped" : "sending"; };
        for (std::size_t at = 0; at < asked.size(); ++at) {
          const bool done = ends[at] == TaskEnd::Done;
          answer.add({std::string(asked[at].name()), done ? word(results[at].before) : "unknown",
                      done                             ? word(results[at].after)
                      : ends[at] == TaskEnd::Withdrawn ? "unchanged: worker busy, withdrawn"
                                                       : "worker busy with it"});
        }
        const auto missed = std::count_if(ends.begin(), ends.end(),
                                          [](TaskEnd end) { return end != TaskEnd::Done; });
        if (missed != 0) {
          const bool begun = std::find(ends.begin(), ends.end(), TaskEnd::Begun) != ends.end();
          answer.set_status(begun ? AnswerStatus::Begun : AnswerStatus::Busy);
          answer.set_text(std::to_string(missed) + " of " + std::to_string(ends.size()) +
                          " sessions were not reached in time: see the rows, and try again. "
                          "Sessions added from now on " +
                          (stop ? "start stopped" : "may send") + *remembered);
        } else {
          answer.set_text(std::to_string(ends.size()) +
                          (stop
                               ? " sessions send no application message; added ones start stopped"
                               : " sessions may send application messages, and so may added ones") +
                          *remembered);
        }
        return answer;
      });
  // The workers know already: stopping does not wait for the disk.
  *remembered = remember(context.kill_switch(), scope, stop);
  return outcome;
}

Outcome kill(CommandContext& context, const Words& words) {
  return turn(context, words, true);
}

Outcome resume(CommandContext& context, const Words& words) {
  return turn(context, words, false);
}

constexpr std::array scope_arguments{
    ArgumentDescription{.name = "scope", .kind = ArgumentKind::Scope}, reason_argument};

constexpr auto sending_rows = in_section(
    "Kill switch",
    std::array{
        CommandRow{
            {.name = "kill",
             .role = Role::Operate,
             .changes_state = true,
             .arguments = scope_arguments,
             .summary = "Stop all application messages of a session, an instance or the engine",
             .detail = "The application is asked first, and may cancel open orders "
                       "(before_stop_sending). Session messages go on. Messages that the peer "
                       "requests again, or that were queued, are gap-filled meanwhile. Sessions "
                       "that are added to the scope later start stopped, and so does one that "
                       "comes back under a name that was stopped."},
            &kill},
        CommandRow{{.name = "resume",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = scope_arguments,
                    .summary = "Release the kill switch of a session, an instance or the engine"},
                   &resume},
    });

}  // namespace

std::span<const CommandRow> sending_commands() noexcept {
  return sending_rows;
}

}  // namespace affix::inline v0::admin
