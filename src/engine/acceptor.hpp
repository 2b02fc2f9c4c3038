// SPDX-License-Identifier: MIT
// The thread at the door when there are several workers: accepts, reads first messages, and hands
// each connection to the worker that owns its session.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/net/reactor.hpp"

#include "engine/logon_gate.hpp"
#include "engine/worker.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// One reactor, always epoll, since a multishot receive cannot move between rings. It says of a
/// Logon only whose it is; the worker judges it. So two Logons for one session meet on one thread,
/// nothing is claimed, and there is no lock.
class Acceptor final : private net::Handler {
 public:
  /// `workers` and `application` outlive it; each worker has an inbox.
  [[nodiscard]] static std::expected<std::unique_ptr<Acceptor>, base::Error> open(
      const Configuration& configuration, std::vector<Worker*> workers, Application& application);

  /// `endpoint` as LogonGate::listen() has it.
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const ServerSettings& settings, std::span<const LogonGate::Target> targets,
      std::shared_ptr<const net::TlsEndpoint> endpoint) {
    return gate_.listen(settings, targets, std::move(endpoint));
  }

  /// One turn, which blocks until there is something to do, at most until `wait_until_ns`.
  bool poll(std::int64_t wait_until_ns) noexcept;

  [[nodiscard]] LogonGate& gate() noexcept { return gate_; }

  /// Stops listening. Its thread's.
  void finish() noexcept { gate_.stop(); }

  [[nodiscard]] net::Waker& waker() noexcept { return reactor_->waker(); }

  [[nodiscard]] std::int64_t steady_ns() noexcept { return reactor_->now().steady_ns; }

 private:
  Acceptor(std::unique_ptr<net::Reactor> reactor, net::TlsReactor* tls,
           std::vector<Worker*> workers, Application& application);

  void hand_over(net::ConnectionId connection, const LogonGate::Target& target,
                 std::string_view bytes) noexcept;

  // net::Handler
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_tls_fault(net::ConnectionId connection, std::string_view text) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  const std::unique_ptr<net::Reactor> reactor_;
  const std::vector<Worker*> workers_;
  Application& application_;
  LogonGate gate_;
};

}  // namespace affix::inline v0::engine
