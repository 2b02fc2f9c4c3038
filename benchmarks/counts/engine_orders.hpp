// SPDX-License-Identifier: MIT
// Two whole engines in one thread, over a network in memory and in virtual time, so that the same
// number of orders is the same work every time; and a reader of the counters in another process,
// which must not change it.
#pragma once

#include <memory>
#include <string>

namespace affix_counts {

/// A firm's engine that sends orders, and a venue's that takes them.
class EngineOrders {
 public:
  /// Logged on to each other. Ends the process when that fails.
  EngineOrders();
  EngineOrders(const EngineOrders&) = delete;
  EngineOrders& operator=(const EngineOrders&) = delete;
  ~EngineOrders();

  /// One order from begin() to the venue's callback.
  void order();

  /// How many have arrived.
  [[nodiscard]] unsigned long long arrived() const noexcept;

  /// Where the venue counts.
  [[nodiscard]] const std::string& counters_path() const noexcept;

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

/// A process that reads a file of counters again and again, from before this is made to its end.
class CountersWatcher {
 public:
  explicit CountersWatcher(const std::string& path);
  CountersWatcher(const CountersWatcher&) = delete;
  CountersWatcher& operator=(const CountersWatcher&) = delete;
  ~CountersWatcher();

  /// It reads still, and has found nothing wrong.
  [[nodiscard]] bool watches() const noexcept;

 private:
  int process_ = -1;
};

}  // namespace affix_counts
