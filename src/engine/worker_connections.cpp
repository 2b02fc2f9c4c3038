// SPDX-License-Identifier: MIT
// The worker's connections: from the gate or the acceptor's thread to a session, and their ends.
#include "affix/base/assert.hpp"

#include "config/instance_options.hpp"
#include "engine/worker.hpp"

#include <optional>
#include <utility>

namespace affix::inline v0::engine {

// --- Connections ---

void Worker::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                         const net::Address& peer) noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  now_ = reactor_->now();
  gate_->on_accepted(listener, connection, peer, now_.steady_ns);
}

/// A listener may name a session that is still on its way here.
host::HostedSession* Worker::hosted_now(host::SessionHandle session) noexcept {
  if (session.hosted() == nullptr && changes_.has_posted()) {
    take_changes();
  }
  return session.hosted();
}

/// Takes connections from the acceptor's thread. Their bytes are read in this turn.
void Worker::take_handed() noexcept {
  if (inbox_->front() == nullptr) [[likely]] {
    return;
  }
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  for (std::size_t count = 0; count < handed_connections_max; ++count) {
    HandedConnection* const handed = inbox_->front();
    if (handed == nullptr) {
      return;
    }
    const auto connection = reactor_->adopt(std::move(handed->connection));
    host::HostedSession* const session = hosted_now(handed->session);
    PeerInfo peer_info = std::move(handed->peer_info);  // The queue keeps what is left in it.
    if (connection && session != nullptr) {
      Connection& entry = connections_.enter(*connection);
      entry.wanted = session;
      entry.peer_info = std::move(peer_info);
    } else if (connection) {
      reactor_->close(*connection);
      report(host::Event::Severity::Warning, handed->session.name(),
             config::refusal_text(peer_info.peer, "its session is gone"), "N210");
    } else {
      report(host::Event::Severity::Error, handed->session.name(),
             config::refusal_text(peer_info.peer, connection.error().message),
             connection.error().message_code);
    }
    inbox_->pop();
  }
}

std::size_t Worker::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  now_ = reactor_->now_again();
  meter_.note_event(now_.steady_ns);
  Connection* entry = connections_.find(connection);
  if (entry == nullptr) [[unlikely]] {
    return on_first_bytes(connection, bytes);
  }
  if (entry->session == nullptr) [[unlikely]] {
    return judge(connection, *entry, bytes);
  }
  host::HostedSession& session = *entry->session;
  const std::size_t consumed = session.on_bytes(bytes, indices_->live);
  if (SessionPlace& place = places_[session.number()];
      place.newcomer && session.heard_since_probe()) [[unlikely]] {
    refuse_newcomer(place, {"a second connection for a session whose first one lives", "N208"});
  }
  return consumed;
}

/// For a connection whose session is not known yet.
std::size_t Worker::on_first_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  if (host::LedGroup* const led = led_group_of(connection)) {
    return take_acknowledgements(*led, connection, bytes);
  }
  if (gate_ == nullptr) {
    return bytes.size;
  }
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  const LogonGate::Claim claim = gate_->on_bytes(connection, bytes);
  if (!claim.target) {
    return claim.consumed;
  }
  host::HostedSession* const wanted = hosted_now(claim.target->session);
  if (wanted == nullptr) {
    gate_->refuse(connection, {"its session is gone", "N210"});
    return bytes.size;
  }
  Connection& entry = connections_.enter(connection);
  entry.peer_info = gate_->leave(connection);
  entry.wanted = wanted;
  // A proxy's header is not for the session.
  bytes.data += claim.header;
  bytes.size -= claim.header;
  return claim.header + judge(connection, entry, bytes);
}

/// The bytes begin with a Logon for `entry.wanted`.
std::size_t Worker::judge(net::ConnectionId connection, Connection& entry,
                          base::PaddedBytes bytes) noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  host::HostedSession& session = *entry.wanted;
  if (ending_ != Ending::No) {
    refuse(connection, entry, {"the engine is stopping", "N210"});
    return bytes.size;
  }
  const SessionPlace& place = places_[session.number()];
  if (!place.enabled || place.leaving) {
    const std::string why =
        place.leaving ? "the session is going" : "the session is disabled " + place.disabled_why;
    refuse(connection, entry, {why, "N210"});
    return bytes.size;
  }
  if (session.connected() && !session.leave_ended_connection()) {
    if (wait_for_probe(connection, session)) {
      return 0;
    }
    // Test case 1S b: the existing connection is not disturbed.
    refuse(connection, entry, {"a second connection for a session that has one", "N208"});
    return bytes.size;
  }
  admit(connection, entry, session);
  return entry.session == nullptr ? bytes.size : session.on_bytes(bytes, indices_->live);
}

/// Gives the session its connection, unless its journal refuses; then entry.session stays null.
void Worker::admit(net::ConnectionId connection, Connection& entry,
                   host::HostedSession& session) noexcept {
  if (const base::CodedText refusal = session.connection_refusal(); !refusal.empty()) {
    refuse(connection, entry, refusal);
    return;
  }
  leave_waiting(connection, entry);
  entry.session = &session;
  // A session may close its connection itself, and then only reports that it is down.
  places_[session.number()].address_place = std::move(entry.peer_info.place);
  session.on_connected(connection);
}

// --- A second connection for a session that has one ---

/// False: it must not wait.
bool Worker::wait_for_probe(net::ConnectionId connection, host::HostedSession& session) noexcept {
  SessionPlace& place = places_[session.number()];
  if (session.settings().second_logon != config::SecondLogon::Probe || place.newcomer ||
      !session.may_probe()) {
    return false;
  }
  place.newcomer = connection;
  reactor_->pause_reading(connection);  // Its Logon stays in the buffer until judged.
  timers_.set_probe(
      static_cast<std::uint32_t>(session.number()),
      now_.steady_ns + session.settings().second_logon_probe_milliseconds * base::ns_per_ms);
  session.probe();
  return true;
}

