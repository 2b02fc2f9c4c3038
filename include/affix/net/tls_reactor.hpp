// SPDX-License-Identifier: MIT
// A reactor some of whose connections speak TLS. Stands on any other reactor, whose bytes it turns
// into those of the application and back; whoever owns it uses it like the other. An engine without
// TLS has none, and pays nothing.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/tls_endpoint.hpp"
#include "affix/net/tls_peer.hpp"

#include <cstdint>
#include <expected>
#include <memory>

namespace affix::inline v0::net {

/// Everything Reactor promises holds for both kinds of connection, with these words on TLS:
/// on_accepted() is told when TCP stands and on_bytes() when there is something decrypted, so
/// limits on peers that say nothing cover handshakes too; on_connected() is told when the handshake
/// is done and the peer has proved who it is. A handshake that fails is told by on_tls_fault(), and
/// then on_closed() or on_connect_failed() with TlsFailed. A stream that ends without close_notify
/// ends as Truncated.
class TlsReactor : public Reactor {
 public:
  /// Like listen(), for peers that speak TLS as the endpoint says, and no others.
  [[nodiscard]] virtual std::expected<Listening, base::Error> listen_tls(
      const Address& address, const SocketOptions& options,
      std::shared_ptr<const TlsEndpoint> endpoint) = 0;

  /// Like connect(); `deadline_ns` is TCP's, the handshake's own time begins when that stands.
  [[nodiscard]] virtual std::expected<ConnectionId, base::Error> connect_tls(
      const Address& address, const SocketOptions& options, std::int64_t deadline_ns,
      std::shared_ptr<const TlsEndpoint> endpoint) = 0;

  /// From on_accepted() of a TLS connection: its bytes come to on_bytes() as they are, until
  /// end_preamble() is called from there. So a proxy can say whom it speaks for before the
  /// handshake, whose time runs all the while. Nothing on other connections.
  virtual void begin_preamble(ConnectionId connection) noexcept = 0;

  /// What on_bytes() is about to consume is the last of it; TLS begins behind that.
  virtual void end_preamble(ConnectionId connection) noexcept = 0;

  /// Who is there; null for a plain connection, before the handshake is done, and for a dead id.
  /// Valid as long as the connection.
  [[nodiscard]] virtual const TlsPeer* tls_peer(ConnectionId connection) const noexcept = 0;
};

/// The limits that the reactor beneath needs, so that a TlsReactor on it has `wanted`: encryption
/// makes output longer.
[[nodiscard]] ReactorOptions options_beneath_tls(const ReactorOptions& wanted) noexcept;

/// A TlsReactor on `beneath`, with all its memory. Unsupported: this build has no TLS. NoSpace: the
/// address space does not allow its buffers. InvalidArgument: tx_buffer_capacity beneath is less
/// than 64 KiB.
[[nodiscard]] std::expected<std::unique_ptr<TlsReactor>, base::Error> make_tls_reactor(
    std::unique_ptr<Reactor> beneath);

}  // namespace affix::inline v0::net
