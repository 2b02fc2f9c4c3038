// SPDX-License-Identifier: MIT
// The seam between a worker and the operating system: its sockets and its clocks. One thread, many
// connections, bytes in and bytes out. Chosen once at start-up by name, or brought along by whoever
// opens the engine; knows nothing of what the bytes mean.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/address.hpp"
#include "affix/net/detached.hpp"
#include "affix/net/handler.hpp"
#include "affix/net/listener.hpp"
#include "affix/net/pages.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/waker.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace affix::inline v0::net {

/// Limits of one reactor. Buffers are address space until they are used: an idle connection costs a
/// slot, and a buffer is returned when it is empty.
struct ReactorOptions {
  std::uint32_t connections_max = 1024;
  std::uint32_t listeners_max = 16;
  /// Most bytes kept for one connection that the handler has not consumed, so also the largest
  /// message; and most bytes of one read.
  std::uint32_t rx_buffer_capacity = 64 * 1024;
  /// Most bytes parked for one connection whose peer does not read, so also the most one send() may
  /// hold.
  std::uint32_t tx_buffer_capacity = 1024 * 1024;
  /// Most bytes asked for in one read; 0: as many as there is room for.
  std::uint32_t read_bytes_max = 0;
  /// Most bytes read from one connection before the others have their turn.
  std::uint32_t read_bytes_per_turn = 256 * 1024;
  std::uint32_t events_per_turn = 256;
  std::uint32_t accepts_per_turn = 64;
  /// So many of the process's file descriptors are not for peers that connect: a connection that
  /// would have one of the last is closed (AcceptPause::ReservedDescriptors).
  std::uint32_t reserved_descriptors = 0;
  /// How long a listener rests when descriptors or memory have run out.
  std::int64_t accept_retry_ns = 100 * base::ns_per_ms;
  /// How long output still parked when the peer ends its stream may take, before it is given up.
  std::int64_t flush_timeout_ns = 2 * base::ns_per_second;
  /// What buffers are made of. With huge ones their memory, once used, stays the reactor's.
  Pages pages = Pages::Small;
};

/// How poll() waits when nothing is ready.
struct Wait {
  enum class Mode : std::uint8_t {
    Spin,           ///< Never: looks and returns.
    Block,          ///< Until an event, a wake or the deadline.
    SpinThenBlock,  ///< Like Spin for `spin_ns` after the last event, then like Block.
  };

  Mode mode = Mode::Block;
  /// Steady time at which poll() returns at the latest; in the past means at once.
  std::int64_t deadline_ns = 0;
  std::int64_t spin_ns = 50 * base::ns_per_us;

  [[nodiscard]] static constexpr Wait spin() noexcept { return {.mode = Mode::Spin}; }

  [[nodiscard]] static constexpr Wait block_until(std::int64_t deadline_ns) noexcept {
    return {.mode = Mode::Block, .deadline_ns = deadline_ns};
  }
};

/// What a turn did.
struct Turn {
  std::uint32_t events = 0;  ///< Readiness seen and deadlines met; 0 = nothing happened.
  bool woken = false;        ///< Another thread called wake().
};

/// What became of the bytes given to send().
enum class SendResult : std::uint8_t {
  Sent,      ///< The kernel has taken all of them, or takes them at submit().
  Parked,    ///< All are taken; some wait here for the peer, and on_drained() tells when they are
             ///< gone.
  Overflow,  ///< None is taken: with what is parked they exceed tx_buffer_capacity. The connection
             ///< is unharmed.
  Closed,    ///< None will arrive: the id is dead, not connected yet or closing, or the stream is
             ///< broken, and then on_closed() follows.
};

[[nodiscard]] const char* to_text(SendResult result) noexcept;

/// A listener that stands: its id, and where it listens, with the port that was chosen for port 0.
struct Listening {
  ListenerId id;
  Address address;
};

/// Whether every limit is within its range; InvalidArgument names the first that is not.
[[nodiscard]] std::expected<void, base::Error> check(const ReactorOptions& options);

/// One thread's sockets. Not copied, not moved; every function but waker().wake() belongs to one
/// thread. Destroying it closes everything at once and tells nobody. Nothing here allocates per
/// message.
class Reactor {
 public:
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;
  virtual ~Reactor() = default;

  /// The clocks that `poll` is given readings of and all deadlines are judged by: the system's,
  /// unless this reactor runs in a time of its own. Whoever owns the reactor reads no other.
  [[nodiscard]] virtual base::Now now() noexcept = 0;

  /// now() for about half its cost, for who reads often: the steady time may be reckoned from how
  /// far UTC has come since both were read, a millisecond ago at most. It never goes back.
  [[nodiscard]] virtual base::Now now_again() noexcept { return now(); }

  /// The limits it was made with.
  [[nodiscard]] virtual const ReactorOptions& options() const noexcept = 0;

  /// One turn: ends what is due, waits as `wait` says, and tells `handler` what happened. `now` is
  /// a fresh reading; deadlines are judged by it. Not to be called from a handler.
  virtual Turn poll(base::Now now, const Wait& wait, Handler& handler) noexcept = 0;

  /// Listens at `address` and accepts from there. Limit: listeners_max; else what Listener::open()
  /// says. Here that is a system's socket; a reactor of another kind makes its own.
  [[nodiscard]] virtual std::expected<Listening, base::Error> listen(const Address& address,
                                                                     const SocketOptions& options);

  /// Takes the listener over and accepts from it. Limit: listeners_max. Unsupported: this reactor
  /// has no use for the system's sockets.
  [[nodiscard]] virtual std::expected<ListenerId, base::Error> add_listener(Listener listener) = 0;

