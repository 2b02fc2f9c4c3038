// SPDX-License-Identifier: MIT
// Handles connections from their acceptance to their first message.
#include "engine/logon_gate.hpp"

#include "affix/base/assert.hpp"
#include "affix/net/proxy_header.hpp"
#include "affix/wire/framer.hpp"

#include "config/address_keys.hpp"
#include "config/instance_options.hpp"
#include "config/tls_groups.hpp"
#include "engine/unknown_peer.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// When there are too many, a connection that has waited this long without a Logon gives way to a
/// new one: a serious peer has sent one by then, and idle connections cannot keep it out. With
/// the listener's rest after each refused connection, the default of 256 cannot be filled faster.
constexpr std::int64_t makes_room_after_ns = 250 * base::ns_per_ms;

}  // namespace

LogonGate::LogonGate(net::Reactor& reactor, tls::TlsReactor* tls, host::Application& application,
                     bool stamped)
    : reactor_(reactor),
      tls_(tls),
      stamped_(stamped),
      application_(application),
      connections_(reactor.options().connections_max),
      index_(std::make_unique_for_overwrite<host::MessageIndex>()) {
  timers_.open(reactor.options().connections_max);
}

std::expected<net::Address, base::Error> LogonGate::listen(
    const config::ServerSettings& settings, std::span<const LogonTarget> targets,
    std::shared_ptr<const tls::TlsEndpoint> endpoint, KeptConnections* kept) {
  const std::string where = config::host_and_port(
      settings.nic_address.empty() ? "*" : settings.nic_address, settings.accept_port);
  const std::string place = "[" + settings.name + "] " + where;
  const auto address = net::Address::parse(where);
  if (!address) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument, address.error().message,
                                       place, address.error().message_code});
  }
  if (config::Problems problems = config::check_address_keys(settings); !problems.empty()) {
    return std::unexpected(std::move(problems.front()));
  }
  net::SocketOptions options = config::socket_options(settings, stamped_);
  options.backlog = static_cast<std::uint32_t>(settings.pending_connection_queue_size);
  AFFIX_ASSERT(endpoint == nullptr || tls_ != nullptr);
  const bool has_tls = endpoint != nullptr;
  auto listening = endpoint != nullptr ? tls_->listen_tls(*address, options, std::move(endpoint))
                                       : listen_plain(settings.name, *address, options, kept);
  if (!listening) {
    base::Error error = std::move(listening.error());
    error.where = place;
    return std::unexpected(std::move(error));
  }
  LogonServer& server = servers_.emplace_back(settings, listening->id, has_tls);
  for (const LogonTarget& target : targets) {
    server.targets().admit(target);
  }
  return listening->address;
}

std::expected<net::Listening, base::Error> LogonGate::listen_plain(
    const std::string& group, const net::Address& address, const net::SocketOptions& options,
    KeptConnections* kept) {
  if (kept == nullptr) {
    return reactor_.listen(address, options);
  }
  std::expected<net::Listening, base::Error> listening;
  if (const auto again = listen_again(group, address, options, *kept)) {
    listening = *again;
  } else {
    kept->drop_listener(group);  // It may hold the address.
    listening = reactor_.listen(address, options);
  }
  if (listening) {
    if (auto duplicate = reactor_.share(listening->id)) {
      kept->hold_listener(group, std::move(*duplicate));
    }
  }
  return listening;
}

/// With the socket of an earlier process, if that listens at this address.
std::optional<net::Listening> LogonGate::listen_again(const std::string& group,
                                                      const net::Address& address,
                                                      const net::SocketOptions& options,
                                                      KeptConnections& kept) {
  auto left = net::Listener::adopt(kept.take_listener(group), options);
  if (!left || (address.port() != 0 && left->local_address() != address)) {
    return std::nullopt;
  }
  const net::Address local = left->local_address();
  const auto id = reactor_.add_listener(std::move(*left));
  return id ? std::optional(net::Listening{*id, local}) : std::nullopt;
}

// --- Changes ---

