// SPDX-License-Identifier: MIT
// The reactor on epoll, level-triggered; docs/internals/net.md gives reasons. One class in three
// files: reactor_epoll.cpp has turns and registration, epoll_input.cpp reading, epoll_output.cpp
// writing.
#pragma once

#include "net/socket_reactor.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string_view>
#include <sys/epoll.h>
#include <sys/types.h>
#include <vector>

namespace affix::inline v0::net {

// epoll returns 64 bits: slot in the low half, generation in the high half. Listeners and the waker
// have slots that no connection has.
inline constexpr std::uint32_t listener_mark = 0x8000'0000;
inline constexpr std::uint32_t waker_mark = 0xffff'ffff;

[[nodiscard]] constexpr std::uint64_t mark_of(std::uint32_t slot,
                                              std::uint32_t generation) noexcept {
  return std::uint64_t{generation} << 32 | slot;
}

class EpollReactor final : public SocketReactor {
 public:
  /// `options` must have been checked.
  [[nodiscard]] static std::expected<std::unique_ptr<Reactor>, base::Error> make(
      const ReactorOptions& options);

  [[nodiscard]] std::string_view name() const noexcept override { return "epoll"; }

  [[nodiscard]] int descriptor() noexcept override { return epoll_.fd(); }

 private:
  explicit EpollReactor(const ReactorOptions& options) : SocketReactor(options) {}

  [[nodiscard]] std::expected<void, base::Error> open();

  // Turns and registration (reactor_epoll.cpp).
  [[nodiscard]] std::uint32_t take_events(const Wait& wait, std::int64_t timeout_ns,
                                          Handler& handler) noexcept override;
  [[nodiscard]] bool watch(std::uint32_t slot) noexcept override;
  void unwatch(std::uint32_t slot) noexcept override;
  [[nodiscard]] bool watch_listener(std::uint32_t listener, bool wanted) noexcept override;
  void unwatch_listener(std::uint32_t listener) noexcept override;
  [[nodiscard]] std::uint32_t wait_and_dispatch(std::int64_t timeout, Handler& handler) noexcept;
  [[nodiscard]] int wait_for_events(std::int64_t timeout) noexcept;
  void dispatch(const epoll_event& event, Handler& handler) noexcept;
  void on_connection_event(std::uint32_t slot, std::uint32_t events, Handler& handler) noexcept;
  [[nodiscard]] bool may_read_directly(const Wait& wait) noexcept;
  [[nodiscard]] std::uint32_t read_directly(Handler& handler) noexcept;

  // Input (epoll_input.cpp).
  bool read_from(std::uint32_t slot, Handler& handler) noexcept;
  [[nodiscard]] static ssize_t receive_stamped(Connection& connection,
                                               std::span<char> place) noexcept;
  [[nodiscard]] ssize_t read_once(Connection& connection, std::uint32_t* room,
                                  char** begin) noexcept;
  void discard_input(std::uint32_t slot, Handler& handler) noexcept;
  void read_out(std::uint32_t slot, Handler& handler) noexcept override;

  /// Input is delivered as soon as it is read.
  [[nodiscard]] bool deliver_held(std::uint32_t, Handler&) noexcept override { return true; }

  // Output (epoll_output.cpp).
  [[nodiscard]] SendResult send_accepted(std::uint32_t slot,
                                         std::span<const std::string_view> pieces,
                                         std::size_t total) noexcept override;
  void continue_output(std::uint32_t slot, Handler& handler) noexcept;

  Socket epoll_;
  std::vector<epoll_event> events_;
  BlockPool stage_pool_;
  char* stage_ =
      nullptr;  // The shared receive buffer: head room for a small tail, then a read, then padding.
  std::uint32_t direct_turns_ = 0;  // Turns since the last epoll_wait.
  bool has_pwait2_ = true;
};

}  // namespace affix::inline v0::net
