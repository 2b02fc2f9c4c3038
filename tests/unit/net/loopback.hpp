// SPDX-License-Identifier: MIT
// Shared by tests of the network layer: a handler that records its calls, a reactor with one
// listener on a port chosen by the kernel, and plain blocking sockets as peers.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/os/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::net::loopback {

/// Maximum time for which a test waits; reached only by a failing test.
inline constexpr std::int64_t patience_ns = 10 * base::ns_per_second;

using Key = std::pair<std::uint32_t, std::uint32_t>;

inline Key key(ConnectionId id) {
  return {id.slot, id.generation};
}

/// Records its calls. By default it consumes every byte into `received`.
class Recorder final : public Handler {
 public:
  struct Ended {
    ConnectionId id;
    CloseReason reason;
    int error_number;
  };

  struct Transmitted {
    ConnectionId id;
    std::uint64_t position;
    std::int64_t utc_ns;
  };

  struct Failed {
    ConnectionId id;
    ConnectFailure failure;
    int error_number;
  };

  void on_accepted(ListenerId listener, ConnectionId connection,
                   const Address& peer) noexcept override {
    accepted.push_back(connection);
    accepted_by.push_back(listener);
    peers.push_back(peer);
    if (when_accepted) {
      when_accepted(connection);
    }
  }

  void on_connected(ConnectionId connection) noexcept override {
    connected.push_back(connection);
    if (when_connected) {
      when_connected(connection);
    }
  }

  void on_connect_failed(ConnectionId connection, ConnectFailure failure,
                         int error_number) noexcept override {
    failed.push_back({connection, failure, error_number});
  }

  std::size_t on_bytes(ConnectionId connection, base::PaddedBytes bytes) noexcept override {
    ++deliveries;
    largest_delivery = std::max(largest_delivery, bytes.size);
    if (when_bytes) {
      return when_bytes(connection, bytes.view());
    }
    received[key(connection)].append(bytes.view());
    return bytes.size;
  }

  void on_tls_fault(ConnectionId connection, base::CodedText fault) noexcept override {
    tls_faults.push_back(std::string(fault.text) + base::Error::suffix_of(fault.code));
    static_cast<void>(connection);
  }

  void on_transmitted(ConnectionId connection, std::uint64_t position,
                      std::int64_t utc_ns) noexcept override {
    transmitted.push_back({connection, position, utc_ns});
    if (when_transmitted) {
      when_transmitted(connection);
    }
  }

  void on_drained(ConnectionId connection) noexcept override { drained.push_back(connection); }

  void on_closed(ConnectionId connection, CloseReason reason, int error_number) noexcept override {
    closed.push_back({connection, reason, error_number});
    if (when_closed) {
      when_closed(connection);
    }
  }

  void on_accept_paused(ListenerId, AcceptPause pause) noexcept override {
    pauses.push_back(pause);
  }

  [[nodiscard]] const std::string& bytes_of(ConnectionId id) { return received[key(id)]; }

  std::vector<ConnectionId> accepted;
  std::vector<ListenerId> accepted_by;
  std::vector<Address> peers;
  std::vector<ConnectionId> connected;
  std::vector<Failed> failed;
  std::vector<Transmitted> transmitted;
  std::vector<ConnectionId> drained;
  std::vector<Ended> closed;
  std::vector<AcceptPause> pauses;
  std::vector<std::string> tls_faults;  ///< With their codes.
  std::map<Key, std::string> received;
  std::size_t deliveries = 0;
  std::size_t largest_delivery = 0;
  std::function<std::size_t(ConnectionId, std::string_view)> when_bytes;
  std::function<void(ConnectionId)> when_accepted;
  std::function<void(ConnectionId)> when_connected;
  std::function<void(ConnectionId)> when_closed;
  std::function<void(ConnectionId)> when_transmitted;
};

/// A plain blocking socket, so that tests control the remote end.
class Peer {
 public:
  Peer() = default;

  explicit Peer(int fd) : socket_(fd) {}

  static Peer to(const Address& address) {
    Peer peer(net::make_socket(address.native()->sa_family, SOCK_STREAM, net::Waiting::Allowed));
    EXPECT_EQ(::connect(peer.fd(), address.native(), static_cast<socklen_t>(address.native_size())),
              0)
        << errno;
    return peer;
  }

