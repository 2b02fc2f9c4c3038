// SPDX-License-Identifier: MIT
// Common part of all socket reactors: slots and their phases, deadlines, listeners,
// delivering input and keeping its rest, parking output, closing in order. A derived
// class asks the kernel for events, or submits requests to it. One class in six files:
// socket_reactor.cpp has turns and slots, socket_accept.cpp listeners and connecting,
// socket_hand_over.cpp connections that change reactors, socket_input.cpp input,
// socket_output.cpp output and closing, transmit_stamps.cpp the times when output
// left.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/net/reactor.hpp"
#include "affix/os/clock.hpp"

#include "net/block_pool.hpp"
#include "net/connection.hpp"
#include "net/reckoned_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

class SocketReactor : public Reactor {
 public:
  [[nodiscard]] base::Now now() noexcept final { return os::now(); }

  [[nodiscard]] base::Now now_again() noexcept final;

  [[nodiscard]] const ReactorOptions& options() const noexcept final { return options_; }

  Turn poll(base::Now now, const Wait& wait, Handler& handler) noexcept final;
  [[nodiscard]] std::expected<ListenerId, base::Error> add_listener(Listener listener) final;
  void rest_listener(ListenerId listener, std::int64_t until_ns) noexcept final;
  void end_rest(ListenerId listener) noexcept final;
  bool remove_listener(ListenerId listener) noexcept final;
  [[nodiscard]] std::expected<ConnectionId, base::Error> connect(const Address& address,
                                                                 const SocketOptions& options,
                                                                 std::int64_t deadline_ns) final;
  [[nodiscard]] std::expected<DetachedConnection, base::Error> release(
      ConnectionId connection, std::string_view unconsumed) override;
  using Reactor::adopt;
  [[nodiscard]] std::expected<ConnectionId, base::Error> adopt(DetachedConnection connection) final;
  [[nodiscard]] std::expected<Socket, base::Error> share(ConnectionId connection) final;
  [[nodiscard]] std::expected<Socket, base::Error> share(ListenerId listener) final;
  bool leave(ConnectionId connection) noexcept final;
  [[nodiscard]] SendResult send(ConnectionId connection,
                                std::span<const std::string_view> pieces) noexcept final;
  bool close(ConnectionId connection) noexcept final;
  bool close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept final;
  bool pause_reading(ConnectionId connection) noexcept final;
  bool resume_reading(ConnectionId connection) noexcept final;
  [[nodiscard]] std::size_t parked_bytes(ConnectionId connection) const noexcept final;
  [[nodiscard]] std::optional<Address> local_address(ConnectionId connection) const noexcept final;
  [[nodiscard]] std::optional<Address> peer_address(ConnectionId connection) const noexcept final;
  [[nodiscard]] std::int64_t received_ns(ConnectionId connection) const noexcept final;
  [[nodiscard]] std::uint64_t output_position(ConnectionId connection) const noexcept final;
  [[nodiscard]] std::uint32_t connection_count() const noexcept final;

  [[nodiscard]] std::int64_t begin_rest() noexcept override;

  [[nodiscard]] Waker& waker() noexcept final { return waker_; }

 protected:
  /// `options` must have been checked.
  explicit SocketReactor(const ReactorOptions& options) : options_(options) {}

  /// Reserves all memory. Call once, first.
  [[nodiscard]] std::expected<void, base::Error> open_slots();

  // Implemented by derived classes.

  /// Waits for at most `timeout_ns` (0: not at all), processes events, and returns their number.
  /// `wait` is the owner's wait mode.
  [[nodiscard]] virtual std::uint32_t take_events(const Wait& wait, std::int64_t timeout_ns,
                                                  Handler& handler) noexcept = 0;

  /// Registers the slot for the events that its state needs, and no others. False, with errno:
  /// failed.
  [[nodiscard]] virtual bool watch(std::uint32_t slot) noexcept = 0;

  /// Sends or parks pieces of `total` bytes, which is not 0; the connection accepts them.
  [[nodiscard]] virtual SendResult send_accepted(std::uint32_t slot,
                                                 std::span<const std::string_view> pieces,
                                                 std::size_t total) noexcept = 0;

  /// Removes the slot's socket, which is closed next, from the kernel's view.
  virtual void unwatch(std::uint32_t slot) noexcept = 0;

  /// The same for a listener; `wanted`: accept peers.
  [[nodiscard]] virtual bool watch_listener(std::uint32_t listener, bool wanted) noexcept = 0;
  virtual void unwatch_listener(std::uint32_t listener) noexcept = 0;

  /// Delivers input that was read before reading was paused. False when it must not continue: the
  /// connection is gone, closing or paused.
  [[nodiscard]] virtual bool deliver_held(std::uint32_t slot, Handler& handler) noexcept = 0;

