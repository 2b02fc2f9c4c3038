// SPDX-License-Identifier: MIT
// Commands that show clients, servers and sessions.
#include "admin/command_table.hpp"
#include "admin/configuration_answer.hpp"
#include "admin/time_text.hpp"

#include <algorithm>

namespace affix::inline v0::admin {

namespace {

using host::SessionHandle;
using host::SessionSight;

void look(SessionHandle session, SessionSight& sight) {
  sight = host::SessionControls(session).sight();
}

std::string role_of(SessionHandle session) {
  return session.is_initiator() ? "initiator" : "acceptor";
}

/// One or two words for a session's state.
std::string state_of(const SessionSight& sight, TaskEnd end) {
  if (end != TaskEnd::Done) {
    return "worker busy";
  }
  if (!sight.connected && !sight.enabled) {
    return "disabled";
  }
  if (!sight.connected && !sight.schedule_open) {
    return "out of schedule";
  }
  if (!sight.connected && sight.dialing) {
    return "connecting";
  }
  return session::to_text(sight.phase);
}

/// Empty: never.
std::string when(std::int64_t utc_ns) {
  return utc_ns == 0 ? std::string() : time_text(utc_ns);
}

std::string peer_of(const SessionSight& sight) {
  return sight.peer ? sight.peer->text() : std::string();
}

/// If a worker did not answer, the whole answer says so.
void note_missing(std::span<const TaskEnd> ends, Answer& answer) {
  const auto missing =
      std::count_if(ends.begin(), ends.end(), [](TaskEnd end) { return end != TaskEnd::Done; });
  if (missing != 0) {
    answer.set_text(std::to_string(ends.size()) + " sessions, of " + std::to_string(missing) +
                    " the worker did not answer in time");
  }
}

template <typename Settings>
std::string address_of(const Settings& settings) {
  if constexpr (requires { settings.primary_address; }) {
    return settings.primary_address + ":" + std::to_string(settings.primary_port);
  } else {
    return settings.nic_address + ":" + std::to_string(settings.accept_port);
  }
}

template <typename Groups>
Answer instances(CommandContext& context, const Groups& groups) {
  Answer answer =
      Answer::table({"name", "address", "sessions", "workers", "tls", "sending_stopped"});
  for (const auto& group : groups) {
    answer.add({group.name, address_of(group), whole(context.sessions_in(group.name).size()),
                group.worker_thread_count, group.tls == config::Encryption::On,
                context.engine().sending_stopped({.instance = group.name})});
  }
  return answer;
}

Outcome states(CommandContext& context, std::vector<SessionHandle> sessions) {
  return context.ask_sessions<SessionSight>(
      std::move(sessions), &look,
      [&context](std::span<const SessionHandle> asked, std::span<const SessionSight> sights,
                 std::span<const TaskEnd> ends) {
        Answer answer = Answer::table({"instance", "session", "role", "state", "next_outgoing",
                                       "next_expected", "sending_stopped"});
        for (std::size_t at = 0; at < asked.size(); ++at) {
          answer.add({std::string(context.instance_of(asked[at].name())),
                      std::string(asked[at].name()), role_of(asked[at]),
                      state_of(sights[at], ends[at]), whole(sights[at].next_outgoing),
                      whole(sights[at].next_expected), sights[at].sending_stopped});
        }
        note_missing(ends, answer);
        return answer;
      });
}

/// Numbers per second since the last call; within a second, the former rates.
void count(CommandContext::NumbersSeen& seen, const SessionSight& sight, std::int64_t steady_ns) {
  const std::int64_t passed_ns = steady_ns - seen.steady_ns;
  if (seen.steady_ns != 0 && passed_ns < base::ns_per_second) {
    return;
  }
  const auto rate = [&](std::uint64_t now, std::uint64_t before) {
    // Lowered numbers say nothing about messages.
    return seen.steady_ns == 0 || now < before
               ? 0.0
               : static_cast<double>(now - before) * 1e9 / static_cast<double>(passed_ns);
  };
  seen.out_rate = rate(sight.next_outgoing, seen.next_outgoing);
  seen.in_rate = rate(sight.next_expected, seen.next_expected);
  seen.next_outgoing = sight.next_outgoing;
  seen.next_expected = sight.next_expected;
  seen.steady_ns = steady_ns;
}

Outcome get_clients(CommandContext& context, const Words& /*words*/) {
  return instances(context, context.configuration().clients);
}

Outcome get_servers(CommandContext& context, const Words& /*words*/) {
  return instances(context, context.configuration().servers);
}

Outcome get_sessions(CommandContext& context, const Words& words) {
  const auto& sessions = context.sessions_in(words[0]);
  return context.ask_sessions<SessionSight>(
      {sessions.begin(), sessions.end()}, &look,
      [](std::span<const SessionHandle> asked, std::span<const SessionSight> sights,
         std::span<const TaskEnd> ends) {
        Answer answer = Answer::table({"session", "begin_string", "sender_comp_id",
                                       "target_comp_id", "worker", "state", "peer", "disabled_by",
                                       "last_end", "last_end_at", "continued_at", "silence_ms"});
        for (std::size_t at = 0; at < asked.size(); ++at) {
          const SessionHandle session = asked[at];
          const SessionSight& sight = sights[at];
          answer.add({std::string(session.name()), std::string(session.begin_string()),
                      std::string(session.sender_comp_id()), std::string(session.target_comp_id()),
                      whole(session.worker()), state_of(sight, ends[at]), peer_of(sight),
                      std::string(sight.disabled_why.view()), std::string(sight.ended_why.view()),
                      when(sight.ended_utc_ns), when(sight.continued_utc_ns),
                      sight.silent_ns / base::ns_per_ms});
        }
        note_missing(ends, answer);
        return answer;
      });
}

Outcome get_instance_config(CommandContext& context, const Words& words) {
  return configuration_answer(context.configuration(), words[0]);
}

/// The file's values, except for `enabled`, which operators change.
Outcome get_session_config(CommandContext& context, const Words& words) {
  const config::SessionSettings* const settings = context.settings_of(words[0]);
  if (settings == nullptr) {
    return configuration_answer(context.configuration(), words[0]);
  }
  return context.ask_session<SessionSight>(words[0], &look,
                                           [settings = *settings](const SessionSight& sight) {
                                             config::Configuration shown;
                                             shown.sessions.push_back(settings);
                                             shown.sessions.front().enabled = sight.enabled;
                                             return configuration_answer(shown, settings.name);
                                           });
}

Outcome get_session_state(CommandContext& context, const Words& words) {
  return context.ask_session<SessionSight>(words[0], &look, [](const SessionSight& sight) {
    Answer answer = Answer::table({"name", "value"});
    answer.add({"state", state_of(sight, TaskEnd::Done)});
    answer.add({"phase", std::string(session::to_text(sight.phase))});
    answer.add({"connected", sight.connected});
    answer.add({"peer", peer_of(sight)});
    answer.add({"enabled", sight.enabled});
    answer.add({"disabled_by", std::string(sight.disabled_why.view())});
    answer.add({"disabled_since", sight.enabled ? std::string() : when(sight.switched_utc_ns)});
    answer.add({"last_end", std::string(sight.ended_why.view())});
    answer.add({"last_end_at", when(sight.ended_utc_ns)});
    answer.add({"continued_at", when(sight.continued_utc_ns)});
    answer.add({"silence_ms", sight.silent_ns / base::ns_per_ms});
    answer.add({"dialing", sight.dialing});
    answer.add({"schedule_open", sight.schedule_open});
    answer.add({"next_outgoing", whole(sight.next_outgoing)});
    answer.add({"next_expected", whole(sight.next_expected)});
    answer.add({"missing_to", whole(sight.missing_to)});
    answer.add({"resending", sight.resending});
    answer.add({"queued", whole(sight.queued)});
    answer.add({"output_waiting", whole(sight.output_waiting)});
    answer.add({"sending_stopped", sight.sending_stopped});
    answer.add({"journal_refuses", sight.journal_refuses});
    return answer;
  });
}

Outcome get_all_session_states(CommandContext& context, const Words& /*words*/) {
  const auto& all = context.engine().sessions();
  return states(context, {all.begin(), all.end()});
}

Outcome sessions(CommandContext& context, const Words& /*words*/) {
  context.tidy();
  const auto& all = context.engine().sessions();
  return context.ask_sessions<SessionSight>(
      {all.begin(), all.end()}, &look,
      [&context](std::span<const SessionHandle> asked, std::span<const SessionSight> sights,
                 std::span<const TaskEnd> ends) {
        Answer answer = Answer::table({"session", "instance", "role", "state", "next_outgoing",
                                       "next_expected", "out_rate", "in_rate", "missing_to",
                                       "queued", "output_waiting", "sending_stopped", "peer"});
        for (std::size_t at = 0; at < asked.size(); ++at) {
          const SessionSight& sight = sights[at];
          CommandContext::NumbersSeen& seen = context.numbers_seen(std::string(asked[at].name()));
          if (ends[at] == TaskEnd::Done) {
            count(seen, sight, context.now().steady_ns);
          }
          answer.add({std::string(asked[at].name()),
                      std::string(context.instance_of(asked[at].name())), role_of(asked[at]),
                      state_of(sight, ends[at]), whole(sight.next_outgoing),
                      whole(sight.next_expected), seen.out_rate, seen.in_rate,
                      whole(sight.missing_to), whole(sight.queued), whole(sight.output_waiting),
                      sight.sending_stopped, peer_of(sight)});
        }
        note_missing(ends, answer);
        return answer;
      });
}

constexpr std::array instance_arguments{
    ArgumentDescription{.name = "client/server", .kind = ArgumentKind::Instance}};

constexpr auto session_rows = in_section(
    "Clients, servers and sessions",
    std::array{
        CommandRow{{.name = "get_clients",
                    .summary = "List all client (initiator) groups",
                    .detail = "`sending_stopped`: new sessions of the group start stopped (kill)."},
                   &get_clients},
        CommandRow{{.name = "get_servers",
                    .summary = "List all server (acceptor) groups",
                    .detail = "`sending_stopped`: new sessions of the group start stopped (kill)."},
                   &get_servers},
        CommandRow{{.name = "get_instance_config",
                    .arguments = instance_arguments,
                    .summary = "Display the configuration of a client or server"},
                   &get_instance_config},
        CommandRow{{.name = "get_sessions",
                    .arguments = instance_arguments,
                    .summary = "List all sessions of a client or server"},
                   &get_sessions},
        CommandRow{{.name = "get_session_state",
                    .arguments = session_arguments,
                    .summary = "Show everything about the state of a session",
                    .detail = "`missing_to` is the last number known to be missing from the peer, "
                              "`queued` the messages that wait for the next logon, "
                              "`output_waiting` the bytes that the peer has not read."},
                   &get_session_state},
        CommandRow{{.name = "get_session_config",
                    .arguments = session_arguments,
                    .summary = "Display the configuration of a session",
                    .detail = "`enabled` is what operators last set."},
                   &get_session_config},
        CommandRow{{.name = "get_all_session_states",
                    .summary = "Show the state of every session of every instance"},
                   &get_all_session_states},
        CommandRow{
            {.name = "sessions",
             .summary = "List every session with its numbers and rates",
             .detail =
                 "`out_rate` and `in_rate` are numbers that were given out and taken in, a second, "
                 "since the command was given last on this port, one second at least."},
            &sessions},
    });

}  // namespace

std::span<const CommandRow> session_commands() noexcept {
  return session_rows;
}

}  // namespace affix::inline v0::admin