  void send(std::string_view bytes) const {
    EXPECT_EQ(::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()))
        << errno;
  }

  /// Bytes available now; empty if there are none, or at the end.
  [[nodiscard]] std::string receive_now(std::size_t room = 65536) const {
    std::string bytes(room, '\0');
    const ssize_t got = ::recv(fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    last_receive_ = got < 0 ? -errno : got;
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

  /// True if the last receive_now() found the end of the stream.
  [[nodiscard]] bool at_end() const { return last_receive_ == 0; }

  [[nodiscard]] bool was_reset() const { return last_receive_ == -ECONNRESET; }

  void end_sending() const { EXPECT_EQ(::shutdown(fd(), SHUT_WR), 0); }

  void close() { socket_.close(); }

  /// Closes with a reset.
  void reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    EXPECT_EQ(::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
    socket_.close();
  }

  void limit_send_buffer(int bytes) const {
    EXPECT_EQ(::setsockopt(fd(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes), 0);
  }

  [[nodiscard]] int fd() const { return socket_.fd(); }

 private:
  Socket socket_;
  mutable ssize_t last_receive_ = 1;
};

inline Address any_loopback() {
  return Address::parse("127.0.0.1:0").value();
}

/// The reactor under test: every test of the interface applies to each.
inline std::string_view reactor_name() {
  const char* chosen = std::getenv("AFFIX_TEST_REACTOR");
  return chosen != nullptr ? chosen : default_reactor();
}

/// Its send() returns Sent for bytes that the kernel takes at submit() or in the next turn.
inline bool collects_output() {
  return std::string_view(reactor_name()) == "io_uring";
}

/// A reactor with one listener.
class Rig {
 public:
  explicit Rig(const ReactorOptions& options = {}, const SocketOptions& accepted = {},
               const Address& address = any_loopback()) {
    auto made = make_reactor(reactor_name(), options);
    EXPECT_TRUE(made) << made.error().text();
    reactor = std::move(*made);
    auto opened = Listener::open(address, accepted);
    EXPECT_TRUE(opened) << opened.error().text();
    here = opened->local_address();
    auto added = reactor->add_listener(std::move(*opened));
    EXPECT_TRUE(added) << added.error().text();
    listener = *added;
  }

  Turn turn() { return reactor->poll(os::now(), Wait::spin(), recorder); }

  /// Turns until `wanted` is true; false if it is not in time.
  template <typename Wanted>
  [[nodiscard]] bool turn_until(Wanted wanted) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (!wanted()) {
      const base::Now at = os::now();
      if (at.steady_ns > give_up_ns) {
        return false;
      }
      // Short, since a plain peer's progress is no event of this reactor.
      static_cast<void>(
          reactor->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), recorder));
    }
    return true;
  }

  /// Turns until nothing more happens.
  void settle() {
    for (int quiet = 0, turns = 0; quiet < 3 && turns < 10'000; ++turns) {
      const base::Now at = os::now();
      quiet =
          reactor->poll(at, Wait::block_until(at.steady_ns + base::ns_per_ms), recorder).events == 0
              ? quiet + 1
              : 0;
    }
  }

  /// Number of returns of the reactor within a time: few, if it blocks as it should.
  [[nodiscard]] int turns_within(std::int64_t span_ns) {
    const std::int64_t until_ns = os::now().steady_ns + span_ns;
    int turns = 0;
    while (os::now().steady_ns < until_ns) {
      static_cast<void>(reactor->poll(os::now(), Wait::block_until(until_ns), recorder));
      ++turns;
    }
    return turns;
  }

  /// A plain peer and its connection.
  std::pair<Peer, ConnectionId> join() {
    const std::size_t before = recorder.accepted.size();
    Peer peer = Peer::to(here);
    EXPECT_TRUE(turn_until([&] { return recorder.accepted.size() > before; }));
    return {std::move(peer), recorder.accepted.back()};
  }

  [[nodiscard]] bool ended(ConnectionId id) const {
    for (const Recorder::Ended& each : recorder.closed) {
      if (each.id == id) {
        return true;
      }
    }
    return false;
  }

  Recorder recorder;
  std::unique_ptr<Reactor> reactor;
  Address here;
  ListenerId listener;
};

/// Number of this process's open descriptors.
inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for (int fd = 0; fd < 4096; ++fd) {
    struct stat ignored{};
    count += ::fstat(fd, &ignored) == 0 ? 1U : 0U;
  }
  return count;
}

/// Options with which a peer that does not read is noticed soon.
inline SocketOptions small_buffers() {
  SocketOptions options;
  options.send_buffer_bytes = 8192;
  return options;
}

/// Sends `chunk` repeatedly until `enough` bytes are parked. Returns all accepted bytes. More than
/// half a megabyte stays parked until the peer reads, whatever the kernel's own buffers hold.
inline std::string park(Rig& rig, ConnectionId id, std::string_view chunk,
                        std::size_t enough = 512 * 1024) {
  std::string taken;
  while (rig.reactor->parked_bytes(id) < enough) {
    const SendResult result = rig.reactor->send(id, chunk);
    if (result != SendResult::Sent && result != SendResult::Parked) {
      ADD_FAILURE() << to_text(result);
      break;
    }
    rig.reactor->submit();
    taken += chunk;
  }
  return taken;
}

/// Bytes that depend on their position, so that a lost, duplicated or moved one is noticed.
inline std::string pattern(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 12345;
  for (char& each : bytes) {
    state = state * 1664525 + 1013904223;
    each = static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace affix::net::loopback
