// SPDX-License-Identifier: MIT
// One worker of an engine, for whoever drives it from a loop of his own.
#pragma once

#include "affix/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::engine {

class Worker;

/// A copyable reference; lives as long as the engine. Everything belongs to the one thread that
/// drives the worker, which is also where all callbacks of its sessions come from; wake() is any
/// thread's.
class WorkerHandle {
 public:
  explicit WorkerHandle(Worker* worker) noexcept : worker_(worker) {}

  /// One turn: timers, input, callbacks, output. Waits at most until `wait_until_ns` of the steady
  /// clock as the configured wait mode says; 0 returns at once. True: something happened. Somebody
  /// must see to Engine::prepare_journals() meanwhile, on another thread or between turns.
  bool poll(std::int64_t wait_until_ns = 0) const noexcept;

  /// Begins to log its sessions out; go on with poll() until all_down(). No reconnects from here
  /// on, and no Logon is taken.
  void finish(std::string_view text) const noexcept;

  /// None of its sessions has a connection or is to make one.
  [[nodiscard]] bool all_down() const noexcept;

  /// How many sessions its timers have looked at since it was opened: those that were due and no
  /// others, however many sessions there are. Counted at no cost to messages.
  [[nodiscard]] std::uint64_t timer_visits() const noexcept;

  /// The clocks it goes by.
  [[nodiscard]] base::Now now() const noexcept;

  /// Its place among the engine's workers; SessionHandle::worker() says which one has a session.
  [[nodiscard]] std::size_t number() const noexcept;

  /// The core it is to be pinned to, -1 for none; pin() does that to the calling thread. False: the
  /// process may not use that core.
  [[nodiscard]] std::int64_t core() const noexcept;
  bool pin() const noexcept;

  /// Makes poll() return and call Application::on_wake(). Any thread, signal handlers included.
  void wake() const noexcept;

 private:
  Worker* worker_;
};

}  // namespace affix::inline v0::engine
