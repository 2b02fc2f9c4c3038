// SPDX-License-Identifier: MIT
// The interface between a worker and the operating system: its sockets and clocks. One thread, many
// connections, bytes in and bytes out. Selected by name at start-up, or passed to Engine::open();
// does not interpret bytes.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/address.hpp"
#include "affix/net/detached.hpp"
#include "affix/net/handler.hpp"
#include "affix/net/listener.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/stream_position.hpp"
#include "affix/net/waker.hpp"
#include "affix/os/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace affix::inline v0::net {

/// Limits of one reactor. Buffers are only address space until used: an idle connection costs a
/// slot, and an empty buffer is released.
struct ReactorOptions {
  std::uint32_t connections_max = 1024;
  std::uint32_t listeners_max = 16;
  /// Maximum bytes per connection that the handler has not consumed, hence the largest message;
  /// also the maximum of one read.
  std::uint32_t rx_buffer_capacity = 64 * 1024;
  /// Maximum bytes parked per connection whose peer does not read, hence the maximum of one
  /// send().
  std::uint32_t tx_buffer_capacity = 1024 * 1024;
  /// Maximum bytes per read; 0: as many as fit.
  std::uint32_t read_bytes_max = 0;
  /// Maximum bytes read from one connection before others are served.
  std::uint32_t read_bytes_per_turn = 256 * 1024;
  std::uint32_t events_per_turn = 256;
  std::uint32_t accepts_per_turn = 64;
  /// File descriptors reserved by the process: a peer's connection that would use one of the last
  /// is closed (AcceptPause::ReservedDescriptors).
  std::uint32_t reserved_descriptors = 0;
  /// Pause of a listener after descriptors or memory ran out.
  std::int64_t accept_retry_ns = 100 * base::ns_per_ms;
  /// Maximum time for sending output that is parked when the peer ends its stream.
  std::int64_t flush_timeout_ns = 2 * base::ns_per_second;
  /// Page size of buffers. Huge pages, once used, remain allocated to the reactor.
  os::Pages pages = os::Pages::Small;
};

/// Behaviour of poll() when nothing is ready.
struct Wait {
  enum class Mode : std::uint8_t {
    Spin,           ///< Does not wait: checks and returns.
    Block,          ///< Waits for an event, a wake or the deadline.
    SpinThenBlock,  ///< Spins for `spin_ns` after the last event, then blocks.
  };

  Mode mode = Mode::Block;
  /// Steady time at which poll() returns at the latest; in the past: immediately.
  std::int64_t deadline_ns = 0;
  std::int64_t spin_ns = 50 * base::ns_per_us;

  [[nodiscard]] static constexpr Wait spin() noexcept { return {.mode = Mode::Spin}; }

  [[nodiscard]] static constexpr Wait block_until(std::int64_t deadline_ns) noexcept {
    return {.mode = Mode::Block, .deadline_ns = deadline_ns};
  }
};

/// Result of a turn.
struct Turn {
  std::uint32_t events = 0;  ///< Ready sockets and expired deadlines; 0 = nothing happened.
  bool woken = false;        ///< Another thread called wake().
};

/// Result of send().
enum class SendResult : std::uint8_t {
  Sent,      ///< The kernel accepted all bytes, or will at submit().
  Parked,    ///< All accepted; some are parked until the peer reads, then on_drained()
             ///< follows.
  Overflow,  ///< None accepted: with the parked bytes they exceed tx_buffer_capacity. The
             ///< connection continues.
  Closed,    ///< None will arrive: the id is dead, not connected yet or closing, or the stream is
             ///< broken, and on_closed() follows.
};

[[nodiscard]] const char* to_text(SendResult result) noexcept;

/// An open listener: its id and address, with the port that the system chose for port 0.
struct Listening {
  ListenerId id;
  Address address;
};

/// Checks that every limit is in range; InvalidArgument names the first that is not.
[[nodiscard]] std::expected<void, base::Error> check(const ReactorOptions& options);

/// The sockets of one thread. Not copied, not moved; every function but waker().wake() belongs to
/// that thread. Destruction closes everything without calling a handler; a shared connection or
/// listener remains open for the holder of its duplicate. Nothing here allocates per message.
class Reactor {
 public:
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;
  virtual ~Reactor() = default;

  /// Reads the clocks for `poll` and for all deadlines: the system's, unless the reactor has its
  /// own time. The owner of the reactor must not read other clocks.
  [[nodiscard]] virtual base::Now now() noexcept = 0;

  /// Like now() at about half the cost, for frequent reads: may derive the steady time from the
  /// progress of UTC since both were read, at most a millisecond ago. Never decreases.
  [[nodiscard]] virtual base::Now now_again() noexcept { return now(); }

  /// The limits passed at construction.
  [[nodiscard]] virtual const ReactorOptions& options() const noexcept = 0;

