// SPDX-License-Identifier: MIT
// Common part of the reactors that learn from the kernel which sockets are ready, and then read and
// write themselves: all but the question. One class in three files: readiness_reactor.cpp has the
// events, readiness_input.cpp reading, readiness_output.cpp writing.
#pragma once

#include "net/socket_reactor.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace affix::inline v0::net {

/// Whose event it is: slot in the low half, generation in the high half. Listeners and the waker
/// have slots that no connection has.
inline constexpr std::uint32_t listener_mark = 0x8000'0000;
inline constexpr std::uint32_t waker_mark = 0xffff'ffff;

[[nodiscard]] constexpr std::uint64_t mark_of(std::uint32_t slot,
                                              std::uint32_t generation) noexcept {
  return std::uint64_t{generation} << 32 | slot;
}

/// Events of a socket: POLLIN, POLLOUT, POLLERR, POLLHUP.
using SocketEvents = std::uint32_t;

class ReadinessReactor : public SocketReactor {
 protected:
  explicit ReadinessReactor(const ReactorOptions& options) : SocketReactor(options) {}

  /// Reserves slots and the receive buffer. Call once, first.
  [[nodiscard]] std::expected<void, base::Error> open_buffers();

  // Implemented by derived classes.

  /// Waits for at most `timeout_ns` (0: not at all), hands each event to dispatch(), and returns
  /// their number.
  [[nodiscard]] virtual std::uint32_t wait_and_dispatch(std::int64_t timeout_ns,
                                                        Handler& handler) noexcept = 0;

  /// Asks for `wanted` events of the connection, besides POLLERR and POLLHUP, instead of those of
  /// Connection::armed if it is registered. False, with errno: failed.
  [[nodiscard]] virtual bool arm(std::uint32_t slot, SocketEvents wanted) noexcept = 0;

  /// Asks for no events of a registered connection any more.
  virtual void disarm(std::uint32_t slot) noexcept = 0;

  /// One event; out-of-date ones are ignored.
  void dispatch(std::uint64_t mark, SocketEvents events, Handler& handler) noexcept;

 private:
  // Events (readiness_reactor.cpp).
  [[nodiscard]] std::uint32_t take_events(const Wait& wait, std::int64_t timeout_ns,
                                          Handler& handler) noexcept final;
  [[nodiscard]] bool watch(std::uint32_t slot) noexcept final;
  void unwatch(std::uint32_t slot) noexcept final;
  void on_connection_event(std::uint32_t slot, SocketEvents events, Handler& handler) noexcept;
  [[nodiscard]] bool may_read_directly(const Wait& wait) noexcept;
  [[nodiscard]] std::uint32_t read_directly(Handler& handler) noexcept;

  // Input (readiness_input.cpp).
  bool read_from(std::uint32_t slot, Handler& handler) noexcept;
  [[nodiscard]] static ssize_t receive_stamped(Connection& connection,
                                               std::span<char> place) noexcept;
  [[nodiscard]] ssize_t read_once(Connection& connection, std::uint32_t* room,
                                  char** begin) noexcept;
  void discard_input(std::uint32_t slot, Handler& handler) noexcept;
  void read_out(std::uint32_t slot, Handler& handler) noexcept final;

  /// Input is delivered as soon as it is read.
  [[nodiscard]] bool deliver_held(std::uint32_t, Handler&) noexcept final { return true; }

  // Output (readiness_output.cpp).
  [[nodiscard]] SendResult send_accepted(std::uint32_t slot,
                                         std::span<const std::string_view> pieces,
                                         std::size_t total) noexcept final;
  void continue_output(std::uint32_t slot, Handler& handler) noexcept;

  BlockPool stage_pool_;
  char* stage_ =
      nullptr;  // The shared receive buffer: head room for a small tail, then a read, then padding.
  std::uint32_t direct_turns_ = 0;  // Turns since the kernel was last asked.
};

}  // namespace affix::inline v0::net
