// SPDX-License-Identifier: MIT
// The other end of every contender: accepts, answers a Logon, reads and counts, on a thread of its
// own.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace affix_bench {

class Sink {
 public:
  /// Listens on a port chosen by the kernel. `core`: the thread's core, -1 for any. `spin`: reads
  /// without sleeping, so that a send need not wake it.
  Sink(int core, bool spin);
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  ~Sink();

  /// 0: the system refused.
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Whole NewOrderSingles read so far, over all connections.
  [[nodiscard]] std::uint64_t orders() const noexcept {
    return orders_.load(std::memory_order_relaxed);  // A count that is only compared.
  }

 private:
  void run(int core, bool spin);

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::uint64_t> orders_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Pins the calling thread; does nothing for a negative core.
void pin_thread(int core) noexcept;

}  // namespace affix_bench