  /// A send has failed, and the connection ends for `end_reason` after earlier input of the peer
  /// was delivered.
  virtual void read_out(std::uint32_t slot, Handler& handler) noexcept = 0;

  // Turns (socket_reactor.cpp).
  [[nodiscard]] std::uint32_t end_what_is_due(Handler& handler) noexcept;
  [[nodiscard]] std::uint32_t do_pending(Handler& handler) noexcept;
  void catch_up(std::uint32_t slot, Handler& handler) noexcept;
  [[nodiscard]] std::int64_t timeout_ns(const Wait& wait) const noexcept;
  [[nodiscard]] std::int64_t next_deadline_ns() const noexcept;

  // Slots (socket_reactor.cpp).
  [[nodiscard]] Connection* find(ConnectionId connection) noexcept;
  [[nodiscard]] const Connection* find(ConnectionId connection) const noexcept;

  [[nodiscard]] ConnectionId id_of(std::uint32_t slot) const noexcept {
    return {slot, connections_[slot].generation};
  }

  [[nodiscard]] std::uint32_t take_slot(Socket socket, bool quick_ack, bool stamped) noexcept;
  void free_slot(std::uint32_t slot) noexcept;
  void queue(std::uint32_t slot) noexcept;

  // Moving connections (socket_hand_over.cpp).
  [[nodiscard]] std::expected<ConnectionId, base::Error> take_over(DetachedConnection& connection);

  // Listeners and connecting (socket_accept.cpp).
  void accept_from(std::uint32_t listener, Handler& handler) noexcept;
  [[nodiscard]] bool accept_one(std::uint32_t listener, Handler& handler) noexcept;
  [[nodiscard]] bool is_reserved(int descriptor) const noexcept;
  [[nodiscard]] ListenerSlot* find(ListenerId listener) noexcept;
  void begin_rest(std::uint32_t listener, bool needs_slot, std::int64_t retry_ns) noexcept;
  void rest(std::uint32_t listener, AcceptPause pause, Handler& handler) noexcept;
  void wake_listeners() noexcept;
  void finish_connect(std::uint32_t slot, int error_number, Handler& handler) noexcept;

  /// Result of a connect, from the socket once it is writable.
  [[nodiscard]] int connect_error(std::uint32_t slot) const noexcept;

  // Input (socket_input.cpp).
  [[nodiscard]] bool deliver(std::uint32_t slot, char* begin, std::uint32_t size,
                             Handler& handler) noexcept;
  void on_input_end(std::uint32_t slot, int error_number, Handler& handler) noexcept;
  void on_discarded_end(std::uint32_t slot, int error_number, Handler& handler) noexcept;

  // Output and closing (socket_output.cpp).
  void park(Connection& connection, std::span<const std::string_view> pieces,
            std::size_t sent) noexcept;
  /// Reports the kernel's notes about output that has left (transmit_stamps.cpp). True: there were
  /// some.
  bool take_transmit_stamps(std::uint32_t slot, Handler& handler) noexcept;
  void on_output_taken(std::uint32_t slot, std::size_t bytes, Handler& handler) noexcept;
  void on_output_fault(std::uint32_t slot, int error_number, Handler& handler) noexcept;
  void break_off(std::uint32_t slot, int error_number) noexcept;
  void on_flushed(std::uint32_t slot, Handler& handler) noexcept;
  void end(std::uint32_t slot, CloseReason reason, int error_number, Handler& handler) noexcept;

  ReactorOptions options_;
  Waker waker_;
  std::vector<Connection> connections_;     // By slot.
  std::vector<std::uint32_t> free_;         // Slots; top = used next.
  std::vector<std::uint32_t> used_;         // Slots, in no order.
  std::vector<std::uint32_t> pending_;      // Slots with work for the next turn, each once.
  std::vector<std::uint32_t> pending_now_;  // The same while they are processed.
  std::vector<ListenerSlot> listeners_;
  base::DeadlineHeap deadlines_;
  BlockPool input_blocks_;
  BlockPool output_blocks_;
  ReckonedClock clock_;
  ConnectionId delivering_;  // During its on_bytes().
  std::int64_t now_ns_ = 0;
  std::int64_t last_event_ns_ = 0;
  std::uint32_t resting_ = 0;  // Listeners.
  bool had_events_ = false;    // In the previous turn.
  bool polling_ = false;
};

/// Reasons from errno's values.
[[nodiscard]] CloseReason close_reason_of(int error_number) noexcept;
[[nodiscard]] ConnectFailure connect_failure_of(int error_number) noexcept;

}  // namespace affix::inline v0::net
