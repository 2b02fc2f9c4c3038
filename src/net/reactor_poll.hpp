// SPDX-License-Identifier: MIT
// The reactor on poll(), which every system has: each turn passes every socket to the kernel, so
// the cost of a turn grows with the number of connections.
#pragma once

#include "net/readiness_reactor.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <poll.h>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

class PollReactor final : public ReadinessReactor {
 public:
  /// `options` must have been checked.
  [[nodiscard]] static std::expected<std::unique_ptr<Reactor>, base::Error> make(
      const ReactorOptions& options);

  [[nodiscard]] std::string_view name() const noexcept override { return "poll"; }

 private:
  /// Of a socket that is not in `polled_`.
  static constexpr std::uint32_t nowhere = UINT32_MAX;

  struct Event {
    std::uint64_t mark = 0;
    SocketEvents events = 0;
  };

  explicit PollReactor(const ReactorOptions& options) : ReadinessReactor(options) {}

  [[nodiscard]] std::expected<void, base::Error> open();
  [[nodiscard]] std::uint32_t wait_and_dispatch(std::int64_t timeout_ns,
                                                Handler& handler) noexcept override;
  void collect(int ready) noexcept;
  [[nodiscard]] bool arm(std::uint32_t slot, SocketEvents wanted) noexcept override;
  void disarm(std::uint32_t slot) noexcept override;
  [[nodiscard]] bool watch_listener(std::uint32_t listener, bool wanted) noexcept override;
  void unwatch_listener(std::uint32_t listener) noexcept override;
  void add(int descriptor, SocketEvents wanted, std::uint64_t mark) noexcept;
  void remove(std::uint32_t& position) noexcept;
  [[nodiscard]] std::uint32_t& position_of(std::uint32_t slot) noexcept;

  // The waker first, then listeners and connections in no order; all reserved at the start.
  std::vector<pollfd> polled_;
  std::vector<std::uint64_t> marks_;  // Of each in `polled_`.
  // In `polled_`, by slot.
  std::vector<std::uint32_t> connection_positions_;
  std::vector<std::uint32_t> listener_positions_;
  std::vector<Event> events_;  // Of a turn: handlers change `polled_`.
  std::size_t next_ = 0;       // Where the next look begins, so that no socket has precedence.
};

}  // namespace affix::inline v0::net
