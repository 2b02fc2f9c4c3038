// SPDX-License-Identifier: MIT
// Handles connections from their acceptance to their first message.
#include "engine/logon_gate.hpp"

#include "affix/base/assert.hpp"
#include "affix/net/proxy_header.hpp"
#include "affix/wire/framer.hpp"

#include "config/address_keys.hpp"
#include "config/identity.hpp"
#include "config/instance_options.hpp"
#include "config/tls_groups.hpp"
#include "engine/unknown_peer.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// When there are too many, a connection that has waited this long without a Logon gives way to a
/// new one: a serious peer has sent one by then, and idle connections cannot keep it out. With
/// `rest_ns` after each refused connection, the default of 256 cannot be filled faster.
constexpr std::int64_t makes_room_after_ns = 250 * base::ns_per_ms;

/// Pause of the listener after each refused connection: an accept takes some 50 us, so that a flood
/// takes at most a fortieth of a processor.
constexpr std::int64_t rest_ns = 2 * base::ns_per_ms;
constexpr std::int64_t longest_rest_ns = 100 * base::ns_per_ms;

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

LogonGate::Target LogonGate::target_for(host::SessionHandle session,
                                        const config::SessionSettings& settings) {
  Target target{.session = session,
                .finer = config::finer_ids(settings),
                .tls_peer = settings.tls_peer,
                .logon_timeout_ns = settings.logon_timeout_seconds * base::ns_per_second};
  if (!settings.allowed_peer_addresses.empty()) {
    // check_session() has validated the set.
    target.allowed = std::make_shared<const net::AddressSet>(
        config::address_set_of(settings.allowed_peer_addresses).value_or(net::AddressSet()));
  }
  return target;
}

LogonGate::Template LogonGate::template_for(const config::SessionSettings& settings) {
  Target target = target_for({}, settings);
  return {.name = settings.name,
          .patterns = config::ids_of(settings),
          .tls_peer = std::move(target.tls_peer),
          .allowed = std::move(target.allowed),
          .logon_timeout_ns = target.logon_timeout_ns};
}

std::expected<net::Address, base::Error> LogonGate::listen(
    const config::ServerSettings& settings, std::span<const Target> targets,
    std::shared_ptr<const tls::TlsEndpoint> endpoint) {
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
                                       : reactor_.listen(*address, options);
  if (!listening) {
    base::Error error = std::move(listening.error());
    error.where = place;
    return std::unexpected(std::move(error));
  }
  Server& server = servers_.emplace_back();
  server.name = settings.name;
  server.listener = listening->id;
  server.speaks_tls = has_tls;
  take_limits(server, settings);
  for (const Target& target : targets) {
    admit(server, target);
  }
  if (settings.accept_timeout_seconds != 0) {
    server.fixed_patience = true;
    server.logon_timeout_ns = settings.accept_timeout_seconds * base::ns_per_second;
  }
  return listening->address;
}

// --- Changes ---

void LogonGate::take_limits(Server& server, const config::ServerSettings& settings) {
  server.before_logon_max = static_cast<std::size_t>(settings.max_connections_before_logon);
  server.per_address = {
      .all = static_cast<std::size_t>(settings.max_connections_per_address),
      .before_logon = static_cast<std::size_t>(settings.max_connections_before_logon_per_address)};
  // The callers have validated the sets.
  server.allowed = config::address_set_of(settings.allowed_addresses).value_or(net::AddressSet());
  server.proxies =
      config::address_set_of(settings.proxy_protocol_addresses).value_or(net::AddressSet());
}

void LogonGate::admit(Server& server, const Target& target) {
  const host::SessionHandle session = target.session;
  server.sessions.emplace(config::identity_key(session.begin_string(), session.sender_comp_id(),
                                               session.target_comp_id()),
                          target);
  grow_patience(server, target.logon_timeout_ns);
}

/// Never shortened again: one of the earlier or present sessions had this timeout.
void LogonGate::grow_patience(Server& server, std::int64_t logon_timeout_ns) {
  if (!server.fixed_patience) {
    server.logon_timeout_ns = std::max(server.logon_timeout_ns, logon_timeout_ns);
  }
}

