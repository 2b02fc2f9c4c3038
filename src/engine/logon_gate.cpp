// SPDX-License-Identifier: MIT
// Connections from their acceptance to their first message.
#include "engine/logon_gate.hpp"

#include "affix/base/assert.hpp"
#include "affix/wire/framer.hpp"

#include "engine/identity.hpp"
#include "engine/instance_options.hpp"
#include "engine/tls_groups.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

LogonGate::LogonGate(net::Reactor& reactor, net::TlsReactor* tls, Application& application)
    : reactor_(reactor),
      tls_(tls),
      application_(application),
      connections_(reactor.options().connections_max),
      index_(std::make_unique_for_overwrite<MessageIndex>()) {
  timers_.open(reactor.options().connections_max);
}

std::expected<net::Address, base::Error> LogonGate::listen(
    const ServerSettings& settings, std::span<const Target> targets,
    std::shared_ptr<const net::TlsEndpoint> endpoint) {
  const std::string where = host_and_port(settings.nic_address.empty() ? "*" : settings.nic_address,
                                          settings.accept_port);
  const std::string place = "[" + settings.name + "] " + where;
  const auto address = net::Address::parse(where);
  if (!address) {
    return std::unexpected(
        base::Error{base::ErrorCode::InvalidArgument, address.error().message, place});
  }
  net::SocketOptions options = socket_options(settings);
  options.backlog = static_cast<std::uint32_t>(settings.pending_connection_queue_size);
  AFFIX_ASSERT(endpoint == nullptr || tls_ != nullptr);
  auto listening = endpoint != nullptr ? tls_->listen_tls(*address, options, std::move(endpoint))
                                       : reactor_.listen(*address, options);
  if (!listening) {
    base::Error error = std::move(listening.error());
    error.where = place;
    return std::unexpected(std::move(error));
  }
  Server& server = servers_.emplace_back();
  server.name = settings.name;
  server.listener = listening->id;
  take_limits(server, settings);
  for (const Target& target : targets) {
    admit(server, target);
  }
  if (settings.accept_timeout_seconds != 0) {
    server.logon_timeout_ns = settings.accept_timeout_seconds * base::ns_per_second;
  }
  return listening->address;
}

// --- Changes ---

void LogonGate::take_limits(Server& server, const ServerSettings& settings) {
  server.before_logon_max = static_cast<std::size_t>(settings.max_connections_before_logon);
}

void LogonGate::admit(Server& server, const Target& target) {
  const SessionHandle session = target.session;
  server.sessions.emplace(
      identity_key(session.begin_string(), session.sender_comp_id(), session.target_comp_id()),
      target);
  // Never shorter again: of the sessions that came and went one had so much patience.
  server.logon_timeout_ns = std::max(server.logon_timeout_ns, target.logon_timeout_ns);
}

void LogonGate::withdraw(Server& server, SessionHandle session) {
  std::erase_if(server.sessions,
                [session](const auto& entry) { return entry.second.session == session; });
}

void LogonGate::post(Change change) {
  const std::lock_guard guard(changes_mutex_);
  posted_.push_back(std::move(change));
  has_posted_.store(true, std::memory_order_release);
}

void LogonGate::carry_out_changes() {
  std::vector<Change> changes;
  {
    const std::lock_guard guard(changes_mutex_);
    has_posted_.store(false, std::memory_order_relaxed);
    changes.swap(posted_);
  }
  for (const Change& change : changes) {
    const auto server = std::find_if(servers_.begin(), servers_.end(),
                                     [&](const Server& one) { return one.name == change.server; });
    AFFIX_ASSERT(server != servers_.end());
    for (const SessionHandle session : change.withdrawn) {
      withdraw(*server, session);
    }
    for (const Target& target : change.admitted) {
      withdraw(*server, target.session);
      admit(*server, target);
    }
    if (change.settings) {
      take_limits(*server, *change.settings);
    }
  }
}

LogonGate::Connection* LogonGate::find(net::ConnectionId connection) noexcept {
  if (connection.slot >= connections_.size()) {
    return nullptr;
  }
  Connection& found = connections_[connection.slot];
  return found.server != nullptr && found.generation == connection.generation ? &found : nullptr;
}

void LogonGate::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                            const net::Address& peer, std::int64_t now_ns) noexcept {
  const auto server = std::find_if(servers_.begin(), servers_.end(),
                                   [&](const Server& one) { return one.listener == listener; });
  AFFIX_ASSERT(server != servers_.end());
  Connection& entry = connections_[connection.slot];
  entry.generation = connection.generation;
  entry.server = &*server;
  entry.peer = peer.text();
  ++server->before_logon;
  if (server->before_logon > server->before_logon_max) {
    refuse(connection, "too many connections that have not logged on");
    return;
  }
  timers_.set(connection.slot, now_ns + server->logon_timeout_ns);
}

