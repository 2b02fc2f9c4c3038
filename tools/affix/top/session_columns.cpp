// SPDX-License-Identifier: MIT
// Columns and lines of the table.
#include "top/session_rows.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <utility>

namespace affix::inline v0::tools::top {

namespace {

using counters::SessionCounter;
using counters::SessionLatency;
using counters::WorkerCounter;

template <typename... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 160> text;
  const int size = std::snprintf(text.data(), text.size(), format, values...);
  return {text.data(), std::min(static_cast<std::size_t>(std::max(size, 0)), text.size() - 1)};
}

/// At most five characters and a unit, to leave space for other columns.
std::string scaled(double value) {
  constexpr std::array units{"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (value >= 99'999.5 && unit + 1 < units.size()) {
    value /= 1'000;
    ++unit;
  }
  return printed("%.0f%s", value, units[unit]);
}

std::string nanoseconds(std::uint64_t ns) {
  constexpr std::array units{"ns", "us", "ms", "s"};
  auto value = static_cast<double>(ns);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1'000;
    ++unit;
  }
  return printed(unit == 0 || value >= 99.95 ? "%.0f%s" : "%.1f%s", value, units[unit]);
}

std::string age(std::uint64_t since_ns, std::int64_t utc_ns) {
  if (since_ns == 0) {
    return "-";
  }
  const double seconds =
      std::max(0.0, (static_cast<double>(utc_ns) - static_cast<double>(since_ns)) / 1e9);
  if (seconds < 60) {
    return printed("%.0fs", std::floor(seconds));
  }
  const auto minutes = static_cast<std::uint64_t>(seconds / 60);
  if (minutes < 60) {
    return printed("%" PRIu64 "m", minutes);
  }
  return minutes < 48 * 60 ? printed("%" PRIu64 "h", minutes / 60)
                           : printed("%" PRIu64 "d", minutes / 60 / 24);
}

template <SessionCounter Which>
constexpr Column counter_column(std::string_view name, std::string_view head, std::size_t width) {
  return {name,
          head,
          width,
          false,
          [](const SessionRow& row, std::int64_t) {
            return scaled(static_cast<double>(row.now[Which]));
          },
          [](const SessionRow& row) { return static_cast<double>(row.now[Which]); }};
}

/// Shows every digit of a sequence number.
template <SessionCounter Which>
constexpr Column number_column(std::string_view name, std::string_view head, std::size_t width) {
  return {name,
          head,
          width,
          false,
          [](const SessionRow& row, std::int64_t) { return std::to_string(row.now[Which]); },
          [](const SessionRow& row) { return static_cast<double>(row.now[Which]); }};
}

/// A quantile of latencies, in thousandths.
template <SessionLatency Which, int Thousandths>
constexpr Column latency_column(std::string_view name, std::string_view head) {
  return {name,
          head,
          8,
          false,
          [](const SessionRow& row, std::int64_t) {
            const base::LatencySnapshot& values = row[Which];
            return values.count() == 0 ? std::string("-")
                                       : nanoseconds(values.percentile(Thousandths / 1e3));
          },
          [](const SessionRow& row) {
            return static_cast<double>(row[Which].percentile(Thousandths / 1e3));
          }};
}

/// Name of the operator who disabled it and the time; otherwise the side and reason of its last
/// disconnect.
std::string why_text(const counters::SessionReading& session, std::int64_t utc_ns) {
  return session.disabled_by.empty()
             ? session.last_end
             : "disabled for " + age(session[SessionCounter::DisabledSince], utc_ns) + ", " +
                   session.disabled_by;
}

