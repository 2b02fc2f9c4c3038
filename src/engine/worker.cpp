// SPDX-License-Identifier: MIT
// The worker's turn, and the events of its reactor.
#include "engine/worker.hpp"

#include "affix/net/clock.hpp"

#include "engine/identity.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

// --- The turn ---

bool Worker::poll(std::int64_t wait_until_ns) noexcept {
  in_turn_ = true;
  now_ = net::now();
  if (!std::exchange(redelivered_, true)) {
    redeliver();
  }
  net::Wait wait = wait_;
  wait.deadline_ns = work_waits_ ? 0 : std::min(wait_until_ns, next_deadline());
  const net::Turn turn = reactor_->poll(now_, wait, *this);
  now_ = net::now();
  run_timers();
  close_late_logons();
  attend_sessions();
  in_turn_ = false;
  return turn.events != 0 || turn.woken || work_waits_;
}

std::int64_t Worker::next_deadline() const noexcept {
  const std::int64_t logon = waiting_.empty() ? never_ns : waiting_.front().deadline_ns;
  return std::min(deadlines_.next(), logon);
}

void Worker::redeliver() noexcept {
  for (Place& place : places_) {
    place.session->redeliver();
    if (place.dialer) {
      place.dialer->start(now_.steady_ns);
    }
    deadlines_.update(place.session->number(), now_.steady_ns);
  }
}

void Worker::run_timers() noexcept {
  while (const std::optional<std::size_t> due = deadlines_.pop_due(now_.steady_ns)) {
    Place& place = places_[*due];
    if (place.dialer && place.dialer->next_attempt_ns() <= now_.steady_ns) {
      dial(place);
    }
    if (place.session->deadline() <= now_.steady_ns) {
      place.session->on_time();
    }
    needs_attention(*place.session);
  }
}

void Worker::close_late_logons() noexcept {
  while (!waiting_.empty() && waiting_.front().deadline_ns <= now_.steady_ns) {
    const net::ConnectionId connection = waiting_.front().connection;
    waiting_.pop_front();
    Connection* entry = find(connection);
    if (entry != nullptr && entry->session == nullptr) {
      refuse(connection, *entry, "no Logon in time");
    }
  }
}

void Worker::attend_sessions() noexcept {
  // Attending may ask for attention anew; that is for this turn too. A session with more to do than
  // one look allows waits for the next turn, so that others have theirs.
  while (!attention_.empty()) {
    attending_.swap(attention_);
    for (HostedSession* session : attending_) {
      session->set_attended(false);
      if (session->attend()) {
        again_.push_back(session);
      }
      preparation_waits_ = preparation_waits_ || session->journal().needs_preparation();
      const Place& place = places_[session->number()];
      std::int64_t deadline = session->deadline();
      if (place.dialer) {
        deadline = std::min(deadline, place.dialer->next_attempt_ns());
      }
      deadlines_.update(session->number(), deadline);
    }
    attending_.clear();
  }
  work_waits_ = !again_.empty();
  for (HostedSession* session : again_) {
    needs_attention(*session);
  }
  again_.clear();
}

void Worker::needs_attention(HostedSession& session) noexcept {
  if (!session.attended()) {
    session.set_attended(true);
    attention_.push_back(&session);
  }
}

base::Now Worker::now() noexcept {
  if (!in_turn_) {
    now_ = net::now();
  }
  return now_;
}

void Worker::report(Event::Severity severity, std::string_view session,
                    std::string_view text) noexcept {
  application_.on_event(Event{severity, session, text});
}

// --- Initiators ---