void LogonGate::carry_out_changes() {
  for (const GateChange& change : changes_.take_posted()) {
    const auto server = std::find_if(servers_.begin(), servers_.end(), [&](const LogonServer& one) {
      return one.name() == change.server;
    });
    AFFIX_ASSERT(server != servers_.end());
    LogonTargets& targets = server->targets();
    for (const host::SessionHandle session : change.withdrawn) {
      targets.withdraw(session);
    }
    for (const LogonTarget& target : change.admitted) {
      targets.withdraw(target.session);
      targets.admit(target);
    }
    if (!change.admitted.empty()) {
      // Whoever was refused for want of these sessions must not make others wait: when a failover
      // group gets a new primary, its peers are at the door.
      server->end_rest();
      reactor_.end_rest(server->listener());
    }
    if (change.settings) {
      server->take_limits(*change.settings);
    }
    if (change.templates) {
      targets.set_templates(*change.templates);
    }
    for (const FailoverSession& one : change.failover) {
      targets.add_failover(*one.settings, one.group);
      primaries_ = change.primaries;
    }
    for (const SessionAnswer& answer : change.answers) {
      take_answer(answer);
    }
  }
}

LogonConnection* LogonGate::find(net::ConnectionId connection) noexcept {
  if (connection.slot >= connections_.size()) {
    return nullptr;
  }
  LogonConnection& found = connections_[connection.slot];
  return found.is(connection) ? &found : nullptr;
}

void LogonGate::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                            const net::Address& peer, std::int64_t now_ns) noexcept {
  const auto server = std::find_if(servers_.begin(), servers_.end(), [&](const LogonServer& one) {
    return one.listener() == listener;
  });
  AFFIX_ASSERT(server != servers_.end());
  LogonConnection& entry = connections_[connection.slot];
  entry.begin(*server, connection, peer, now_ns);
  if (server->is_overfull()) {
    const net::ConnectionId longest = *server->longest();
    const bool makes_room =
        now_ns - connections_[longest.slot].accepted_ns() >= makes_room_after_ns;
    refuse(makes_room ? longest : connection,
           {"too many connections that have not logged on", "N202"});
    if (!makes_room) {
      return;
    }
  }
  timers_.set(connection.slot, now_ns + server->targets().timeout_ns());
  if (entry.phase() != LogonConnection::Phase::ProxyHeader) {
    static_cast<void>(admits_address(connection, entry));
  } else if (tls_ != nullptr) {
    tls_->begin_preamble(connection);
  }
}

// --- Addresses ---

/// Checks that its address is allowed and below the limits; refuses it otherwise.
bool LogonGate::admits_address(net::ConnectionId connection, LogonConnection& entry) noexcept {
  const base::CodedText refusal = entry.check_address();
  if (!refusal.empty()) {
    refuse(connection, refusal);
  }
  return refusal.empty();
}

/// Reads a proxy's header. Returns its size, 0 while it is incomplete; nullopt: refused.
std::optional<std::size_t> LogonGate::read_header(net::ConnectionId connection,
                                                  LogonConnection& entry,
                                                  std::string_view bytes) noexcept {
  const net::ProxyHeader header = net::read_proxy_header(bytes);
  if (header.status == net::ProxyHeaderStatus::Invalid) {
    refuse(connection, {header.fault, "N203"});
    return std::nullopt;
  }
  if (header.status == net::ProxyHeaderStatus::Partial) {
    return 0;
  }
  entry.end_header();
  if (tls_ != nullptr) {
    tls_->end_preamble(connection);
  }
  // A health check of the proxy is no peer: its address is checked if it logs on.
  if (header.is_local) {
    return header.size;
  }
  entry.take_source(header.source);
  return admits_address(connection, entry) ? std::optional(header.size) : std::nullopt;
}

// --- The first message ---

LogonGate::Claim LogonGate::on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept {
  LogonConnection* const entry = find(connection);
  if (entry == nullptr) {
    return {.consumed = bytes.size};
  }
  if (entry->phase() == LogonConnection::Phase::Session) {
    return {};
  }
  if (entry->phase() != LogonConnection::Phase::ProxyHeader) {
    return claim_of(connection, *entry, bytes.view());
  }
  const std::optional<std::size_t> header = read_header(connection, *entry, bytes.view());
  if (!header) {
    return {.consumed = bytes.size};
  }
  // The header is followed by the handshake, which the reactor handles, or by the first message.
  if (entry->phase() == LogonConnection::Phase::ProxyHeader || entry->server().speaks_tls()) {
    return {.consumed = *header};
  }
  Claim claim = claim_of(connection, *entry, bytes.view().substr(*header));
  claim.consumed += *header;
  claim.header = *header;
  return claim;
}

