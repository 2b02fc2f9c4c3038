// SPDX-License-Identifier: MIT
// The reactor on epoll, level-triggered; docs/internals/net.md gives reasons.
#pragma once

#include "net/readiness_reactor.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string_view>
#include <sys/epoll.h>
#include <vector>

namespace affix::inline v0::net {

class EpollReactor final : public ReadinessReactor {
 public:
  /// `options` must have been checked.
  [[nodiscard]] static std::expected<std::unique_ptr<Reactor>, base::Error> make(
      const ReactorOptions& options);

  [[nodiscard]] std::string_view name() const noexcept override { return "epoll"; }

  [[nodiscard]] int descriptor() noexcept override { return epoll_.fd(); }

 private:
  explicit EpollReactor(const ReactorOptions& options) : ReadinessReactor(options) {}

  [[nodiscard]] std::expected<void, base::Error> open();
  [[nodiscard]] std::uint32_t wait_and_dispatch(std::int64_t timeout_ns,
                                                Handler& handler) noexcept override;
  [[nodiscard]] int wait_for_events(std::int64_t timeout) noexcept;
  [[nodiscard]] bool arm(std::uint32_t slot, SocketEvents wanted) noexcept override;
  void disarm(std::uint32_t slot) noexcept override;
  [[nodiscard]] bool watch_listener(std::uint32_t listener, bool wanted) noexcept override;
  void unwatch_listener(std::uint32_t listener) noexcept override;

  Socket epoll_;
  std::vector<epoll_event> events_;
  bool has_pwait2_ = true;
};

}  // namespace affix::inline v0::net
