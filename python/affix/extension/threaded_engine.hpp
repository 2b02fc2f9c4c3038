// SPDX-License-Identifier: MIT
// An engine with threads of its own: one for each worker, and those that spare them the disk.
#pragma once

#include "affix/engine/engine.hpp"

#include "callbacks.hpp"

#include <memory>
#include <nanobind/nanobind.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace affix::python {

/// All with the GIL, which orders Python's threads; the engine's own have it in Callbacks only.
class ThreadedEngine {
 public:
  ThreadedEngine(const config::Configuration& configuration, nanobind::object engine,
                 nanobind::object on_message, Finishing finishing);
  ~ThreadedEngine();
  ThreadedEngine(const ThreadedEngine&) = delete;
  ThreadedEngine& operator=(const ThreadedEngine&) = delete;

  /// Once, when every session is attached.
  void start();

  /// Begins to log everybody out.
  void stop();

  /// Waits for the end of the engine's threads without the GIL, so not in a callback.
  void close();

  /// For the child of a fork, which has none of the threads: forgets the engine, whose connections
  /// and journals are the parent's.
  void abandon() noexcept;

  [[nodiscard]] engine::Engine& live() const;

  [[nodiscard]] Callbacks& callbacks() noexcept { return *callbacks_; }

  /// Shared by all of Python's threads.
  [[nodiscard]] engine::CrossThreadSender& sender() noexcept { return *sender_; }

  [[nodiscard]] std::vector<std::string> session_names() const;
  [[nodiscard]] std::vector<std::pair<std::string, int>> addresses() const;

 private:
  void end() noexcept;

  std::unique_ptr<Callbacks> callbacks_;  // Outlives the engine.
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<engine::CrossThreadSender> sender_;  // Of engine_.
  std::unique_ptr<std::thread> thread_;                // Null until start().
};

void bind_threaded_engine(nanobind::module_& module);

}  // namespace affix::python