constexpr std::array all_columns{
    Column{"session", "SESSION", 16, true,
           [](const SessionRow& row, std::int64_t) { return row.now.name; }, nullptr},
    Column{"state", "STATE", 12, true,
           [](const SessionRow& row, std::int64_t) { return std::string(state_text(row.now)); },
           nullptr},
    Column{"since", "FOR", 5, false,
           [](const SessionRow& row, std::int64_t utc_ns) {
             return age(row.now[SessionCounter::StateSince], utc_ns);
           },
           [](const SessionRow& row) {
             return -static_cast<double>(row.now[SessionCounter::StateSince]);
           }},
    Column{"in", "IN/S", 7, false,
           [](const SessionRow& row, std::int64_t) { return scaled(row.received_rate); },
           [](const SessionRow& row) { return row.received_rate; }},
    Column{"out", "OUT/S", 7, false,
           [](const SessionRow& row, std::int64_t) { return scaled(row.sent_rate); },
           [](const SessionRow& row) { return row.sent_rate; }},
    counter_column<SessionCounter::OutputWaiting>("waiting", "WAITING", 8),
    latency_column<SessionLatency::SocketToApplication, 500>("app50", "APP p50"),
    latency_column<SessionLatency::SocketToApplication, 990>("app99", "APP p99"),
    latency_column<SessionLatency::ApplicationToSocket, 500>("out50", "OUT p50"),
    latency_column<SessionLatency::ApplicationToSocket, 990>("out99", "OUT p99"),
    Column{"rejects", "REJECTS", 7, false,
           [](const SessionRow& row, std::int64_t) {
             return scaled(static_cast<double>(row.now[SessionCounter::RejectsReceived] +
                                               row.now[SessionCounter::RejectsSent]));
           },
           [](const SessionRow& row) {
             return static_cast<double>(row.now[SessionCounter::RejectsReceived] +
                                        row.now[SessionCounter::RejectsSent]);
           }},
    counter_column<SessionCounter::Gaps>("gaps", "GAPS", 6),
    counter_column<SessionCounter::MessagesResent>("resent", "RESENT", 7),
    Column{"last", "HEARD", 6, false,
           [](const SessionRow& row, std::int64_t utc_ns) {
             return age(row.now[SessionCounter::LastReceived], utc_ns);
           },
           [](const SessionRow& row) {
             return -static_cast<double>(row.now[SessionCounter::LastReceived]);
           }},
    number_column<SessionCounter::NextExpected>("next_in", "NEXT IN", 11),
    number_column<SessionCounter::NextOutgoing>("next_out", "NEXT OUT", 11),
    Column{"peer", "PEER", 21, true,
           [](const SessionRow& row, std::int64_t) { return row.now.peer; }, nullptr},
    Column{"ended", "ENDED", 5, false,
           [](const SessionRow& row, std::int64_t utc_ns) {
             return age(row.now[SessionCounter::LastDisconnect], utc_ns);
           },
           [](const SessionRow& row) {
             return static_cast<double>(row.now[SessionCounter::LastDisconnect]);
           }},
    Column{"why", "WHY", 64, true,
           [](const SessionRow& row, std::int64_t utc_ns) { return why_text(row.now, utc_ns); },
           nullptr},
    Column{"ids", "OUR ID > THEIR ID", 25, true,
           [](const SessionRow& row, std::int64_t) {
             return row.now.sender_comp_id + " > " + row.now.target_comp_id;
           },
           nullptr},
    counter_column<SessionCounter::MessagesReceived>("received", "RECEIVED", 9),
    counter_column<SessionCounter::MessagesSent>("sent", "SENT", 9),
    counter_column<SessionCounter::MessagesQueued>("queued", "QUEUED", 7),
    counter_column<SessionCounter::OutputHighWater>("high_water", "MOST", 8),
    counter_column<SessionCounter::SendsRefused>("refused", "REFUSED", 8),
    Column{"throttled", "THROTTLED", 9, false,
           [](const SessionRow& row, std::int64_t) {
             return scaled(static_cast<double>(row.now[SessionCounter::ReceivesThrottled] +
                                               row.now[SessionCounter::SendsThrottled]));
           },
           [](const SessionRow& row) {
             return static_cast<double>(row.now[SessionCounter::ReceivesThrottled] +
                                        row.now[SessionCounter::SendsThrottled]);
           }},
    latency_column<SessionLatency::Callback, 990>("callback99", "CALL p99"),
    latency_column<SessionLatency::Append, 990>("append99", "JRNL p99"),
    latency_column<SessionLatency::RoundTrip, 500>("round_trip", "RTT p50"),
    counter_column<SessionCounter::Logons>("logons", "LOGONS", 7),
    counter_column<SessionCounter::Continuations>("continued", "CONTINUED", 9),
    Column{"silence", "SILENCE", 7, false,
           [](const SessionRow& row, std::int64_t) {
             return row.now[SessionCounter::Continuations] == 0
                        ? std::string("-")
                        : nanoseconds(row.now[SessionCounter::LastSilence]);
           },
           [](const SessionRow& row) {
             return static_cast<double>(row.now[SessionCounter::LastSilence]);
           }},
};

