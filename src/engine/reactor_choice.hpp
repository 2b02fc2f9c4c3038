// SPDX-License-Identifier: MIT
// Which reactor groups of sessions that share a thread have.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/net/reactor.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace affix::inline v0::engine {

/// The one that any of them asks for besides the default; io_uring before poll.
[[nodiscard]] inline config::ReactorKind reactor_of(
    std::span<const config::InstanceSettings* const> instances) {
  config::ReactorKind kind = config::ReactorKind::Epoll;
  for (const config::InstanceSettings* const instance : instances) {
    kind = std::max(kind, instance->reactor);
  }
  return kind;
}

/// Its name for net::make_reactor().
[[nodiscard]] inline std::string_view name_of(config::ReactorKind kind) noexcept {
  switch (kind) {
    case config::ReactorKind::Epoll:
      return net::default_reactor();
    case config::ReactorKind::Poll:
      return "poll";
    case config::ReactorKind::IoUring:
      return "io_uring";
  }
  return {};
}

}  // namespace affix::inline v0::engine
