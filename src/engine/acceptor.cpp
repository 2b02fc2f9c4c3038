// SPDX-License-Identifier: MIT
// Accepts connections on a thread of its own, and hands them to workers.
#include "engine/acceptor.hpp"

#include "config/instance_options.hpp"
#include "engine/reactor_choice.hpp"

#include <algorithm>

namespace affix::inline v0::engine {

Acceptor::Acceptor(std::unique_ptr<net::Reactor> reactor, tls::TlsReactor* tls,
                   std::vector<Worker*> workers, host::Application& application, bool stamped)
    : reactor_(std::move(reactor)),
      workers_(std::move(workers)),
      application_(application),
      gate_(*reactor_, tls, application, stamped) {}

std::expected<std::unique_ptr<Acceptor>, base::Error> Acceptor::open(
    const config::Configuration& configuration, std::vector<Worker*> workers,
    host::Application& application) {
  std::vector<const config::InstanceSettings*> servers;
  for (const config::ServerSettings& server : configuration.servers) {
    servers.push_back(&server);
  }
  // Data that an io_uring has received for a connection may still be on the way when it is handed
  // over.
  const bool polls = reactor_of(servers) == config::ReactorKind::Poll;
  auto reactor = net::make_reactor(polls ? "poll" : net::default_reactor(),
                                   config::acceptor_reactor_options(configuration));
  if (!reactor) {
    return std::unexpected(std::move(reactor.error()));
  }
  const bool has_tls = std::any_of(
      configuration.servers.begin(), configuration.servers.end(),
      [](const config::ServerSettings& server) { return server.tls == config::Encryption::On; });
  const bool stamped = !configuration.engine.latency_file.empty();
  if (!has_tls) {
    return std::unique_ptr<Acceptor>(
        new Acceptor(std::move(*reactor), nullptr, std::move(workers), application, stamped));
  }
  auto tls = tls::make_tls_reactor(std::move(*reactor));
  if (!tls) {
    return std::unexpected(std::move(tls.error()));
  }
  tls::TlsReactor* const same = tls->get();
  return std::unique_ptr<Acceptor>(
      new Acceptor(std::move(*tls), same, std::move(workers), application, stamped));
}

bool Acceptor::poll(std::int64_t wait_until_ns) noexcept {
  const base::Now now = reactor_->now();
  const net::Turn turn = reactor_->poll(
      now, net::Wait::block_until(std::min(wait_until_ns, gate_.next_deadline_ns())), *this);
  gate_.take_changes();
  gate_.close_late(reactor_->now().steady_ns);
  return turn.events != 0 || turn.woken;
}

void Acceptor::hand_over(net::ConnectionId connection, const LogonTarget& target,
                         std::string_view bytes) noexcept {
  Worker& worker = *workers_[target.session.worker()];
  HandedConnection* const place = worker.inbox()->claim();
  if (place == nullptr) {
    gate_.refuse(connection,
                 {"the worker of its session has too many connections to take", "N209"});
    return;
  }
  auto released = reactor_->release(connection, bytes);
  if (!released) {
    gate_.refuse(connection, {released.error().message, released.error().message_code});
    return;
  }
  place->connection = std::move(*released);
  place->session = target.session;
  place->peer_info = gate_.leave(connection);
  worker.inbox()->publish();
  worker.waker().wake();
}

void Acceptor::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                           const net::Address& peer) noexcept {
  gate_.on_accepted(listener, connection, peer, reactor_->now().steady_ns);
}

std::size_t Acceptor::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  const LogonGate::Claim claim = gate_.on_bytes(connection, bytes);
  if (!claim.target) {
    return claim.consumed;
  }
  hand_over(connection, *claim.target, bytes.view().substr(claim.header));
  return bytes.size;
}

void Acceptor::on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept {
  gate_.on_tls_fault(connection, fault);
}

void Acceptor::on_drained(net::ConnectionId /*connection*/) noexcept {}

void Acceptor::on_closed(net::ConnectionId connection, net::CloseReason /*reason*/,
                         int /*error_number*/) noexcept {
  gate_.on_closed(connection);
}

void Acceptor::on_accept_paused(net::ListenerId /*listener*/, net::AcceptPause pause) noexcept {
  if (pause == net::AcceptPause::ReservedDescriptors) {
    gate_.make_room({net::to_text(pause), net::code_of(pause)}, reactor_->now().steady_ns);
    return;
  }
  application_.on_event(
      host::Event{host::Event::Severity::Error, {}, net::to_text(pause), 0, net::code_of(pause)});
}

}  // namespace affix::inline v0::engine
