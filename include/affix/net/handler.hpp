// SPDX-License-Identifier: MIT
// What a reactor tells its owner: identities of connections and listeners, and the events about
// them. Implemented by the engine; the reactor calls it from poll() alone.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::net {

/// Names one connection of one reactor for as long as it lives, and nothing afterwards: a slot is
/// used again with another generation, so an old id is recognised and harmless. `slot` is less than
/// ReactorOptions::connections_max, so an owner may keep its own table indexed by it.
struct ConnectionId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  ///< 0 only in an id that never named anything.

  friend constexpr bool operator==(ConnectionId, ConnectionId) = default;
};

/// Names one listener of one reactor, in the same way.
struct ListenerId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend constexpr bool operator==(ListenerId, ListenerId) = default;
};

/// Why a connection ended.
enum class CloseReason : std::uint8_t {
  PeerClosed,     ///< The peer ended its stream in order.
  PeerReset,      ///< The peer, or something between, reset it; bytes may be lost both ways.
  PeerVanished,   ///< The kernel got no answer for too long, or no way leads there any more.
  InputOverflow,  ///< rx_buffer_capacity bytes are there and the handler consumes none of them.
  Flushed,  ///< close_after_flush: the kernel has taken all output and the stream was ended in
            ///< order.
  FlushTimedOut,  ///< close_after_flush: its deadline came first, so output is lost.
  Truncated,  ///< TLS: the peer's stream ended without close_notify, so bytes before its end may be
              ///< missing.
  TlsFailed,  ///< TLS: the handshake failed, or bytes came that are not the peer's; on_tls_fault()
              ///< has told more.
  Failed,     ///< Another fault of the system; see error_number.
};

/// Why a connection could not be opened.
enum class ConnectFailure : std::uint8_t {
  Refused,      ///< Nobody listens there.
  TimedOut,     ///< The deadline came, or the kernel gave up.
  Unreachable,  ///< No way leads there.
  TlsFailed,    ///< TCP stood, and the TLS handshake failed; on_tls_fault() has told more.
  Failed,       ///< Another fault of the system; see error_number.
};

/// Why a listener rests. The kernel keeps further connections in its backlog meanwhile.
enum class AcceptPause : std::uint8_t {
  ConnectionLimit,  ///< connections_max is met; goes on when a connection has ended.
  NoDescriptors,  ///< The process or the system has no descriptor left; tried again after a while.
  ReservedDescriptors,  ///< Those that are left are not for peers (reserved_descriptors): one was
                        ///< accepted and closed. Told of each; tried again after a while.
  NoMemory,             ///< The kernel has no memory for it; tried again after a while.
};

/// Texts, static storage.
[[nodiscard]] const char* to_text(CloseReason reason) noexcept;
[[nodiscard]] const char* to_text(ConnectFailure failure) noexcept;
[[nodiscard]] const char* to_text(AcceptPause pause) noexcept;

/// The receiver of events. All calls come from inside Reactor::poll(), on its thread, never nested.
/// A handler may call every function of the reactor but poll(), about this connection or another.
/// It must not throw.
class Handler {
 public:
  /// A peer has connected. Bytes may follow in the same turn.
  virtual void on_accepted(ListenerId listener, ConnectionId connection,
                           const Address& peer) noexcept = 0;

  /// A connection begun with connect() stands.
  virtual void on_connected(ConnectionId connection) noexcept = 0;

  /// A connection begun with connect() failed; the id is dead. `error_number` is errno's value.
  virtual void on_connect_failed(ConnectionId connection, ConnectFailure failure,
                                 int error_number) noexcept = 0;

  /// All bytes received and not consumed yet, oldest first, never empty. Returns how many of them,
  /// from the front, are done with; the rest is kept by the reactor and comes again with what
  /// follows it. The bytes are valid until this call returns, but no longer than the connection:
  /// not after the handler closes it.
  [[nodiscard]] virtual std::size_t on_bytes(ConnectionId connection,
                                             base::PaddedBytes bytes) noexcept = 0;

  /// What is wrong with TLS on this connection, in a sentence. The end follows: at once, or when
  /// the peer has been told. Valid during the call.
  virtual void on_tls_fault(ConnectionId connection, std::string_view text) noexcept {
    static_cast<void>(connection);
    static_cast<void>(text);
  }

  /// All parked output has gone to the kernel; or reading is paused and it never will, since the
  /// peer has broken the stream, and on_closed() follows once reading is resumed.
  virtual void on_drained(ConnectionId connection) noexcept = 0;

  /// The connection has ended and the id is dead. Told exactly once for each connection that was
  /// accepted, connected or adopted, except when the owner itself called close(). `error_number` is
  /// errno's value or 0.
  virtual void on_closed(ConnectionId connection, CloseReason reason,
                         int error_number) noexcept = 0;

  /// A listener rests. Told once each time, not for every peer kept waiting.
  virtual void on_accept_paused(ListenerId listener, AcceptPause pause) noexcept = 0;

 protected:
  Handler() = default;
  Handler(const Handler&) = default;
  Handler& operator=(const Handler&) = default;
  ~Handler() = default;
};

}  // namespace affix::inline v0::net
