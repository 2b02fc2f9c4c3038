// SPDX-License-Identifier: MIT
// Events of a reactor for its owner, with the ids of connections and listeners. The engine
// implements the handler; the reactor calls it only from poll().
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/message_code.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::net {

/// Identifies one connection of one reactor during its lifetime. The reactor reuses a slot with
/// another generation, so it recognises and ignores old ids. `slot` is less than
/// ReactorOptions::connections_max, so an owner can index its own table with it.
struct ConnectionId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  ///< 0 only in an id that was never assigned.

  friend constexpr bool operator==(ConnectionId, ConnectionId) = default;
};

/// Identifies one listener of one reactor, in the same way.
struct ListenerId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend constexpr bool operator==(ListenerId, ListenerId) = default;
};

/// Reason for the end of a connection.
enum class CloseReason : std::uint8_t {
  PeerClosed,     ///< The peer closed its stream in order.
  PeerReset,      ///< The peer or a device in between reset it; bytes may be lost both ways.
  PeerVanished,   ///< The kernel got no answer in time, or has no route any more.
  InputOverflow,  ///< rx_buffer_capacity bytes are buffered, and the handler consumes none.
  Flushed,  ///< close_after_flush: the kernel accepted all output and the stream was closed in
            ///< order.
  FlushTimedOut,  ///< close_after_flush: the deadline passed, so output is lost.
  Truncated,      ///< TLS: the peer's stream ended without close_notify, so final bytes may be
                  ///< missing.
  TlsFailed,  ///< TLS: the handshake failed, or invalid bytes arrived; on_tls_fault() reported the
              ///< details.
  Failed,     ///< Another system error; see error_number.
};

/// Reason for a failed connect().
enum class ConnectFailure : std::uint8_t {
  Refused,      ///< No process listens there.
  TimedOut,     ///< The deadline passed, or the kernel gave up.
  Unreachable,  ///< No route to the host.
  TlsFailed,    ///< TCP connected, but the TLS handshake failed; on_tls_fault() had details.
  Failed,       ///< Another system error; see error_number.
};

/// Reason why a listener pauses. The kernel queues further connections in its backlog meanwhile.
enum class AcceptPause : std::uint8_t {
  ConnectionLimit,      ///< connections_max is reached; resumes when a connection ends.
  NoDescriptors,        ///< The process or system has no descriptors left; retries after a while.
  ReservedDescriptors,  ///< The remaining descriptors are reserved: a connection was accepted and
                        ///< closed. Reported each time; retries later.
  NoMemory,             ///< The kernel is out of memory; retries after a while.
};

/// Descriptions; static storage.
[[nodiscard]] const char* to_text(CloseReason reason) noexcept;
[[nodiscard]] base::MessageCode code_of(CloseReason reason) noexcept;
[[nodiscard]] const char* to_text(ConnectFailure failure) noexcept;
[[nodiscard]] base::MessageCode code_of(ConnectFailure failure) noexcept;
[[nodiscard]] const char* to_text(AcceptPause pause) noexcept;
[[nodiscard]] base::MessageCode code_of(AcceptPause pause) noexcept;

/// Receiver of events. The reactor makes all calls from inside Reactor::poll(), on its thread,
/// never nested. A handler may call every function of the reactor but poll(), for any connection.
/// It must not throw. The events of listeners and those of connect() do nothing by default: an
/// owner that has no listener, or never connects, gets none of them.
class Handler {
 public:
  /// A peer connected. Bytes may follow in the same turn.
  virtual void on_accepted(ListenerId /*listener*/, ConnectionId /*connection*/,
                           const Address& /*peer*/) noexcept {}

  /// A connection begun with connect() is established.
  virtual void on_connected(ConnectionId /*connection*/) noexcept {}

  /// A connect() failed; the id is dead. `error_number` is an errno value.
  virtual void on_connect_failed(ConnectionId /*connection*/, ConnectFailure /*failure*/,
                                 int /*error_number*/) noexcept {}

  /// Passes all received and unconsumed bytes, oldest first, never empty. Returns the number of
  /// bytes consumed from the front; the reactor keeps the rest and passes it again with the bytes
  /// that follow. The bytes are valid until this call returns, or until the handler closes the
  /// connection.
  [[nodiscard]] virtual std::size_t on_bytes(ConnectionId connection,
                                             base::PaddedBytes bytes) noexcept = 0;

  /// Describes a TLS fault of this connection in one sentence, valid during the call. The
  /// connection ends next, at once or after an alert to the peer.
  virtual void on_tls_fault(ConnectionId /*connection*/, base::CodedText /*fault*/) noexcept {}

  /// Output was passed to the network driver at `utc_ns`: the bytes before `position`, in the count
  /// of Reactor::output_position(). For connections with SocketOptions::transmit_stamps, ascending;
  /// one stamp may cover several sends, and the kernel may omit the last ones.
  virtual void on_transmitted(ConnectionId /*connection*/, std::uint64_t /*position*/,
                              std::int64_t /*utc_ns*/) noexcept {}

  /// The kernel has accepted all parked output. Also called if reading is paused and the peer broke
  /// the stream, so that output is stuck; on_closed() follows after resume_reading().
  virtual void on_drained(ConnectionId connection) noexcept = 0;

  /// The connection ended and the id is dead. Called exactly once for each accepted, connected or
  /// adopted connection, except after the owner's own close(). `error_number` is an errno value or
  /// 0.
  virtual void on_closed(ConnectionId connection, CloseReason reason,
                         int error_number) noexcept = 0;

  /// A listener pauses. Called once per pause, not for every waiting peer.
  virtual void on_accept_paused(ListenerId /*listener*/, AcceptPause /*pause*/) noexcept {}

 protected:
  Handler() = default;
  Handler(const Handler&) = default;
  Handler& operator=(const Handler&) = default;
  ~Handler() = default;
};

}  // namespace affix::inline v0::net