LogonGate::Claim LogonGate::on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept {
  Connection* const entry = find(connection);
  if (entry == nullptr) {
    return {.consumed = bytes.size};
  }
  // What every TLS handshake begins with, and no FIX message.
  if (bytes.view().starts_with("\x16\x03")) {
    refuse(connection, "the peer speaks TLS, and this port does not");
    return {.consumed = bytes.size};
  }
  // The frame's only state is where to go on searching, and so little is searched anew each time.
  wire::Framer framer(session::logon_bytes_max);
  std::string_view rest = bytes.view();
  wire::Frame frame = framer.next(rest);
  if (frame.status == wire::FrameStatus::Skip && frame.error == wire::FrameError::Garbage) {
    rest.remove_prefix(frame.size);
    frame = framer.next(rest);
  }
  const std::size_t skipped = bytes.size - rest.size();
  if (frame.status == wire::FrameStatus::Partial && rest.size() < session::logon_bytes_max) {
    return {.consumed = skipped};
  }
  if (frame.status != wire::FrameStatus::Complete) {
    refuse(connection, "the first bytes are no Logon");
    return {.consumed = bytes.size};
  }
  const std::optional<Target> target = target_of(*entry->server, rest.substr(0, frame.size));
  if (!target) {
    refuse(connection, "the first message is no Logon for a session of ours");
    return {.consumed = bytes.size};
  }
  if (!admits(connection, *entry, *target)) {
    return {.consumed = bytes.size};
  }
  return {.consumed = skipped, .target = target};
}

/// Whether who has proved its name in the TLS handshake may log on as this session; refuses it
/// otherwise.
bool LogonGate::admits(net::ConnectionId connection, const Connection& entry,
                       const Target& target) noexcept {
  const net::TlsPeer* const peer = tls_ != nullptr ? tls_->tls_peer(connection) : nullptr;
  if (const std::string why =
          peer_refusal(std::string(target.session.name()), target.tls_peer, peer);
      !why.empty()) {
    refuse(connection, why);
    return false;
  }
  if (peer != nullptr) {
    const std::string text = "connection from " + entry.peer + " speaks " + peer->text();
    application_.on_event(Event{Event::Severity::Info, target.session.name(), text});
  }
  return true;
}

std::optional<LogonGate::Target> LogonGate::target_of(const Server& server,
                                                      std::string_view message) noexcept {
  wire::index_message(message, *index_);
  // Whether the checksum's form matters is the session's to say.
  if (!index_->whole() && index_->defect != wire::MessageDefect::CheckSumFormat) {
    return std::nullopt;
  }
  const wire::MessageView view(message, *index_);
  if (view.type() != wire::MsgType("A")) {
    return std::nullopt;
  }
  const auto [begin, end] = server.sessions.equal_range(identity_key(view));
  std::optional<Target> best;
  int best_fit = -1;
  for (auto candidate = begin; candidate != end; ++candidate) {
    const int fit = identity_fit(candidate->second.finer, view);
    if (fit > best_fit) {
      best = candidate->second;
      best_fit = fit;
    }
  }
  return best;
}

std::string LogonGate::leave(net::ConnectionId connection) noexcept {
  Connection* const entry = find(connection);
  AFFIX_ASSERT(entry != nullptr);
  --entry->server->before_logon;
  entry->server = nullptr;
  timers_.clear(connection.slot);
  return std::exchange(entry->peer, {});
}

void LogonGate::on_tls_fault(net::ConnectionId connection, std::string_view text) noexcept {
  if (const Connection* const entry = find(connection)) {
    tell(entry->peer, "TLS: " + std::string(text));
  }
}

void LogonGate::on_closed(net::ConnectionId connection) noexcept {
  if (find(connection) != nullptr) {
    static_cast<void>(leave(connection));
  }
}

void LogonGate::refuse(net::ConnectionId connection, std::string_view why) noexcept {
  const std::string peer = leave(connection);
  reactor_.close(connection);
  tell(peer, why);
}

void LogonGate::tell(const std::string& peer, std::string_view why) noexcept {
  if (refusals_.admits(reactor_.now().steady_ns)) {
    const std::string text = refusal_text(peer, why);
    application_.on_event(Event{Event::Severity::Warning, {}, text});
  }
}

void LogonGate::close_late(std::int64_t now_ns) noexcept {
  while (timers_.nearest_ns() <= now_ns) {
    const std::uint32_t slot = timers_.nearest_slot();
    refuse({slot, connections_[slot].generation}, "no Logon in time");
  }
  if (const std::uint64_t omitted = refusals_.take_omitted(now_ns); omitted != 0) {
    const ReportLimit::OmittedText text(omitted);
    application_.on_event(Event{Event::Severity::Warning, {}, text.view()});
  }
}

void LogonGate::stop() noexcept {
  for (const Server& server : servers_) {
    reactor_.remove_listener(server.listener);
  }
}

}  // namespace affix::inline v0::engine
