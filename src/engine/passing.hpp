// SPDX-License-Identifier: MIT
// Connections of a failover group that this node hands over, on their way into the keeper from
// which the next primary takes them.
#pragma once

#include "affix/net/waker.hpp"

#include "engine/kept_connections.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace affix::inline v0::engine {

/// Connections that `node` was left with, and has perhaps not taken.
struct LeftLook {
  std::string node;
  std::int64_t at_ns = 0;  ///< Steady time of the next look.
  int looks = 0;           ///< So far.
};

/// Shared by the control thread and the workers. The next primary can take the connections when
/// nobody shares `to` any more: the control thread does until this node has stepped down, and each
/// session until it has left its connection.
class Passing {
 public:
  /// `control` is woken when the last worker is done; null: nobody.
  Passing(std::shared_ptr<KeptConnections> to, std::size_t workers, std::int64_t until_ns,
          net::Waker* control) noexcept
      : to_(std::move(to)), workers_(workers), until_ns_(until_ns), control_(control) {}

  [[nodiscard]] const std::shared_ptr<KeptConnections>& to() const noexcept { return to_; }

  /// Steady time from which no worker waits for its sessions' output to leave.
  [[nodiscard]] std::int64_t until_ns() const noexcept { return until_ns_; }

  /// A worker has passed on all that it can, which is `connections`.
  void on_worker_done(std::size_t connections) noexcept {
    connections_.fetch_add(connections, std::memory_order_relaxed);
    // Release: whoever sees the last one sees the connections of all.
    if (workers_.fetch_sub(1, std::memory_order_acq_rel) == 1 && control_ != nullptr) {
      control_->wake();
    }
  }

  [[nodiscard]] bool is_done() const noexcept {
    return workers_.load(std::memory_order_acquire) == 0;
  }

  /// Number of connections, once it is done.
  [[nodiscard]] std::size_t connections() const noexcept {
    return connections_.load(std::memory_order_relaxed);
  }

 private:
  const std::shared_ptr<KeptConnections> to_;
  std::atomic<std::size_t> workers_;  // That are not done.
  std::atomic<std::size_t> connections_{0};
  const std::int64_t until_ns_;
  net::Waker* const control_;
};

}  // namespace affix::inline v0::engine