/// Ends probes whose time is over without a message on the first connection.
void Worker::end_probes() noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  while (const std::optional<std::uint32_t> number = timers_.take_due_probe(now_.steady_ns)) {
    host::HostedSession& session = *places_[*number].session;
    const std::int64_t patience_ns =
        session.settings().second_logon_probe_milliseconds * base::ns_per_ms;
    const std::int64_t since_ns = session.answerable_since_ns();
    const std::int64_t due_ns =
        (since_ns == session::no_deadline ? now_.steady_ns : since_ns) + patience_ns;
    if (session.connected() && due_ns > now_.steady_ns) {
      // An answer may be in the buffer, unread.
      timers_.set_probe(*number, due_ns);
      continue;
    }
    report(host::Event::Severity::Warning, session.settings().name,
           "the connection there was is dead; the peer's new one takes its place", "N208");
    if (session.connected()) {
      session.drop_connection({"the peer did not answer, and has connected again", "N208"});
    }
    needs_attention(session);  // This admits the newcomer.
  }
}

void Worker::refuse_newcomer(SessionPlace& place, base::CodedText why) noexcept {
  if (!place.newcomer) {
    return;
  }
  const net::ConnectionId connection = *place.newcomer;
  if (Connection* entry = connections_.find(connection)) {
    refuse(connection, *entry, why);
  }
}

void Worker::admit_newcomer(SessionPlace& place) noexcept {
  const net::ConnectionId connection = *place.newcomer;
  Connection* entry = connections_.find(connection);
  AFFIX_ASSERT(entry != nullptr);
  admit(connection, *entry, *place.session);
  if (entry->session != nullptr) {
    reactor_->resume_reading(connection);
  }
}

// --- Connections whose Logon is not judged yet ---

void Worker::refuse(net::ConnectionId connection, Connection& entry, base::CodedText why) noexcept {
  const std::string peer = std::move(entry.peer_info.peer);
  leave_waiting(connection, entry);
  ConnectionTable::clear(entry);
  reactor_->close(connection);
  if (refusals_.admits(now_.steady_ns)) {
    report(host::Event::Severity::Warning, {}, config::refusal_text(peer, why.text), why.code);
  }
}

void Worker::report_refusals() noexcept {
  if (const std::uint64_t omitted = refusals_.take_omitted(now_.steady_ns); omitted != 0) {
    report(host::Event::Severity::Warning, {}, ReportLimit::OmittedText(omitted).view(), "N212");
  }
}

void Worker::leave_waiting(net::ConnectionId connection, Connection& entry) noexcept {
  if (entry.wanted == nullptr) {
    return;
  }
  SessionPlace& place = places_[entry.wanted->number()];
  if (place.newcomer == connection) {
    place.newcomer.reset();
    timers_.clear_probe(static_cast<std::uint32_t>(entry.wanted->number()));
  }
  entry.wanted = nullptr;
}

void Worker::on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept {
  const Connection* const entry = connections_.find(connection);
  if (entry == nullptr) {
    if (led_group_of(connection) != nullptr) {
      report_node_fault(fault);
    } else if (gate_ != nullptr) {
      gate_->on_tls_fault(connection, fault);
    }
    return;
  }
  const host::HostedSession* const session =
      entry->session != nullptr ? entry->session : entry->wanted;
  report(host::Event::Severity::Warning,
         session != nullptr ? session->settings().name : std::string_view(),
         "TLS: " + std::string(fault.text), fault.code);
}

void Worker::on_transmitted(net::ConnectionId connection, std::uint64_t position,
                            std::int64_t utc_ns) noexcept {
  const Connection* const entry = connections_.find(connection);
  if (entry != nullptr && entry->session != nullptr) {
    entry->session->on_transmitted(position, utc_ns);
  }
}

void Worker::on_drained(net::ConnectionId connection) noexcept {
  Connection* entry = connections_.find(connection);
  if (entry != nullptr && entry->session != nullptr) {
    entry->session->on_drained();
  } else if (host::LedGroup* const led = led_group_of(connection)) {
    led->shipper().on_drained(connection);
  }
}

void Worker::on_closed(net::ConnectionId connection, net::CloseReason reason,
                       int /*error_number*/) noexcept {
  const host::WaitStep step(meter_.waits(), *reactor_, counters::WaitCause::Connection);
  now_ = reactor_->now();
  Connection* entry = connections_.find(connection);
  if (entry == nullptr) {
    if (host::LedGroup* const led = led_group_of(connection)) {
      led->shipper().on_closed(connection);
    } else if (gate_ != nullptr) {
      gate_->on_closed(connection);
    }
    return;
  }
  host::HostedSession* session = entry->session;
  leave_waiting(connection, *entry);
  ConnectionTable::clear(*entry);
  if (session != nullptr) {
    session->on_closed({net::to_text(reason), net::code_of(reason)});
  }
}

void Worker::on_accept_paused(net::ListenerId /*listener*/, net::AcceptPause pause) noexcept {
  if (pause == net::AcceptPause::ReservedDescriptors && gate_ != nullptr) {
    gate_->make_room({net::to_text(pause), net::code_of(pause)}, reactor_->now().steady_ns);
    return;
  }
  report(host::Event::Severity::Error, {}, net::to_text(pause), net::code_of(pause));
}

}  // namespace affix::inline v0::engine
