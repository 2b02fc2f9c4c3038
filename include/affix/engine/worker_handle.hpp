// SPDX-License-Identifier: MIT
// One worker of an engine, for programs that drive it from their own loop.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>

namespace affix::inline v0::engine {

class Worker;

/// A copyable reference; valid as long as the engine. Call everything on the one thread that
/// drives the worker and runs all callbacks of its sessions; only wake() may be called on any
/// thread.
class WorkerHandle {
 public:
  explicit WorkerHandle(Worker* worker) noexcept : worker_(worker) {}

  /// Runs one turn: timers, input, callbacks, output. Waits until `wait_until_ns` of the steady
  /// clock at most, in the configured wait mode; 0 returns at once. True: something happened. Call
  /// Engine::prepare_journals() meanwhile, on another thread or between turns.
  bool poll(std::int64_t wait_until_ns = 0) const noexcept;

  /// Like Engine::descriptor(), for a loop that drives this worker. Unsupported: its reactor has
  /// none.
  [[nodiscard]] std::expected<int, base::Error> descriptor() const;

  /// Starts to log its sessions out; continue with poll() until all_down(). Stops reconnects and
  /// refuses Logons.
  void finish(std::string_view text) const noexcept;

  /// True if none of its sessions is connected or connecting.
  [[nodiscard]] bool all_down() const noexcept;

  /// Number of sessions whose timers it has checked since it was opened: only those that were due,
  /// however many sessions exist. Counting costs messages nothing.
  [[nodiscard]] std::uint64_t timer_visits() const noexcept;

  /// Clock readings of its current turn.
  [[nodiscard]] base::Now now() const noexcept;

  /// Its index among the engine's workers; SessionHandle::worker() returns a session's.
  [[nodiscard]] std::size_t number() const noexcept;

  /// Core configured for it, -1 for none; pin() pins the calling thread to it. False: the process
  /// may not use that core.
  [[nodiscard]] std::int64_t core() const noexcept;
  bool pin() const noexcept;

  /// Makes poll() return and call Application::on_wake(). Any thread, signal handlers included.
  void wake() const noexcept;

 private:
  Worker* worker_;
};

}  // namespace affix::inline v0::engine