void LogonGate::withdraw(Server& server, host::SessionHandle session) {
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
    for (const host::SessionHandle session : change.withdrawn) {
      withdraw(*server, session);
    }
    for (const Target& target : change.admitted) {
      withdraw(*server, target.session);
      admit(*server, target);
    }
    if (change.settings) {
      take_limits(*server, *change.settings);
    }
    if (change.templates) {
      server->templates = *change.templates;
      for (const Template& one : server->templates) {
        grow_patience(*server, one.logon_timeout_ns);
      }
    }
    for (const Answer& answer : change.answers) {
      take_answer(answer);
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
  entry.address = peer;
  entry.address_judged = false;
  entry.awaits_session = false;
  entry.wished = false;
  entry.skipped_bytes = 0;
  entry.visitor.peer = peer.text();
  entry.accepted_ns = now_ns;
  entry.in_line = server->before_logon.insert(server->before_logon.end(), connection);
  if (server->before_logon.size() > server->before_logon_max) {
    const net::ConnectionId longest = server->before_logon.front();
    const bool makes_room = now_ns - connections_[longest.slot].accepted_ns >= makes_room_after_ns;
    refuse(makes_room ? longest : connection,
           {"too many connections that have not logged on", "N202"});
    if (!makes_room) {
      return;
    }
  }
  timers_.set(connection.slot, now_ns + server->logon_timeout_ns);
  entry.awaits_header = server->proxies.contains(peer);
  if (!entry.awaits_header) {
    static_cast<void>(admits_address(connection, entry));
  } else if (tls_ != nullptr) {
    tls_->begin_preamble(connection);
  }
}

// --- Addresses ---

/// Checks that its address is allowed and below the limits; refuses it otherwise.
bool LogonGate::admits_address(net::ConnectionId connection, Connection& entry) noexcept {
  entry.address_judged = true;
  const Server& server = *entry.server;
  if (!server.allowed.empty() && !server.allowed.contains(entry.address)) {
    refuse(connection, {"its address is none of allowed_addresses", "N201"});
    return false;
  }
  AddressCounts::Entry counted = server.addresses->enter(entry.address, server.per_address);
  if (!counted.refusal.empty()) {
    refuse(connection, {counted.refusal, "N202"});
    return false;
  }
  entry.visitor.place = std::move(counted.place);
  return true;
}

/// Reads a proxy's header. Returns its size, 0 while it is incomplete; nullopt: refused.
std::optional<std::size_t> LogonGate::read_header(net::ConnectionId connection, Connection& entry,
                                                  std::string_view bytes) noexcept {
  const net::ProxyHeader header = net::read_proxy_header(bytes);
  if (header.status == net::ProxyHeaderStatus::Invalid) {
    refuse(connection, {header.fault, "N203"});
    return std::nullopt;
  }
  if (header.status == net::ProxyHeaderStatus::Partial) {
    return 0;
  }
  entry.awaits_header = false;
  if (tls_ != nullptr) {
    tls_->end_preamble(connection);
  }
  // A health check of the proxy is no peer: its address is checked if it logs on.
  if (!header.is_local) {
    entry.visitor.peer = header.source.text() + " by way of " + entry.visitor.peer;
    entry.address = header.source;
    if (!admits_address(connection, entry)) {
      return std::nullopt;
    }
  }
  return header.size;
}

// --- The first message ---

LogonGate::Claim LogonGate::on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept {
  Connection* const entry = find(connection);
  if (entry == nullptr) {
    return {.consumed = bytes.size};
  }
  if (entry->awaits_session) {
    return {};
  }
  if (!entry->awaits_header) {
    return claim_of(connection, *entry, bytes.view());
  }
  const std::optional<std::size_t> header = read_header(connection, *entry, bytes.view());
  if (!header) {
    return {.consumed = bytes.size};
  }
  // The header is followed by the handshake, which the reactor handles, or by the first message.
  if (entry->awaits_header || entry->server->speaks_tls) {
    return {.consumed = *header};
  }
  Claim claim = claim_of(connection, *entry, bytes.view().substr(*header));
  claim.consumed += *header;
  claim.header = *header;
  return claim;
}

LogonGate::Claim LogonGate::claim_of(net::ConnectionId connection, Connection& entry,
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
           {"a PROXY header, and its address is none of proxy_protocol_addresses", "N203"});
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
  entry.skipped_bytes += skipped;
  if (frame.status == wire::FrameStatus::Partial &&
      entry.skipped_bytes + rest.size() < session::logon_bytes_max) {
    return {.consumed = skipped};
  }
  if (frame.status != wire::FrameStatus::Complete) {
    refuse(connection, {"the first bytes are no Logon", "N204"});
    return refused;
  }
  const std::string_view first = rest.substr(0, frame.size);
  const std::optional<wire::MessageView> logon = logon_of(first);
  const std::optional<Target> target = logon ? target_of(*entry.server, *logon) : std::nullopt;
  if (!target) {
    if (logon && wish_for_session(connection, entry, *logon)) {
      // A waiting Logon is not consumed; of a refused one nothing is left to consume.
      return find(connection) != nullptr ? Claim{.consumed = skipped} : refused;
    }
    const std::string why = refusals_.has_room(reactor_.now().steady_ns)
                                ? why_refused(*entry.server, {first, *index_}, logon.has_value())
                                : std::string();
    if (logon) {
      refuse(connection, {why, "N206"});
    } else {
      refuse(connection, {why, "N205"});
    }
    return refused;
  }
  const Demands demands{std::string(target->session.name()), target->tls_peer, target->allowed};
  if (!admits(connection, entry, demands)) {
    return refused;
  }
  return {.consumed = skipped, .target = target};
}