LogonGate::Claim LogonGate::claim_of(net::ConnectionId connection, LogonConnection& entry,
                                     std::string_view bytes) noexcept {
  Claim refused{.consumed = bytes.size()};
  // Every TLS handshake begins like this, and no FIX message does.
  if (bytes.starts_with("\x16\x03")) {
    refuse(connection, {"the peer speaks TLS, and this port does not", "T209"});
    return refused;
  }
  // Else it would be skipped as garbage, and the operator of the proxy would believe that its
  // header is used.
  if (bytes.starts_with(std::string_view("\r\n\r\n\0", 5))) {
    refuse(connection,
           {"a PROXY header, and its address is not in proxy_protocol_addresses", "N203"});
    return refused;
  }
  // The frame's only state is the search position, and so little is searched again each time.
  wire::Framer framer(session::logon_bytes_max);
  std::string_view rest = bytes;
  wire::Frame frame = framer.next(rest);
  if (frame.status == wire::FrameStatus::Skip && frame.error == wire::FrameError::Garbage) {
    rest.remove_prefix(frame.size);
    frame = framer.next(rest);
  }
  const std::size_t skipped = bytes.size() - rest.size();
  const std::size_t skipped_in_all = entry.skip(skipped);
  if (frame.status == wire::FrameStatus::Partial &&
      skipped_in_all + rest.size() < session::logon_bytes_max) {
    return {.consumed = skipped};
  }
  if (frame.status != wire::FrameStatus::Complete) {
    refuse(connection, {"the first bytes are not a Logon", "N204"});
    return refused;
  }
  const std::string_view first = rest.substr(0, frame.size);
  const std::optional<wire::MessageView> logon = logon_of(first);
  LogonTargets& targets = entry.server().targets();
  const std::optional<LogonTarget> target = logon ? targets.target_of(*logon) : std::nullopt;
  if (!target) {
    // Before templates: it has the identity of one session, wherever that runs at present.
    if (const FailoverTarget* const elsewhere =
            logon ? targets.failover_target_of(*logon) : nullptr) {
      refuse(connection, {"session " + elsewhere->session + " belongs to failover group " +
                              elsewhere->group + ", which " + primaries_->text_of(elsewhere->group),
                          "E310"});
      return refused;
    }
    if (logon && request_session(connection, entry, *logon)) {
      // A waiting Logon is not consumed; of a refused one nothing is left to consume.
      return find(connection) != nullptr ? Claim{.consumed = skipped} : refused;
    }
    std::string why;
    if (refusals_.has_room(reactor_.now().steady_ns)) {
      why = logon ? targets.why_none(*logon) : why_no_logon({first, *index_});
    }
    refuse(connection, {why, logon ? base::MessageCode("N206") : base::MessageCode("N205")});
    return refused;
  }
  const Demands demands{std::string(target->session.name()), target->tls_peer, target->allowed};
  if (!admits(connection, entry, demands)) {
    return refused;
  }
  return {.consumed = skipped, .target = target};
}

// --- Sessions that are to be made ---

/// False: no template matches. True: it waits, or was refused.
bool LogonGate::request_session(net::ConnectionId connection, LogonConnection& entry,
                                const wire::MessageView& logon) {
  LogonServer& server = entry.server();
  std::optional<LogonTargets::TemplateMatch> match = server.targets().template_of(logon);
  if (!match) {
    return false;
  }
  if (entry.has_requested_session()) {
    refuse(connection, {"its session is gone", "N210"});
    return true;
  }
  // Before anything is made: a peer without access must not create a session.
  const LogonTemplate& made_from = *match->made_from;
  if (!admits(connection, entry, {made_from.name, made_from.tls_peer, made_from.allowed})) {
    return true;
  }
  entry.await_session();
  reactor_.pause_reading(connection);  // Its Logon stays in the buffer until the answer.
  requests_.add({connection, server.name(), made_from.name, std::move(match->ids)});
  return true;
}

void LogonGate::take_answer(const SessionAnswer& answer) noexcept {
  LogonConnection* const entry = find(answer.connection);
  if (entry == nullptr || !entry->take_answer()) {
    return;  // It has not waited so long.
  }
  if (answer.refusal.empty()) {
    reactor_.resume_reading(answer.connection);
  } else {
    refuse(answer.connection, {answer.refusal, answer.code});
  }
}

