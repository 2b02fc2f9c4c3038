// SPDX-License-Identifier: MIT
// Two whole engines in one thread, over a network in memory and in virtual time, so that a number
// of orders always means the same work; and a reader of the counters in another process, which must
// not change it.
#pragma once

#include <memory>
#include <string>

namespace affix_counts {

/// A firm's engine that sends orders, and a venue's that receives them.
class EngineOrders {
 public:
  /// Logged on to each other. Ends the process when that fails.
  EngineOrders();
  EngineOrders(const EngineOrders&) = delete;
  EngineOrders& operator=(const EngineOrders&) = delete;
  ~EngineOrders();

  /// One order from begin() to the venue's callback.
  void order();

  /// Number of orders that have arrived.
  [[nodiscard]] unsigned long long arrived() const noexcept;

  /// File of the venue's counters.
  [[nodiscard]] const std::string& counters_path() const noexcept;

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

/// A process that repeatedly reads a counters file, from before this object is made to its end.
class CountersWatcher {
 public:
  explicit CountersWatcher(const std::string& path);
  CountersWatcher(const CountersWatcher&) = delete;
  CountersWatcher& operator=(const CountersWatcher&) = delete;
  ~CountersWatcher();

  /// It is still reading, and has found no fault.
  [[nodiscard]] bool watches() const noexcept;

 private:
  int process_ = -1;
};

}  // namespace affix_counts