std::string LogonGate::why_refused(const Server& server, const wire::MessageView& first,
                                   bool is_logon) {
  if (!is_logon) {
    return why_no_logon(first);
  }
  std::vector<host::SessionHandle> sessions;
  sessions.reserve(server.sessions.size());
  for (const auto& [key, target] : server.sessions) {
    sessions.push_back(target.session);
  }
  std::vector<config::SessionIds> templates;
  templates.reserve(server.templates.size());
  for (const Template& one : server.templates) {
    templates.push_back(one.patterns);
  }
  return why_no_session(first, sessions, templates);
}

// --- Sessions that are to be made ---

/// False: no template matches. True: it waits, or was refused.
bool LogonGate::wish_for_session(net::ConnectionId connection, Connection& entry,
                                 const wire::MessageView& logon) {
  const std::vector<Template>& templates = entry.server->templates;
  for (const Template& one : templates) {
    std::optional<config::SessionIds> ids = config::ids_for(one.patterns, logon);
    if (!ids) {
      continue;
    }
    if (entry.wished) {
      refuse(connection, {"its session is gone", "N210"});
      return true;
    }
    // Before anything is made: a peer without access must not create a session.
    if (!admits(connection, entry, {one.name, one.tls_peer, one.allowed})) {
      return true;
    }
    entry.wished = true;
    entry.awaits_session = true;
    reactor_.pause_reading(connection);  // Its Logon stays in the buffer until the answer.
    const std::lock_guard guard(changes_mutex_);
    wishes_.push_back({connection, entry.server->name, one.name, std::move(*ids)});
    has_wishes_.store(true, std::memory_order_release);
    wish_to_tell_ = true;
    return true;
  }
  return false;
}

std::vector<LogonGate::Wish> LogonGate::take_wishes() {
  const std::lock_guard guard(changes_mutex_);
  has_wishes_.store(false, std::memory_order_relaxed);
  return std::exchange(wishes_, {});
}

