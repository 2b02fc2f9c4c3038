// SPDX-License-Identifier: MIT
// A reactor for connections with and without TLS. It wraps any other reactor, decrypts its input
// and encrypts its output, and is used like any reactor. An engine without TLS has none, and has no
// overhead.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/reactor.hpp"
#include "affix/tls/tls_endpoint.hpp"
#include "affix/tls/tls_peer.hpp"

#include <cstdint>
#include <expected>
#include <memory>

namespace affix::inline v0::tls {

/// Fulfils Reactor's contract for both kinds of connection, with these additions for TLS:
/// on_accepted() comes after the TCP connection and on_bytes() with decrypted bytes, so that
/// limits on silent peers include handshakes; on_connected() comes after the handshake with a
/// verified peer. A failed handshake calls on_tls_fault(), and then on_closed() or
/// on_connect_failed() with TlsFailed. A stream that ends without close_notify closes as
/// Truncated.
class TlsReactor : public net::Reactor {
 public:
  /// Like listen(), for TLS peers only, with the settings of the endpoint.
  [[nodiscard]] virtual std::expected<net::Listening, base::Error> listen_tls(
      const net::Address& address, const net::SocketOptions& options,
      std::shared_ptr<const TlsEndpoint> endpoint) = 0;

  /// Like connect(); `deadline_ns` limits TCP, then the handshake has its own limit.
  [[nodiscard]] virtual std::expected<net::ConnectionId, base::Error> connect_tls(
      const net::Address& address, const net::SocketOptions& options, std::int64_t deadline_ns,
      std::shared_ptr<const TlsEndpoint> endpoint) = 0;

  /// Call it from on_accepted() of a TLS connection: on_bytes() then gets raw bytes until it calls
  /// end_preamble(). Lets a proxy send its header before the handshake; the handshake's time limit
  /// includes it. No effect on other connections.
  virtual void begin_preamble(net::ConnectionId connection) noexcept = 0;

  /// The bytes that this on_bytes() consumes end the preamble; TLS follows.
  virtual void end_preamble(net::ConnectionId connection) noexcept = 0;

  /// Identity of the peer; null for a plain connection, before the handshake is complete, and for a
  /// dead id. Valid as long as the connection.
  [[nodiscard]] virtual const TlsPeer* tls_peer(net::ConnectionId connection) const noexcept = 0;
};

/// Limits for the wrapped reactor, so that a TlsReactor on it has `wanted`: encryption enlarges
/// output.
[[nodiscard]] net::ReactorOptions options_beneath_tls(const net::ReactorOptions& wanted) noexcept;

/// Makes a TlsReactor on `beneath`, with all its memory. Unsupported: this build has no TLS.
/// NoSpace: no address space for its buffers. InvalidArgument: tx_buffer_capacity of `beneath` is
/// less than 64 KiB.
[[nodiscard]] std::expected<std::unique_ptr<TlsReactor>, base::Error> make_tls_reactor(
    std::unique_ptr<net::Reactor> beneath);

}  // namespace affix::inline v0::tls
