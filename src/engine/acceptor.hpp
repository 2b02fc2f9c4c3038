// SPDX-License-Identifier: MIT
// Thread that accepts connections for an engine with several workers: reads first messages and
// hands each connection to the worker that owns its session.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
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

/// One reactor, always epoll, since a multishot receive cannot move between rings. It only finds
/// the session that a Logon names; the worker checks the Logon. Two Logons for one session meet on
/// one thread, so no session is claimed and no lock is needed.
class Acceptor final : private net::Handler {
 public:
  /// `workers` and `application` outlive it; each worker has an inbox.
  [[nodiscard]] static std::expected<std::unique_ptr<Acceptor>, base::Error> open(
      const config::Configuration& configuration, std::vector<Worker*> workers,
      host::Application& application);

  /// `endpoint` and `kept` as for LogonGate::listen().
  [[nodiscard]] std::expected<net::Address, base::Error> listen(
      const config::ServerSettings& settings, std::span<const LogonTarget> targets,
      std::shared_ptr<const tls::TlsEndpoint> endpoint, KeptConnections* kept) {
    return gate_.listen(settings, targets, std::move(endpoint), kept);
  }

  /// Runs one turn: blocks until there is something to do, at most until `wait_until_ns`.
  bool poll(std::int64_t wait_until_ns) noexcept;

  [[nodiscard]] LogonGate& gate() noexcept { return gate_; }

  /// Stops listening. Acceptor's thread only.
  void finish() noexcept { gate_.stop(); }

  [[nodiscard]] net::Waker& waker() noexcept { return reactor_->waker(); }

  [[nodiscard]] std::int64_t steady_ns() noexcept { return reactor_->now().steady_ns; }

 private:
  Acceptor(std::unique_ptr<net::Reactor> reactor, tls::TlsReactor* tls,
           std::vector<Worker*> workers, host::Application& application, bool stamped);

  void hand_over(net::ConnectionId connection, const LogonTarget& target,
                 std::string_view bytes) noexcept;

  // net::Handler
  void on_accepted(net::ListenerId listener, net::ConnectionId connection,
                   const net::Address& peer) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_tls_fault(net::ConnectionId connection, base::CodedText fault) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;
  void on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept override;

  const std::unique_ptr<net::Reactor> reactor_;
  const std::vector<Worker*> workers_;
  host::Application& application_;
  LogonGate gate_;
};

}  // namespace affix::inline v0::engine
