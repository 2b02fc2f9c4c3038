// SPDX-License-Identifier: MIT
// The reactor on epoll, level-triggered; docs/internals/net.md says why.
// One class over four files: reactor_epoll.cpp turns and life, epoll_accept.cpp listeners and
// connecting, epoll_input.cpp reading, epoll_output.cpp writing and closing.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/net/clock.hpp"
#include "affix/net/reactor.hpp"

#include "net/block_pool.hpp"
#include "net/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <sys/epoll.h>
#include <sys/types.h>
#include <vector>

namespace affix::inline v0::net {

// epoll gives back 64 bits: slot below, generation above. Listeners and the waker have slots that
// no connection has.
inline constexpr std::uint32_t listener_mark = 0x8000'0000;
inline constexpr std::uint32_t waker_mark = 0xffff'ffff;

[[nodiscard]] constexpr std::uint64_t mark_of(std::uint32_t slot,
                                              std::uint32_t generation) noexcept {
  return std::uint64_t{generation} << 32 | slot;
}

class EpollReactor final : public Reactor {
 public:
  /// `options` must have been checked.
  [[nodiscard]] static std::expected<std::unique_ptr<Reactor>, base::Error> make(
      const ReactorOptions& options);

  [[nodiscard]] base::Now now() noexcept override { return net::now(); }

  [[nodiscard]] const ReactorOptions& options() const noexcept override { return options_; }

  Turn poll(base::Now now, const Wait& wait, Handler& handler) noexcept override;
  [[nodiscard]] std::expected<ListenerId, base::Error> add_listener(Listener listener) override;
  bool remove_listener(ListenerId listener) noexcept override;
  [[nodiscard]] std::expected<ConnectionId, base::Error> connect(const Address& address,
                                                                 const SocketOptions& options,
                                                                 std::int64_t deadline_ns) override;
  [[nodiscard]] std::expected<ConnectionId, base::Error> adopt(
      Socket socket, const SocketOptions& options) override;
  [[nodiscard]] SendResult send(ConnectionId connection,
                                std::span<const std::string_view> pieces) noexcept override;
  bool close(ConnectionId connection) noexcept override;
  bool close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept override;
  bool pause_reading(ConnectionId connection) noexcept override;
  bool resume_reading(ConnectionId connection) noexcept override;
  [[nodiscard]] std::size_t parked_bytes(ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<Address> local_address(
      ConnectionId connection) const noexcept override;
  [[nodiscard]] std::optional<Address> peer_address(
      ConnectionId connection) const noexcept override;
  [[nodiscard]] std::uint32_t connection_count() const noexcept override;

  [[nodiscard]] Waker& waker() noexcept override { return waker_; }

  [[nodiscard]] std::string_view name() const noexcept override { return "epoll"; }

 private:
  explicit EpollReactor(const ReactorOptions& options) : options_(options) {}

  [[nodiscard]] std::expected<void, base::Error> open();

  // Turns (reactor_epoll.cpp).
  [[nodiscard]] std::uint32_t end_what_is_due(Handler& handler) noexcept;
  [[nodiscard]] std::uint32_t do_pending(Handler& handler) noexcept;
  void catch_up(std::uint32_t slot, Handler& handler) noexcept;
  [[nodiscard]] std::int64_t timeout_ns(const Wait& wait) const noexcept;
  [[nodiscard]] std::uint32_t wait_and_dispatch(std::int64_t timeout, Handler& handler) noexcept;
  [[nodiscard]] int wait_for_events(std::int64_t timeout) noexcept;
  void dispatch(const epoll_event& event, Handler& handler) noexcept;
  void on_connection_event(std::uint32_t slot, std::uint32_t events, Handler& handler) noexcept;
  [[nodiscard]] bool may_read_directly(const Wait& wait) noexcept;
  [[nodiscard]] std::uint32_t read_directly(Handler& handler) noexcept;

  // Slots (reactor_epoll.cpp).
  [[nodiscard]] Connection* find(ConnectionId connection) noexcept;
  [[nodiscard]] const Connection* find(ConnectionId connection) const noexcept;

  [[nodiscard]] ConnectionId id_of(std::uint32_t slot) const noexcept {
    return {slot, connections_[slot].generation};
  }

  [[nodiscard]] std::uint32_t take_slot(Socket socket, bool quick_ack) noexcept;
  void free_slot(std::uint32_t slot) noexcept;
  void queue(std::uint32_t slot) noexcept;
  [[nodiscard]] bool watch(std::uint32_t slot) noexcept;
  void unwatch(std::uint32_t slot) noexcept;

  // Listeners and connecting (epoll_accept.cpp).
  void accept_from(std::uint32_t listener, Handler& handler) noexcept;
  [[nodiscard]] bool accept_one(std::uint32_t listener, Handler& handler) noexcept;
  void rest(std::uint32_t listener, AcceptPause pause, Handler& handler) noexcept;
  void wake_listeners() noexcept;
  void watch_listener(std::uint32_t listener, std::uint32_t events) noexcept;
  void finish_connect(std::uint32_t slot, int error_number, Handler& handler) noexcept;

  // Input (epoll_input.cpp).
  bool read_from(std::uint32_t slot, Handler& handler) noexcept;
  [[nodiscard]] ssize_t read_once(Connection& connection, std::uint32_t* room,
                                  char** begin) noexcept;
  [[nodiscard]] bool deliver(std::uint32_t slot, char* begin, std::uint32_t size,
                             Handler& handler) noexcept;
  void keep(Connection& connection, const char* begin, std::uint32_t size) noexcept;
  void on_input_end(std::uint32_t slot, int error_number, Handler& handler) noexcept;
  void discard_input(std::uint32_t slot, Handler& handler) noexcept;
  void drop_input(Connection& connection) noexcept;

  // Output and closing (epoll_output.cpp).
  void continue_output(std::uint32_t slot, Handler& handler) noexcept;
  void break_off(std::uint32_t slot, int error_number) noexcept;
  void on_flushed(std::uint32_t slot, Handler& handler) noexcept;
  void end(std::uint32_t slot, CloseReason reason, int error_number, Handler& handler) noexcept;

  ReactorOptions options_;
  Socket epoll_;
  Waker waker_;
  std::vector<Connection> connections_;  // By slot.
  std::vector<std::uint32_t> free_;      // Slots; top = used next.
  std::vector<std::uint32_t> used_;      // Slots, in no order.
  std::vector<std::uint32_t> pending_;   // Slots with something to do at the next turn, each once.
  std::vector<std::uint32_t> pending_now_;  // The same, while they are worked on.
  std::vector<ListenerSlot> listeners_;
  std::vector<epoll_event> events_;
  base::DeadlineHeap deadlines_;
  BlockPool input_blocks_;
  BlockPool output_blocks_;
  BlockPool stage_pool_;
  char* stage_ =
      nullptr;  // The shared receive buffer: head room for a small tail, then a read, then padding.
  std::int64_t now_ns_ = 0;
  std::int64_t last_event_ns_ = 0;
  std::uint32_t resting_ = 0;       // Listeners.
  std::uint32_t direct_turns_ = 0;  // Since epoll was asked.
  bool had_events_ = false;         // In the previous turn.
  bool has_pwait2_ = true;
  bool polling_ = false;
};

/// Reasons from errno's values.
[[nodiscard]] CloseReason close_reason_of(int error_number) noexcept;
[[nodiscard]] ConnectFailure connect_failure_of(int error_number) noexcept;

}  // namespace affix::inline v0::net