void Worker::dial(Place& place) noexcept {
  HostedSession& session = *place.session;
  if (session.connected() || place.dialing) {
    return;
  }
  if (const std::string_view refusal = session.journal_refusal(); !refusal.empty()) {
    report(Event::Severity::Error, session.settings().name, refusal);
    place.dialer->on_down(now_.steady_ns);
    return;
  }
  const net::Address& address = place.dialer->begin_attempt();
  const auto connection = reactor_->connect(address, place.client->socket,
                                            now_.steady_ns + place.client->connect_timeout_ns);
  if (!connection) {
    report(Event::Severity::Error, session.settings().name, connection.error().message);
    place.dialer->on_down(now_.steady_ns);
    return;
  }
  place.dialing = *connection;
  Connection& entry = enter(*connection);
  entry.session = &session;
}

void Worker::on_connected(net::ConnectionId connection) noexcept {
  now_ = net::now();
  if (Connection* entry = find(connection)) {
    places_[entry->session->number()].dialing.reset();
    entry->session->on_connected(connection);
  }
}

void Worker::on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                               int /*error_number*/) noexcept {
  now_ = net::now();
  Connection* entry = find(connection);
  if (entry == nullptr) {
    return;
  }
  HostedSession& session = *entry->session;
  *entry = {};
  Place& place = places_[session.number()];
  place.dialing.reset();
  place.dialer->on_down(now_.steady_ns);
  report(Event::Severity::Warning, session.settings().name, net::to_text(failure));
  needs_attention(session);
}

void Worker::connect(HostedSession& session) noexcept {
  Place& place = places_[session.number()];
  if (place.dialer && !session.connected() && !place.dialing) {
    place.dialer->set_wanted(true);
    place.dialer->start(now().steady_ns);
    deadlines_.update(session.number(), place.dialer->next_attempt_ns());
  }
}

void Worker::log_out(HostedSession& session, std::string_view text) noexcept {
  Place& place = places_[session.number()];
  if (place.dialer) {
    place.dialer->set_wanted(false);
    if (place.dialing) {
      reactor_->close(*place.dialing);
      if (Connection* entry = find(*place.dialing)) {
        *entry = {};
      }
      place.dialing.reset();
    }
  }
  session.logout(text);
}

void Worker::log_out_all(std::string_view text) noexcept {
  for (Server& server : servers_) {
    reactor_->remove_listener(server.listener);
  }
  for (Place& place : places_) {
    log_out(*place.session, text);
  }
}

bool Worker::dialing(const HostedSession& session) const noexcept {
  const Place& place = places_[session.number()];
  return place.dialing.has_value() || (place.dialer && place.dialer->wanted());
}

bool Worker::all_down() const noexcept {
  return std::none_of(places_.begin(), places_.end(), [this](const Place& place) {
    return place.session->connected() || dialing(*place.session);
  });
}

void Worker::on_session_up(HostedSession& session) noexcept {
  if (Place& place = places_[session.number()]; place.dialer) {
    place.dialer->on_logged_on();
  }
}

void Worker::on_session_down(HostedSession& session) noexcept {
  if (Place& place = places_[session.number()]; place.dialer) {
    place.dialer->on_down(now_.steady_ns);
  }
  needs_attention(session);
}

// --- Connections ---

Worker::Connection* Worker::find(net::ConnectionId connection) noexcept {
  if (connection.slot >= connections_.size() ||
      connections_[connection.slot].generation != connection.generation) {
    return nullptr;
  }
  return &connections_[connection.slot];
}

Worker::Connection& Worker::enter(net::ConnectionId connection) {
  Connection& entry = connections_[connection.slot];
  entry = {};
  entry.generation = connection.generation;
  return entry;
}

void Worker::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                         const net::Address& peer) noexcept {
  now_ = net::now();
  Connection& entry = enter(connection);
  entry.peer = peer.text();
  const auto server = std::find_if(servers_.begin(), servers_.end(),
                                   [&](const Server& one) { return one.listener == listener; });
  AFFIX_ASSERT(server != servers_.end());
  entry.server = &*server;
  ++server->before_logon;
  if (server->before_logon > server->before_logon_max) {
    refuse(connection, entry, "too many connections that have not logged on");
    return;
  }
  waiting_.push_back({now_.steady_ns + logon_timeout_ns_, connection});
}