  /// Runs one turn: handles expired deadlines, waits according to `wait`, and calls `handler`.
  /// `now` is a fresh reading, used for deadlines. Not to be called from a handler.
  virtual Turn poll(base::Now now, const Wait& wait, Handler& handler) noexcept = 0;

  /// Listens at `address` and accepts from it. Limit: listeners_max; other errors as for
  /// Listener::open(). The default uses a system socket; other reactors override it.
  [[nodiscard]] virtual std::expected<Listening, base::Error> listen(const Address& address,
                                                                     const SocketOptions& options);

  /// Takes ownership of the listener and accepts from it. Limit: listeners_max. Unsupported: this
  /// reactor does not use system sockets.
  [[nodiscard]] virtual std::expected<ListenerId, base::Error> add_listener(Listener listener) = 0;

  /// Stops accepting from the listener until this steady time; peers wait in the system's backlog,
  /// as far as it holds them. A repeated call extends the pause. No effect on an unknown or already
  /// paused listener, or if the reactor cannot defer peers.
  virtual void rest_listener(ListenerId /*listener*/, std::int64_t /*until_ns*/) noexcept {}

  /// Ends such a pause: the next poll accepts again. No effect on another listener.
  virtual void end_rest(ListenerId /*listener*/) noexcept {}

  /// Stops listening; accepted connections continue. False: no such listener. A shared one only
  /// stops accepting here: peers connect and wait until the last holder of a duplicate closes it.
  virtual bool remove_listener(ListenerId listener) noexcept = 0;

  /// Begins to connect; a later poll() calls on_connected() or on_connect_failed(), the latter with
  /// TimedOut at `deadline_ns` of the steady clock. Local errors are returned: Limit for
  /// connections_max, else the system refused a socket or an option. Allocates only on errors.
  [[nodiscard]] virtual std::expected<ConnectionId, base::Error> connect(
      const Address& address, const SocketOptions& options, std::int64_t deadline_ns) = 0;

  /// Releases an open connection for another thread's reactor to adopt(): the id is dead, no
  /// handler is called. Call it from on_bytes() with its unconsumed bytes in `unconsumed`;
  /// elsewhere `unconsumed` is empty, and on_bytes() must not have been called yet.
  /// InvalidArgument: the id is dead or not open, output is parked, or bytes are kept that
  /// `unconsumed` lacks. Unsupported: connections cannot leave this reactor. An error leaves the
  /// connection unchanged. Allocates.
  [[nodiscard]] virtual std::expected<DetachedConnection, base::Error> release(
      ConnectionId connection, std::string_view unconsumed) = 0;

  /// Takes ownership of a connection and makes its socket non-blocking. Its received bytes go to
  /// on_bytes() in the next turn. Limit: connections_max, or more input than rx_buffer_capacity;
  /// the connection is then closed. Unsupported: as for add_listener(), or the connection has a
  /// layer unknown to this reactor.
  [[nodiscard]] virtual std::expected<ConnectionId, base::Error> adopt(
      DetachedConnection connection) = 0;

  /// Does the same for a connected socket without read bytes. Of `options` it only maintains
  /// quick_ack and reads the stamps of receive_stamps.
  [[nodiscard]] std::expected<ConnectionId, base::Error> adopt(Socket socket,
                                                               const SocketOptions& options) {
    return adopt(DetachedConnection{.socket = std::move(socket),
                                    .quick_ack = options.quick_ack,
                                    .stamped = options.receive_stamps != ReceiveStamps::None});
  }

  /// Duplicates the socket of an open connection, so that the connection outlives this process:
  /// whoever holds the duplicate may adopt() it with DetachedConnection::shared, from the
  /// stream_position() on. Until then it must neither read nor write. The caller owns the duplicate
  /// and passes it on. From now on, every end of the connection here also ends both streams,
  /// although the duplicate is open; only destroying the reactor, release() and leave() do not.
  /// Sets SO_OOBINLINE, which makes the position exact. Two system calls. InvalidArgument: the id
  /// is dead or not open. Unsupported: the connection speaks TLS, whose keys end with the process,
  /// or this reactor does not use system sockets. Io: the system refused, or has no descriptors
  /// left.
  [[nodiscard]] virtual std::expected<Socket, base::Error> share(ConnectionId connection);

  /// Closes this reactor's descriptor of a connection that share() has duplicated, and ends neither
  /// stream: the holder of the duplicate goes on. Parked output and unconsumed input are dropped,
  /// and no handler is called. From its return on, the kernel takes no byte of this reactor and
  /// gives it none. False: the id is dead, or nobody has a duplicate.
  virtual bool leave(ConnectionId connection) noexcept;