void LogonGate::take_answer(const Answer& answer) noexcept {
  Connection* const entry = find(answer.connection);
  if (entry == nullptr || !std::exchange(entry->awaits_session, false)) {
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
bool LogonGate::admits(net::ConnectionId connection, Connection& entry,
                       const Demands& demands) noexcept {
  if (!entry.address_judged && !admits_address(connection, entry)) {
    return false;
  }
  if (demands.allowed != nullptr && !demands.allowed->contains(entry.address)) {
    const std::string why =
        "its address is none of allowed_peer_addresses of session " + demands.name;
    refuse(connection, {why, "N201"});
    return false;
  }
  const tls::TlsPeer* const peer = tls_ != nullptr ? tls_->tls_peer(connection) : nullptr;
  if (const std::string why = config::peer_refusal(demands.name, demands.tls_peer, peer);
      !why.empty()) {
    refuse(connection, {why, "T206"});
    return false;
  }
  if (peer != nullptr) {
    const std::string text = "connection from " + entry.visitor.peer + " speaks " + peer->text();
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

std::optional<LogonGate::Target> LogonGate::target_of(const Server& server,
                                                      const wire::MessageView& logon) noexcept {
  const auto [begin, end] = server.sessions.equal_range(config::identity_key(logon));
  std::optional<Target> best;
  int best_fit = -1;
  for (auto candidate = begin; candidate != end; ++candidate) {
    const int fit = config::identity_fit(candidate->second.finer, logon);
    if (fit > best_fit) {
      best = candidate->second;
      best_fit = fit;
    }
  }
  return best;
}

Visitor LogonGate::leave(net::ConnectionId connection) noexcept {
  Connection* const entry = find(connection);
  AFFIX_ASSERT(entry != nullptr);
  entry->server->before_logon.erase(entry->in_line);
  entry->server = nullptr;
  timers_.clear(connection.slot);
  entry->visitor.place.pass_gate();
  return std::exchange(entry->visitor, {});
}

void LogonGate::make_room(base::CodedText why, std::int64_t now_ns) noexcept {
  const Connection* longest = nullptr;
  for (const Server& server : servers_) {
    if (server.before_logon.empty()) {
      continue;
    }
    const Connection& first = connections_[server.before_logon.front().slot];
    if (longest == nullptr || first.accepted_ns < longest->accepted_ns) {
      longest = &first;
    }
  }
  if (refusals_.admits(now_ns)) {
    application_.on_event(host::Event{host::Event::Severity::Error, {}, why.text, 0, why.code});
  }
  if (longest != nullptr && now_ns - longest->accepted_ns >= makes_room_after_ns) {
    refuse(*longest->in_line, why);
  }
}

void LogonGate::on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept {
  if (const Connection* const entry = find(connection)) {
    const std::string why = "TLS: " + std::string(fault.text);
    tell(entry->visitor.peer, {why, fault.code});
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
  Server& server = *find(connection)->server;
  const std::int64_t now_ns = reactor_.now_again().steady_ns;
  server.rests_until_ns =
      std::min(std::max(server.rests_until_ns, now_ns) + rest_ns, now_ns + longest_rest_ns);
  reactor_.rest_listener(server.listener, server.rests_until_ns);
}

void LogonGate::refuse(net::ConnectionId connection, base::CodedText why) noexcept {
  turn_away(connection);
  const Visitor visitor = leave(connection);
  reactor_.close(connection);
  tell(visitor.peer, why);
}

void LogonGate::tell(const std::string& peer, base::CodedText why) noexcept {
  if (refusals_.admits(reactor_.now().steady_ns)) {
    const std::string text = config::refusal_text(peer, why.text);
    application_.on_event(host::Event{host::Event::Severity::Warning, {}, text, 0, why.code});
  }
}

void LogonGate::close_late(std::int64_t now_ns) noexcept {
  while (timers_.nearest_ns() <= now_ns) {
    const std::uint32_t slot = timers_.nearest_slot();
    refuse({slot, connections_[slot].generation}, {"no Logon in time", "N204"});
  }
  if (const std::uint64_t omitted = refusals_.take_omitted(now_ns); omitted != 0) {
    const ReportLimit::OmittedText text(omitted);
    application_.on_event(host::Event{host::Event::Severity::Warning, {}, text.view(), 0, "N212"});
  }
}

void LogonGate::stop() noexcept {
  for (const Server& server : servers_) {
    reactor_.remove_listener(server.listener);
  }
}

}  // namespace affix::inline v0::engine