  /// Accepts from the listener no more until this steady time; peers wait with the system
  /// meanwhile, as many as its queue takes. Once more: until the later time. Nothing for a listener
  /// that is unknown or rests for a reason of its own, nor where nobody can be kept waiting.
  virtual void rest_listener(ListenerId /*listener*/, std::int64_t /*until_ns*/) noexcept {}

  /// Stops listening; accepted connections stay. False: no such listener.
  virtual bool remove_listener(ListenerId listener) noexcept = 0;

  /// Begins to connect; on_connected() or on_connect_failed() follows from a later poll(), the
  /// latter with TimedOut at `deadline_ns` of the steady clock. An error here is ours: Limit for
  /// connections_max, else a socket or an option that the system refused. Allocates on error only.
  [[nodiscard]] virtual std::expected<ConnectionId, base::Error> connect(
      const Address& address, const SocketOptions& options, std::int64_t deadline_ns) = 0;

  /// Gives an open connection up, so that a reactor of another thread may adopt() it: the id is
  /// dead, nothing is told. `unconsumed` is what on_bytes() was given and has not consumed, and
  /// the call is to be made from there; from elsewhere it is empty, and the connection must have
  /// been given nothing yet. InvalidArgument: the id is dead or not open, output is parked, or
  /// bytes are kept that `unconsumed` does not hold. Unsupported: connections cannot leave this
  /// reactor. On error the connection is as before. Allocates.
  [[nodiscard]] virtual std::expected<DetachedConnection, base::Error> release(
      ConnectionId connection, std::string_view unconsumed) = 0;

  /// Takes a connection over, whose socket becomes non-blocking. What it had received comes to
  /// on_bytes() in the next turn. Limit: connections_max, or more input than rx_buffer_capacity;
  /// the connection is closed then. Unsupported as in add_listener(), and for a connection with a
  /// layer that this reactor does not know.
  [[nodiscard]] virtual std::expected<ConnectionId, base::Error> adopt(
      DetachedConnection connection) = 0;

  /// The same with a connected socket that nothing was read from; `options` are not applied, but
  /// quick_ack is kept up, and the stamps that its receive_stamps ask for are taken.
  [[nodiscard]] std::expected<ConnectionId, base::Error> adopt(Socket socket,
                                                               const SocketOptions& options) {
    return adopt(DetachedConnection{.socket = std::move(socket),
                                    .quick_ack = options.quick_ack,
                                    .stamped = options.receive_stamps != ReceiveStamps::None});
  }

  /// Gives the pieces, in order, to the kernel at once when nothing waits before them, and parks
  /// what it does not take. All or nothing, never blocks; the bytes are the caller's again on
  /// return. Calls no handler. One system call for up to 256 pieces.
  [[nodiscard]] virtual SendResult send(ConnectionId connection,
                                        std::span<const std::string_view> pieces) noexcept = 0;

  [[nodiscard]] SendResult send(ConnectionId connection, std::string_view bytes) noexcept {
    return send(connection, std::span<const std::string_view>(&bytes, 1));
  }

  /// Gives the kernel what send() has collected, in one system call for all connections. A reactor
  /// may collect until this or the next poll(); one whose send() goes to the kernel at once has
  /// nothing to do here. Calls no handler.
  virtual void submit() noexcept {}

  /// Closes now and drops what is parked; on_closed() is not told. False: the id was dead already.
  virtual bool close(ConnectionId connection) noexcept = 0;

  /// Closes in order: sends what is parked, ends our stream, waits for the peer to end its own (so
  /// that the kernel has no reason to reset, which could destroy what the peer has not read), and
  /// tells on_closed(). At `deadline_ns` of the steady clock it closes whatever the state. No more
  /// bytes are delivered or taken from this call on. On a connection that is still opening it is
  /// close(). False: the id was dead or closing.
  virtual bool close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept = 0;

  /// Stops reading, so that the peer meets back-pressure: nothing is delivered, nor the end of its
  /// stream seen, until resume_reading(). Bytes left unconsumed are delivered again then. False:
  /// the id is dead.
  virtual bool pause_reading(ConnectionId connection) noexcept = 0;
  virtual bool resume_reading(ConnectionId connection) noexcept = 0;

  /// Bytes parked for a connection; 0 for a dead id.
  [[nodiscard]] virtual std::size_t parked_bytes(ConnectionId connection) const noexcept = 0;

  /// The ends of a connection, asked of the system; nothing for a dead id.
  [[nodiscard]] virtual std::optional<Address> local_address(
      ConnectionId connection) const noexcept = 0;
  [[nodiscard]] virtual std::optional<Address> peer_address(
      ConnectionId connection) const noexcept = 0;

  /// When the last of the bytes that on_bytes() was given most recently had arrived, UTC
  /// nanoseconds, by the clock that its SocketOptions::receive_stamps name. 0: no stamp was asked
  /// for, this reactor has none, nothing has come yet, or the id is dead. Asks nobody.
  [[nodiscard]] virtual std::int64_t received_ns(ConnectionId connection) const noexcept;

  /// Slots in use, those that are opening or closing included.
  [[nodiscard]] virtual std::uint32_t connection_count() const noexcept = 0;

  /// For other threads that want poll() to return.
  [[nodiscard]] virtual Waker& waker() noexcept = 0;

  /// The name make_reactor() knows it by.
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

 protected:
  Reactor() = default;
};

/// Makes the reactor called `name` with all its memory: "epoll" or "io_uring". Unsupported: no such
/// reactor in this build, or the kernel has not what it needs (io_uring: 6.1, and permission).
/// InvalidArgument: an option out of its range. Denied, Io, NoSpace: the system refused.
[[nodiscard]] std::expected<std::unique_ptr<Reactor>, base::Error> make_reactor(
    std::string_view name, const ReactorOptions& options);

}  // namespace affix::inline v0::net