/// True if the name proved in the TLS handshake may log on as this session; refuses the connection
/// otherwise.
bool LogonGate::admits(net::ConnectionId connection, LogonConnection& entry,
                       const Demands& demands) noexcept {
  if (entry.has_unchecked_address() && !admits_address(connection, entry)) {
    return false;
  }
  if (demands.allowed != nullptr && !demands.allowed->contains(entry.address())) {
    const std::string why =
        "its address is not in allowed_peer_addresses of session " + demands.name;
    refuse(connection, {why, "N201"});
    return false;
  }
  const tls::TlsPeer* const peer = tls_ != nullptr ? tls_->tls_peer(connection) : nullptr;
  if (const auto right = config::check_peer(demands.name, demands.tls_peer, peer); !right) {
    refuse(connection, {right.error().message, right.error().message_code});
    return false;
  }
  if (peer != nullptr) {
    const std::string text = "connection from " + entry.peer() + " speaks " + peer->text();
    application_.on_event(host::Event{host::Event::Severity::Info, demands.name, text, 0, "T218"});
  }
  return true;
}

/// The message as a Logon, or nullopt. Views the index, until the next call.
std::optional<wire::MessageView> LogonGate::logon_of(std::string_view message) noexcept {
  wire::index_message(message, *index_);
  // The session decides whether the checksum's form matters.
  if (!index_->whole() && index_->defect != wire::MessageDefect::CheckSumFormat) {
    return std::nullopt;
  }
  const wire::MessageView view(message, *index_);
  return view.type() == wire::MsgType("A") ? std::optional(view) : std::nullopt;
}

PeerInfo LogonGate::leave(net::ConnectionId connection) noexcept {
  LogonConnection* const entry = find(connection);
  AFFIX_ASSERT(entry != nullptr);
  timers_.clear(connection.slot);
  return entry->leave();
}

void LogonGate::make_room(base::CodedText why, std::int64_t now_ns) noexcept {
  const LogonConnection* longest = nullptr;
  for (const LogonServer& server : servers_) {
    const std::optional<net::ConnectionId> first = server.longest();
    if (first &&
        (longest == nullptr || connections_[first->slot].accepted_ns() < longest->accepted_ns())) {
      longest = &connections_[first->slot];
    }
  }
  if (refusals_.admits(now_ns)) {
    application_.on_event(host::Event{host::Event::Severity::Error, {}, why.text, 0, why.code});
  }
  if (longest != nullptr && now_ns - longest->accepted_ns() >= makes_room_after_ns) {
    refuse(longest->id(), why);
  }
}

void LogonGate::on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept {
  if (const LogonConnection* const entry = find(connection)) {
    const std::string why = "TLS: " + std::string(fault.text);
    report(entry->peer(), {why, fault.code});
  }
}

void LogonGate::on_closed(net::ConnectionId connection) noexcept {
  if (find(connection) != nullptr) {
    turn_away(connection);
    static_cast<void>(leave(connection));
  }
}

/// A refused connection may be one of thousands a second: accepting them all would take the
/// processor from the sessions. Each one makes its listener pause.
void LogonGate::turn_away(net::ConnectionId connection) noexcept {
  LogonServer& server = find(connection)->server();
  reactor_.rest_listener(server.listener(), server.rest(reactor_.now_again().steady_ns));
}

void LogonGate::refuse(net::ConnectionId connection, base::CodedText why) noexcept {
  turn_away(connection);
  const PeerInfo peer_info = leave(connection);
  reactor_.close(connection);
  report(peer_info.peer, why);
}

void LogonGate::report(const std::string& peer, base::CodedText why) noexcept {
  if (refusals_.admits(reactor_.now().steady_ns)) {
    const std::string text = config::refusal_text(peer, why.text);
    application_.on_event(host::Event{host::Event::Severity::Warning, {}, text, 0, why.code});
  }
}

void LogonGate::close_late(std::int64_t now_ns) noexcept {
  while (timers_.nearest_ns() <= now_ns) {
    refuse(connections_[timers_.nearest_slot()].id(), {"no Logon in time", "N204"});
  }
  if (const std::uint64_t omitted = refusals_.take_omitted(now_ns); omitted != 0) {
    const ReportLimit::OmittedText text(omitted);
    application_.on_event(host::Event{host::Event::Severity::Warning, {}, text.view(), 0, "N212"});
  }
}

void LogonGate::stop() noexcept {
  for (const LogonServer& server : servers_) {
    reactor_.remove_listener(server.listener());
  }
}

}  // namespace affix::inline v0::engine