std::size_t Worker::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  now_ = net::now();
  Connection* entry = find(connection);
  if (entry == nullptr) {
    return bytes.size;
  }
  if (entry->session == nullptr) {
    return first_bytes(connection, *entry, bytes);
  }
  return entry->session->on_bytes(bytes, *index_);
}

std::size_t Worker::first_bytes(net::ConnectionId connection, Connection& entry,
                                base::PaddedBytes bytes) noexcept {
  // The frame's only state is where to go on searching, and so little is searched anew each time.
  wire::Framer framer(session::logon_bytes_max);
  const wire::Frame frame = framer.next(bytes.view());
  if (frame.status == wire::FrameStatus::Partial && bytes.size < session::logon_bytes_max) {
    return 0;
  }
  if (frame.status != wire::FrameStatus::Complete) {
    refuse(connection, entry, "the first bytes are no Logon");
    return bytes.size;
  }
  HostedSession* session = session_for(entry, bytes.view().substr(0, frame.size));
  if (session == nullptr) {
    refuse(connection, entry, "the first message is no Logon for a session of ours");
    return bytes.size;
  }
  if (session->connected()) {
    // Test case 1S b: the connection that is there is not disturbed.
    refuse(connection, entry, "a second connection for a session that has one");
    return bytes.size;
  }
  if (const std::string_view refusal = session->journal_refusal(); !refusal.empty()) {
    refuse(connection, entry, refusal);
    return bytes.size;
  }
  leave_waiting(entry);
  entry.session = session;
  session->on_connected(connection);
  return session->on_bytes(bytes, *index_);
}

HostedSession* Worker::session_for(Connection& entry, std::string_view message) noexcept {
  wire::index_message(message, *index_);
  if (!index_->whole()) {
    return nullptr;
  }
  const wire::MessageView view(message, *index_);
  if (view.type() != wire::MsgType("A")) {
    return nullptr;
  }
  const auto found = entry.server->sessions.find(identity_key(view));
  return found == entry.server->sessions.end() ? nullptr : found->second;
}

void Worker::refuse(net::ConnectionId connection, Connection& entry,
                    std::string_view why) noexcept {
  std::string text = "connection from " + entry.peer + " closed: ";
  text += why;
  leave_waiting(entry);
  entry = {};
  reactor_->close(connection);
  report(Event::Severity::Warning, {}, text);
}

void Worker::leave_waiting(Connection& entry) noexcept {
  if (entry.server != nullptr) {
    --entry.server->before_logon;
    entry.server = nullptr;
  }
}

void Worker::on_drained(net::ConnectionId connection) noexcept {
  Connection* entry = find(connection);
  if (entry != nullptr && entry->session != nullptr) {
    entry->session->on_drained();
  }
}

void Worker::on_closed(net::ConnectionId connection, net::CloseReason reason,
                       int /*error_number*/) noexcept {
  now_ = net::now();
  Connection* entry = find(connection);
  if (entry == nullptr) {
    return;
  }
  HostedSession* session = entry->session;
  leave_waiting(*entry);
  *entry = {};
  if (session != nullptr) {
    session->on_closed(net::to_text(reason));
  }
}

void Worker::on_accept_paused(net::ListenerId /*listener*/, net::AcceptPause pause) noexcept {
  report(Event::Severity::Error, {}, net::to_text(pause));
}

// --- Journals ---

bool Worker::prepare_journals() noexcept {
  bool did = false;
  for (Place& place : places_) {
    if (place.session->journal().needs_preparation()) {
      did = place.session->journal().prepare().has_value() || did;
    }
  }
  return did;
}

bool Worker::take_preparation_request() noexcept {
  return std::exchange(preparation_waits_, false);
}

}  // namespace affix::inline v0::engine
