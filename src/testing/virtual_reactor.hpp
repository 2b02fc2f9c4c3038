// SPDX-License-Identifier: MIT
// A node's end of the virtual network for the engine: implements net::Reactor and calls
// net::Handler without a socket. Private to testing; VirtualNetwork makes them.
#pragma once

#include "affix/net/reactor.hpp"
#include "affix/testing/link_conditions.hpp"

#include "testing/virtual_fabric.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

class VirtualLink;

class VirtualReactor final : public net::Reactor {
 public:
  VirtualReactor(VirtualFabric& fabric, NodeId node, const net::ReactorOptions& options);
  ~VirtualReactor() override;

  [[nodiscard]] base::Now now() noexcept override;

  [[nodiscard]] const net::ReactorOptions& options() const noexcept override { return options_; }

  net::Turn poll(base::Now now, const net::Wait& wait, net::Handler& handler) noexcept override;
  [[nodiscard]] std::expected<net::Listening, base::Error> listen(
      const net::Address& address, const net::SocketOptions& options) override;
  [[nodiscard]] std::expected<net::ListenerId, base::Error> add_listener(
      net::Listener listener) override;
  bool remove_listener(net::ListenerId listener) noexcept override;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> connect(
      const net::Address& address, const net::SocketOptions& options,
      std::int64_t deadline_ns) override;
  [[nodiscard]] std::expected<net::DetachedConnection, base::Error> release(
      net::ConnectionId connection, std::string_view unconsumed) override;
  using Reactor::adopt;
  [[nodiscard]] std::expected<net::ConnectionId, base::Error> adopt(
      net::DetachedConnection connection) override;
  [[nodiscard]] std::expected<net::Socket, base::Error> share(
      net::ConnectionId connection) override;
  [[nodiscard]] std::expected<net::Socket, base::Error> share(net::ListenerId listener) override;
  bool leave(net::ConnectionId connection) noexcept override;
  [[nodiscard]] std::expected<net::StreamPosition, base::Error> stream_position(
      const net::Socket& shared, net::Opened opened) override;
  [[nodiscard]] net::SendResult send(net::ConnectionId connection,
                                     std::span<const std::string_view> pieces) noexcept override;
  bool close(net::ConnectionId connection) noexcept override;
  bool close_after_flush(net::ConnectionId connection, std::int64_t deadline_ns) noexcept override;
  bool pause_reading(net::ConnectionId connection) noexcept override;
  bool resume_reading(net::ConnectionId connection) noexcept override;
  [[nodiscard]] std::size_t parked_bytes(net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<net::Address> local_address(
      net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<net::Address> peer_address(
      net::ConnectionId connection) const noexcept override;
  [[nodiscard]] std::uint32_t connection_count() const noexcept override;

  [[nodiscard]] net::Waker& waker() noexcept override { return waker_; }

  [[nodiscard]] std::string_view name() const noexcept override { return "virtual"; }

  /// The process is killed: everything but shared connections ends as the kernel ends it, and
  /// nothing works any more.
  void kill() noexcept;

 private:
  enum class Phase : std::uint8_t { Free, Connecting, Open, Flushing, Lingering };

  /// The report of a connection's beginning that its handler still has to get.
  enum class News : std::uint8_t {
    None,
    Begun,    ///< on_accepted() or on_connected() is due.
    Refused,  ///< on_connect_failed() is.
  };

  enum class Reading : std::uint8_t {
    On,
    Paused,
    Resumed,  ///< As On, but remaining bytes are delivered again first.
  };

  struct Connection {
    Phase phase = Phase::Free;
    std::uint32_t generation = 1;
    std::shared_ptr<VirtualLink> link;
    unsigned side = 0;
    News news = News::None;
    Reading reading = Reading::On;
    bool peer_ended = false;  // The handler has the end; only output is still sent.
    std::uint32_t listener = 0;
    std::int64_t deadline_ns = VirtualFabric::never_ns;
    std::vector<char> input;  // `input_size` unconsumed bytes, and padding after them.
    std::size_t input_size = 0;
    std::string parked;
  };

  struct ListenerSlot {
    bool used = false;
    std::uint32_t generation = 1;
  };

  [[nodiscard]] Connection* find(net::ConnectionId connection) noexcept;
  [[nodiscard]] const Connection* find(net::ConnectionId connection) const noexcept;
  [[nodiscard]] net::ConnectionId id_of(std::uint32_t slot) const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> take_slot();
  void free_slot(std::uint32_t slot, bool reset = false) noexcept;

  /// A peer has connected to the listener in `slot`; false when there is no room.
  [[nodiscard]] bool accept(std::uint32_t listener_slot, const std::shared_ptr<VirtualLink>& link);
  /// The result of an attempt to connect: a link, or none.
  void attempt_ended(std::uint32_t slot, std::uint32_t generation,
                     const std::shared_ptr<VirtualLink>& link);

  [[nodiscard]] std::uint32_t serve_all(net::Handler& handler) noexcept;
  [[nodiscard]] bool serve(std::uint32_t slot, net::Handler& handler) noexcept;
  [[nodiscard]] bool serve_attempt(std::uint32_t slot, net::Handler& handler) noexcept;
  [[nodiscard]] bool serve_open(std::uint32_t slot, net::Handler& handler) noexcept;
  [[nodiscard]] bool serve_closing(std::uint32_t slot, net::Handler& handler) noexcept;
  [[nodiscard]] bool write_parked(std::uint32_t slot, net::Handler& handler) noexcept;
  [[nodiscard]] bool read(std::uint32_t slot, net::Handler& handler) noexcept;
  [[nodiscard]] bool deliver(std::uint32_t slot, net::Handler& handler) noexcept;
  /// Passes bytes to the kernel; returns how many it takes.
  [[nodiscard]] std::size_t write(Connection& connection, std::string_view bytes) noexcept;
  void end(std::uint32_t slot, net::CloseReason reason, net::Handler& handler) noexcept;
  [[nodiscard]] std::int64_t nearest_deadline() const noexcept;

  VirtualFabric& fabric_;
  const NodeId node_;
  net::ReactorOptions options_;
  net::Waker waker_;  // Never blocked on, so it needs no descriptor.
  std::vector<Connection> connections_;
  std::vector<std::uint32_t> used_;
  std::vector<std::uint32_t> serving_;
  std::vector<ListenerSlot> listeners_;
  bool dead_ = false;
};

}  // namespace affix::inline v0::testing
