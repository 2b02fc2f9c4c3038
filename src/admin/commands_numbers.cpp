// SPDX-License-Identifier: MIT
// Commands that show and set sequence numbers. Checks run on the session's worker, in the same step
// as the change.
#include "admin/command_table.hpp"

namespace affix::inline v0::admin {

namespace {

using host::SessionControls;
using host::SessionHandle;
using host::SessionSight;

struct NumberChange {
  SessionSight before;
  SessionSight after;
  bool needs_force = false;
  bool done = false;
};

std::string from_to(std::uint64_t from, std::uint64_t to) {
  return std::to_string(from) + (from == to ? "" : " to " + std::to_string(to));
}

/// Effect of setting our next number.
std::string sight_of_outgoing(const SessionSight& before, std::uint64_t number) {
  const std::string when = before.connected ? "" : "after the next logon ";
  if (number > before.next_outgoing) {
    return when + "the peer would see a gap, ask for " + from_to(before.next_outgoing, number - 1) +
           " and get a gap fill for it";
  }
  if (number < before.next_outgoing) {
    return when + "the peer would see a number that is too low (it may know " +
           from_to(number, before.next_outgoing - 1) +
           " already) and end the session, unless its own number was set too; and what was sent "
           "under these numbers could not be resent any more";
  }
  return "nothing would change";
}

/// Effect of setting the number expected of the peer.
std::string sight_of_incoming(const SessionSight& before, std::uint64_t number) {
  const std::string when = before.connected ? "" : "after the next logon ";
  if (number > before.next_expected) {
    return when + "what the peer sends as " + from_to(before.next_expected, number - 1) +
           " would be too low, which ends the session, and would never be asked for";
  }
  if (number < before.next_expected) {
    return when + "the peer would be asked to resend " + from_to(number, before.next_expected - 1) +
           ", and the application would get these messages a second time";
  }
  return "nothing would change";
}

Answer refusal(const std::string& sight, bool live) {
  return Answer::refused((live ? "the session has a connection: " : "the number is lowered: ") +
                             sight + ". Add the word force to do it",
                         "A116");
}

Answer changed(const NumberChange& change, std::uint64_t before, std::uint64_t after) {
  if (!change.done) {
    return Answer::refused(change.before.journal_refuses
                               ? "the journal takes nothing at the moment"
                               : "the session's output has no room at the moment, or the number is "
                                 "larger than a MsgSeqNum may be",
                           "A118");
  }
  return Answer::done(std::to_string(before) + " -> " + std::to_string(after));
}

Outcome get_number(CommandContext& context, const Words& words,
                   std::uint64_t SessionSight::* number) {
  return context.ask_session<SessionSight>(
      words[0],
      [](SessionHandle session, SessionSight& sight) { sight = SessionControls(session).sight(); },
      [number](const SessionSight& sight) {
        Answer answer = Answer::table({"sequence_number"});
        answer.add({static_cast<std::int64_t>(sight.*number)});
        return answer;
      });
}

using Setter = bool (SessionControls::*)(std::uint64_t) const noexcept;
using SightText = std::string (*)(const SessionSight&, std::uint64_t);

Outcome set_number(CommandContext& context, const Words& words,
                   std::uint64_t SessionSight::* member, Setter setter, SightText sight_text) {
  const std::uint64_t number = number_of(words[1]);
  if (number == 0) {
    return Answer::refused("sequence numbers begin with 1", "A117");
  }
  const bool forced = !words[2].empty();
  return context.ask_session<NumberChange>(
      words[0],
      [number, forced, member, setter](SessionHandle session, NumberChange& change) {
        const SessionControls controls(session);
        change.before = controls.sight();
        change.needs_force = !forced && (change.before.connected || number < change.before.*member);
        if (!change.needs_force) {
          change.done = (controls.*setter)(number);
        }
        change.after = controls.sight();
      },
      [number, member, sight_text](const NumberChange& change) {
        if (change.needs_force) {
          return refusal(sight_text(change.before, number), change.before.connected);
        }
        return changed(change, change.before.*member, change.after.*member);
      });
}

Outcome get_incoming_sequence_number(CommandContext& context, const Words& words) {
  return get_number(context, words, &SessionSight::next_expected);
}

Outcome get_outgoing_sequence_number(CommandContext& context, const Words& words) {
  return get_number(context, words, &SessionSight::next_outgoing);
}

Outcome set_incoming_sequence_number(CommandContext& context, const Words& words) {
  return set_number(context, words, &SessionSight::next_expected,
                    &SessionControls::set_next_expected, &sight_of_incoming);
}

Outcome set_outgoing_sequence_number(CommandContext& context, const Words& words) {
  return set_number(context, words, &SessionSight::next_outgoing,
                    &SessionControls::set_next_outgoing, &sight_of_outgoing);
}

Outcome send_sequence_reset(CommandContext& context, const Words& words) {
  const std::uint64_t number = number_of(words[1]);
  const bool forced = !words[2].empty();
  return context.ask_session<NumberChange>(
      words[0],
      [number, forced](SessionHandle session, NumberChange& change) {
        const SessionControls controls(session);
        change.before = controls.sight();
        const bool possible =
            change.before.phase == session::Phase::Active && number >= change.before.next_outgoing;
        change.needs_force = possible && !forced;
        change.done = possible && forced && controls.send_sequence_reset(number);
        change.after = controls.sight();
      },
      [number](const NumberChange& change) {
        const std::uint64_t before = change.before.next_outgoing;
        if (change.before.phase != session::Phase::Active) {
          return Answer::refused(
              "the session is not logged on: set_outgoing_sequence_number sets "
              "the number without telling the peer",
              "A115");
        }
        if (number < before) {
          return Answer::refused("the next number is " + std::to_string(before) +
                                     ", and a SequenceReset never lowers it",
                                 "A117");
        }
        if (change.needs_force) {
          return refusal("the peer would expect " + std::to_string(number) +
                             " next, and never ask for what it misses before that",
                         true);
        }
        return changed(change, before, change.after.next_outgoing);
      });
}

Outcome reset_session(CommandContext& context, const Words& words) {
  const bool forced = !words[1].empty();
  return context.ask_session<NumberChange>(
      words[0],
      [forced](SessionHandle session, NumberChange& change) {
        const SessionControls controls(session);
        change.before = controls.sight();
        change.needs_force = !forced;
        if (forced) {
          session.reset();
          change.done = true;
        }
        change.after = controls.sight();
      },
      [](const NumberChange& change) {
        if (change.needs_force) {
          return change.before.connected
                     ? refusal(
                           "a Logon with 141=Y would restart both sides at 1; messages that either "
                           "side has not received would be lost",
                           true)
                     : refusal(
                           "both would be 1 here, and the peer, unless it is reset too, would "
                           "see a number that is too low after the next logon",
                           false);
        }
        const bool at_once = change.after.next_outgoing < change.before.next_outgoing ||
                             change.after.next_outgoing <= 2;
        return Answer::done(at_once ? "both numbers start over"
                                    : "a reset has begun; an event reports its end");
      });
}

constexpr ArgumentDescription force_argument{
    .name = "force", .kind = ArgumentKind::Choice, .optional = true, .choices = "force"};
constexpr std::array number_arguments{
    session_argument, ArgumentDescription{.name = "number", .kind = ArgumentKind::Number},
    force_argument};
constexpr std::array reset_arguments{session_argument, force_argument};

constexpr auto number_rows = in_section(
    "Sequence numbers",
    std::array{
        CommandRow{{.name = "get_incoming_sequence_number",
                    .arguments = session_arguments,
                    .summary = "Show the number that the peer's next message must have"},
                   &get_incoming_sequence_number},
        CommandRow{{.name = "get_outgoing_sequence_number",
                    .arguments = session_arguments,
                    .summary = "Show the number that our next message will have"},
                   &get_outgoing_sequence_number},
        CommandRow{{.name = "set_incoming_sequence_number",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = number_arguments,
                    .summary = "Set the number that the peer's next message must have",
                    .detail = "Refused without `force` if the number is lowered or the session has "
                              "a connection; the answer then states the consequences."},
                   &set_incoming_sequence_number},
        CommandRow{{.name = "set_outgoing_sequence_number",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = number_arguments,
                    .summary = "Set the number that our next message will have",
                    .detail = "Refused without `force` if the number is lowered or the session has "
                              "a connection; the answer then states what the peer would see."},
                   &set_outgoing_sequence_number},
        CommandRow{
            {.name = "send_sequence_reset",
             .role = Role::Operate,
             .changes_state = true,
             .arguments = number_arguments,
             .summary =
                 "Send a SequenceReset (35=4, 123=N): our next message will have this number",
             .detail = "To a session that is logged on; the number is not lowered. Needs `force`, "
                       "and without it says what the peer would see."},
            &send_sequence_reset},
        CommandRow{{.name = "reset_session",
                    .role = Role::Operate,
                    .changes_state = true,
                    .arguments = reset_arguments,
                    .summary = "Set both numbers to 1",
                    .detail = "In session with a Logon that says so (141=Y). Needs `force`, and "
                              "without it says what the peer would see."},
                   &reset_session},
    });

}  // namespace

std::span<const CommandRow> number_commands() noexcept {
  return number_rows;
}

}  // namespace affix::inline v0::admin