  /// Duplicates the socket of a listener, for Listener::adopt(). Peers that connect wait as long as
  /// anybody holds it open. InvalidArgument: no such listener. Unsupported, Io: as above.
  [[nodiscard]] virtual std::expected<Socket, base::Error> share(ListenerId listener);

  /// How far the streams of a connection are whose socket share() has duplicated, before adopt():
  /// net::stream_position(), unless the reactor has connections of its own kind.
  [[nodiscard]] virtual std::expected<StreamPosition, base::Error> stream_position(
      const Socket& shared, Opened opened);

  /// Passes the pieces, in order, to the kernel if nothing is parked, and parks the rest. All or
  /// nothing, never blocks; does not use the bytes after it returns. Calls no handler. One system
  /// call for up to 256 pieces.
  [[nodiscard]] virtual SendResult send(ConnectionId connection,
                                        std::span<const std::string_view> pieces) noexcept = 0;

  /// The same for bytes in one piece.
  [[nodiscard]] SendResult send(ConnectionId connection, std::string_view bytes) noexcept {
    return send(connection, std::span<const std::string_view>(&bytes, 1));
  }

  /// Passes output collected by send() to the kernel, in one system call for all connections. A
  /// reactor may collect until this call or the next poll(); one that sends immediately does
  /// nothing here. Calls no handler.
  virtual void submit() noexcept {}

  /// Closes now and drops parked output, without on_closed(). False: the id was dead.
  virtual bool close(ConnectionId connection) noexcept = 0;

  /// Closes in order: sends parked output, ends our stream, waits for the peer to end its own
  /// (otherwise the kernel may reset the connection and destroy unread data), then calls
  /// on_closed(). Closes unconditionally at `deadline_ns` of the steady clock. Delivers and
  /// accepts no more bytes. Same as close() while connecting. False: the id was dead or
  /// closing.
  virtual bool close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept = 0;

  /// Stops reading, which causes back pressure: delivers nothing, nor the end of the
  /// stream, until resume_reading(). That delivers unconsumed bytes again. False: the id is
  /// dead.
  virtual bool pause_reading(ConnectionId connection) noexcept = 0;

  /// Reads again. False: the id is dead.
  virtual bool resume_reading(ConnectionId connection) noexcept = 0;

  /// Bytes parked for a connection; 0 for a dead id.
  [[nodiscard]] virtual std::size_t parked_bytes(ConnectionId connection) const noexcept = 0;

  /// Our address of a connection, queried from the system; nothing for a dead id.
  [[nodiscard]] virtual std::optional<Address> local_address(
      ConnectionId connection) const noexcept = 0;

  /// The peer's, in the same way.
  [[nodiscard]] virtual std::optional<Address> peer_address(
      ConnectionId connection) const noexcept = 0;

  /// Arrival time of the last byte passed to the latest on_bytes(), UTC nanoseconds, of the clock
  /// that SocketOptions::receive_stamps select. 0: no stamps requested or supported, nothing
  /// received yet, or a dead id. No system call.
  [[nodiscard]] virtual std::int64_t received_ns(ConnectionId connection) const noexcept;

  /// Number of bytes accepted for the connection so far, including parked ones and those of layers
  /// such as TLS: the unit of Handler::on_transmitted(). 0: the id is dead, or this reactor has no
  /// transmit stamps.
  [[nodiscard]] virtual std::uint64_t output_position(ConnectionId connection) const noexcept;

  /// Slots in use, including opening and closing connections.
  [[nodiscard]] virtual std::uint32_t connection_count() const noexcept = 0;

  /// A descriptor that is readable while poll() has events, for an owner that waits for it in
  /// another loop: register it level-triggered, and neither read nor close it. The first call may
  /// open it. -1: this reactor has none, or the system refuses one.
  [[nodiscard]] virtual int descriptor() noexcept { return -1; }

  /// Begins such a wait after turns: a wake makes descriptor() readable from now on, and collected
  /// output goes to the kernel. Returns the steady time at which to call poll() at the latest; 0:
  /// at once.
  [[nodiscard]] virtual std::int64_t begin_rest() noexcept { return 0; }

  /// Lets other threads make poll() return.
  [[nodiscard]] virtual Waker& waker() noexcept = 0;

  /// Its name for make_reactor().
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

 protected:
  Reactor() = default;
};

/// Name of the reactor that the system serves best: "epoll" on Linux, else "poll".
[[nodiscard]] std::string_view default_reactor() noexcept;

/// Makes the reactor `name`, "epoll", "poll" or "io_uring", with all its memory. Unsupported: not
/// in this build, or the kernel lacks support (io_uring: 6.1, and permission). InvalidArgument: an
/// option is out of range. Denied, Io, NoSpace: the system refused.
[[nodiscard]] std::expected<std::unique_ptr<Reactor>, base::Error> make_reactor(
    std::string_view name, const ReactorOptions& options);

}  // namespace affix::inline v0::net