/// Cuts a text that is too long, and replaces control characters.
std::string cell(std::string text, const Column& column) {
  std::ranges::replace_if(text, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  text.resize(std::min(text.size(), column.width));
  const std::string space(column.width - text.size(), ' ');
  return column.is_text ? text + space : space + text;
}

template <typename Text>
std::string line_of(std::size_t width, Text text) {
  std::string line;
  for (const Column& column : all_columns) {
    if (line.size() + 1 + column.width > width) {
      break;
    }
    line += (line.empty() ? "" : " ") + cell(text(column), column);
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

std::uint64_t difference(std::uint64_t before, std::uint64_t now) {
  return now > before ? now - before : 0;
}

const char* engine_state(const counters::EngineReading& engine) {
  return engine.running ? "running" : engine.stopped_utc_ns != 0 ? "stopped" : "killed";
}

/// Empty if operators have stopped nothing.
std::string stops_line(const counters::EngineReading& engine) {
  const auto stopped = std::ranges::count_if(engine.sessions, [](const auto& session) {
    return session[SessionCounter::SendingStopped] != 0;
  });
  if (stopped == 0 && !engine.sending_stopped && engine.instances_stopped == 0) {
    return {};
  }
  std::string scope;
  if (engine.sending_stopped) {
    scope = "of the whole engine, ";
  } else if (engine.instances_stopped != 0) {
    const std::size_t named = engine.stopped_instances.size();
    for (const std::string& instance : engine.stopped_instances) {
      scope += (scope.empty() ? "of " : ", ") + instance;
    }
    if (named < engine.instances_stopped) {
      scope += scope.empty() ? "of " : " and ";
      scope += std::to_string(engine.instances_stopped - named);
      scope += named == 0 ? " instances" : " more instances";
    }
    scope += ", ";
  }
  return "SENDING STOPPED by an operator: " + scope + std::to_string(stopped) + " of " +
         std::to_string(engine.sessions.size()) + " sessions";
}

const char* role_text(counters::FailoverRole role) noexcept {
  switch (role) {
    case counters::FailoverRole::Standby:
      return "standby";
    case counters::FailoverRole::Primary:
      return "primary";
    case counters::FailoverRole::HandingOver:
      return "handing over";
  }
  return "?";
}

/// One standby, as the primary sees it.
std::string standby_text(const counters::StandbyReading& standby) {
  using counters::StandbyCounter;
  if (standby[StandbyCounter::Connected] == 0) {
    return standby.name + " not connected";
  }
  return standby.name + " " + scaled(static_cast<double>(standby[StandbyCounter::LagBytes])) +
         " bytes, " + nanoseconds(standby[StandbyCounter::LagTime]) + " behind" +
         (standby[StandbyCounter::Late] != 0 ? ", LATE" : "");
}

std::string failover_line(const counters::FailoverReading& group, std::int64_t utc_ns) {
  using counters::FailoverCounter;
  const bool leads = group.role() != counters::FailoverRole::Standby;
  std::string line = "failover group " + group.name + ": node " + group.node + " " +
                     role_text(group.role()) + ", epoch " +
                     std::to_string(group[FailoverCounter::Epoch]);
  if (leads) {
    line += " for " + age(group[FailoverCounter::LeadingSince], utc_ns);
  } else {
    line += group.primary.empty() ? ", no primary" : ", primary " + group.primary;
  }
  line += ", in sync " + (group.in_sync.empty() ? std::string("nobody") : group.in_sync);
  line += group[FailoverCounter::Alone] != 0 ? ", ALONE" : "";
  line += group[FailoverCounter::OutputHeld] != 0 ? ", OUTPUT HELD" : "";
  line += group[FailoverCounter::StoreSilent] != 0 ? ", election store silent" : "";
  for (const counters::StandbyReading& standby : group.standbys) {
    line += "; " + standby_text(standby);
  }
  return line;
}

/// For example `1.2ms (preempted)`.
std::string wait_text(const counters::LongestWait& wait) {
  return wait.ns == 0
             ? "never"
             : nanoseconds(wait.ns) + " (" +
                   counters::wait_cause_names()[static_cast<std::size_t>(wait.cause)].name + ')';
}

}  // namespace

const char* state_text(const counters::SessionReading& session) noexcept {
  const session::SessionStanding standing = session.standing();
  if (session[SessionCounter::SendingStopped] == 0) {
    return to_text(standing);
  }
  switch (standing) {
    case session::SessionStanding::Disconnected:
      return "off, STOPPED";
    case session::SessionStanding::Connected:
      return "con, STOPPED";
    case session::SessionStanding::LoggedOn:
      return "on, STOPPED";
    case session::SessionStanding::LoggingOut:
      return "out, STOPPED";
    case session::SessionStanding::Disabled:
      return "dis, STOPPED";
  }
  return "STOPPED";
}

std::span<const Column> columns() noexcept {
  return all_columns;
}

const Column* find_column(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(all_columns, name, &Column::name);
  return found == all_columns.end() ? nullptr : found;
}

std::string head_line(std::size_t width) {
  return line_of(width, [](const Column& column) { return std::string(column.head); });
}

std::string row_line(const SessionRow& row, std::int64_t utc_ns, std::size_t width) {
  return line_of(width, [&](const Column& column) { return column.text(row, utc_ns); });
}

std::vector<std::string> engine_lines(const TimedReading& before, const TimedReading& now) {
  const counters::EngineReading& engine = now.engine;
  const auto up = static_cast<std::size_t>(std::ranges::count(
      engine.sessions, session::SessionStanding::LoggedOn,
      [](const counters::SessionReading& session) { return session.standing(); }));
  std::vector<std::string> lines;
  lines.push_back(printed(
      "affix %s, process %" PRIu64 ", %s for %s, %zu of %zu sessions logged on",
      engine.engine_version.c_str(), engine.process_id, engine_state(engine),
      age(engine.stopped_utc_ns != 0 ? engine.stopped_utc_ns : engine.started_utc_ns, now.utc_ns)
          .c_str(),
      up, engine.sessions.size()));
  if (std::string stops = stops_line(engine); !stops.empty()) {
    lines.push_back(std::move(stops));
  }
  for (const counters::FailoverReading& group : engine.failover) {
    lines.push_back(failover_line(group, now.utc_ns));
  }
  const bool same = before.engine.started_utc_ns == engine.started_utc_ns &&
                    before.engine.workers.size() == engine.workers.size();
  const double passed_ns = static_cast<double>(now.utc_ns - before.utc_ns);
  for (std::size_t number = 0; number < engine.workers.size(); ++number) {
    const counters::WorkerReading& worker = engine.workers[number];
    const auto since = [&](WorkerCounter which) {
      return same ? static_cast<double>(
                        difference(before.engine.workers[number][which], worker[which]))
                  : 0;
    };
    const bool timed = same && passed_ns > 0;
    const base::LatencySnapshot& turns = worker.distributions[0];
    const base::LatencySnapshot& batches = worker.distributions[1];
    lines.push_back(
        printed("worker %zu: %" PRIu64
                " sessions, busy %.1f %%, %s messages/s, turn p99 %s, longest %s, "
                "messages a turn p50 %" PRIu64 " p99 %" PRIu64,
                number, worker[WorkerCounter::Sessions],
                timed ? 100 * std::min(1.0, since(WorkerCounter::BusyTime) / passed_ns) : 0.0,
                scaled(timed ? since(WorkerCounter::Messages) / (passed_ns / 1e9) : 0).c_str(),
                nanoseconds(turns.percentile(0.99)).c_str(),
                nanoseconds(worker[WorkerCounter::LongestTurn]).c_str(), batches.percentile(0.5),
                batches.percentile(0.99)) +
        ", held up " + wait_text(worker.longest_wait()) + ", lately " +
        wait_text(worker.recent_wait()));
  }
  return lines;
}

}  // namespace affix::inline v0::tools::top
