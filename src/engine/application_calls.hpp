// SPDX-License-Identifier: MIT
// The calls of a worker to its application: on_turn_end() follows every turn with callbacks.
#pragma once

#include "affix/host/application.hpp"

#include <utility>

namespace affix::inline v0::engine {

/// The worker's thread. The application outlives it.
class ApplicationCalls {
 public:
  explicit ApplicationCalls(host::Application& application) noexcept : application_(application) {}

  /// For a callback, after which on_turn_end() is due.
  [[nodiscard]] host::Application& for_callback() noexcept {
    turn_end_due_ = true;
    return application_;
  }

  /// For events and hooks, after which on_turn_end() is not due.
  [[nodiscard]] host::Application& for_hook() noexcept { return application_; }

  /// A callback ran, and on_turn_end() has not since.
  [[nodiscard]] bool turn_end_due() const noexcept { return turn_end_due_; }

  /// Calls on_turn_end() if it is due. It may cause further callbacks.
  void end_turn() noexcept {
    if (std::exchange(turn_end_due_, false)) {
      application_.on_turn_end();
    }
  }

 private:
  host::Application& application_;
  bool turn_end_due_ = false;
};

}  // namespace affix::inline v0::engine
