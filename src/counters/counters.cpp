// SPDX-License-Identifier: MIT
// Names of the counters, for every program that shows them.
#include "affix/counters/counters.hpp"

namespace affix::inline v0::counters {

namespace {

using enum CounterKind;

constexpr std::array<CounterName, session_counter_count> session_counters{{
    {"state",
     "how the session stands: 0 disconnected, 1 connected, 2 logged on, 3 logging out, "
     "4 disabled",
     Level},
    {"state_since", "when that began", Time},
    {"next_outgoing", "MsgSeqNum of our next message", Level},
    {"next_expected", "MsgSeqNum that the peer's next message is to have", Level},
    {"messages_received", "whole messages received, whatever became of them", Total},
    {"messages_sent", "messages numbered and sent for the first time", Total},
    {"application_received", "messages given to the application", Total},
    {"application_sent", "application messages sent", Total},
    {"bytes_received", "bytes of whole messages received", Total},
    {"bytes_sent", "bytes given to the transport", Total},
    {"last_received", "when the last whole message came", Time},
    {"last_sent", "when output was last given to the transport", Time},
    {"logons", "times the session was established", Total},
    {"disconnections", "connections that ended", Total},
    {"rejects_received", "Reject messages of the peer", Total},
    {"rejects_sent", "Reject messages of ours", Total},
    {"gaps", "times that the peer left numbers out", Total},
    {"resend_requests_received", "ResendRequest messages of the peer", Total},
    {"resend_requests_sent", "ResendRequest messages of ours", Total},
    {"messages_resent", "messages resent at the peer's request", Total},
    {"messages_held", "messages that came ahead of a gap", Total},
    {"garbled", "pieces of input that were not a message", Total},
    {"receives_throttled", "messages of the peer over throttle_limit", Total},
    {"sends_throttled", "messages of the application over send_throttle_limit", Total},
    {"sends_refused", "messages of the application that were refused", Total},
    {"messages_queued", "messages numbered without a session and not sent yet", Level},
    {"queued_high_water", "most messages that were ever queued so", Level},
    {"output_waiting", "bytes that the transport has not taken yet", Level},
    {"output_high_water", "most bytes that ever waited for the transport", Level},
    {"sending_stopped",
     "whether an operator has stopped the session's application messages (kill): 1, or 0", Level},
    {"connected_since", "when the session's connection began; 0: there is none", Time},
    {"last_logon", "when the session was established last", Time},
    {"last_disconnect", "when the session's last connection ended", Time},
    {"disabled_since", "when the session was disabled; 0: it is enabled", Time},
    {"journal_memory_refused",
     "times that the journal in memory stored over its oldest messages early, as "
     "memory_journal_bytes was in use",
     Total},
    {"continuations", "connections of an earlier process that the session went on with", Total},
    {"last_silence",
     "nanoseconds for which no process served the connection before the last of them; 0: none",
     Level},
}};

constexpr std::array<CounterName, session_latency_count> session_latencies{{
    {"socket_to_application", "from the read that brought a message to the application's call",
     Level},
    {"callback", "the application's call for one message", Level},
    {"append", "storing one message in the journal", Level},
    {"application_to_socket", "from a message's commit to its being with the transport", Level},
    {"round_trip", "from a TestRequest to the Heartbeat that answers it", Level},
}};

constexpr std::array<CounterName, worker_counter_count> worker_counters{{
    {"turns", "looks at the sockets", Total},
    {"busy_turns", "turns that found something to do", Total},
    {"events", "events found", Total},
    {"messages", "whole messages that events brought", Total},
    {"busy_time", "nanoseconds of busy turns, waiting left out", Total},
    {"longest_turn", "nanoseconds of the longest turn", Level},
    {"last_turn", "when the last busy turn ended", Time},
    {"sessions", "sessions the worker has", Level},
}};

constexpr std::array<CounterName, worker_latency_count> worker_latencies{{
    {"turn", "busy turns, waiting left out", Level},
    {"batch", "messages of turns that brought any: a number, no time", Level},
}};

constexpr std::array<CounterName, wait_cause_count> wait_causes{{
    {"preempted", "another thread ran on the worker's core"},
    {"page_fault", "the system brought a page of memory or of a file"},
    {"journal", "an append found nothing made ready, or wrote to the disk itself"},
    {"resend", "one part of a resend or a redelivery"},
    {"timer", "heartbeats, schedules and attempts to connect that were due"},
    {"connection", "a connection that came, logged on, or went"},
    {"change", "a session that is added, changed or removed"},
    {"log", "a line of the log"},
    {"other", "a turn that took longer than its messages do, for no reason known"},
}};

static_assert(static_cast<std::size_t>(SessionCounter::LastSilence) + 1 == session_counter_count);
static_assert(static_cast<std::size_t>(SessionLatency::RoundTrip) + 1 == session_latency_count);
static_assert(static_cast<std::size_t>(WorkerCounter::Sessions) + 1 == worker_counter_count);
static_assert(static_cast<std::size_t>(WorkerLatency::Batch) + 1 == worker_latency_count);
static_assert(static_cast<std::size_t>(WaitCause::Other) + 1 == wait_cause_count);

// Other programs read the file by these offsets.
static_assert(offsetof(CountersHeader, workers_at) == 48);
static_assert(offsetof(CountersHeader, seats_at) == 56);
static_assert(offsetof(CountersHeader, engine_version) == 80);
static_assert(offsetof(CountersHeader, stops) == 144);
static_assert(offsetof(CountersHeader, failover_at) == 2'216);
static_assert(offsetof(SendingStops, instance_names) == 24);
static_assert(sizeof(SeatChunk) == 64);
static_assert(offsetof(SessionCounters, name) == 40);
static_assert(offsetof(SessionCounters, journal_directory) == 312);
static_assert(offsetof(SessionCounters, remarks) == 568);
static_assert(offsetof(SessionRemarks, peer) == 8);
static_assert(offsetof(SessionRemarks, last_end) == 72);
static_assert(offsetof(SessionRemarks, disabled_by) == 264);
static_assert(offsetof(SessionCounters, counters) == 1'024);
static_assert(sizeof(SessionCounters) == 1'344);
static_assert(sizeof(SessionLatencies) == 21'248);
static_assert(offsetof(WorkerCounters, histograms) == 64);
static_assert(offsetof(WorkerCounters, waits) == 8'544);
static_assert(offsetof(WorkerWaits, longest_at) == 288);
static_assert(offsetof(WorkerWaits, lengths) == 296);

}  // namespace

std::span<const CounterName> session_counter_names() noexcept {
  return session_counters;
}

std::span<const CounterName> session_latency_names() noexcept {
  return session_latencies;
}

std::span<const CounterName> worker_counter_names() noexcept {
  return worker_counters;
}

std::span<const CounterName> worker_latency_names() noexcept {
  return worker_latencies;
}

std::span<const CounterName> wait_cause_names() noexcept {
  return wait_causes;
}

}  // namespace affix::inline v0::counters
