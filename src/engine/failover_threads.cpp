// SPDX-License-Identifier: MIT
// Loops of these threads.
#include "engine/failover_threads.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/no_cancellation.hpp"
#include "affix/os/thread_precedence.hpp"

#include "engine/failover.hpp"
#include "os/cores.hpp"

#include <algorithm>

namespace affix::inline v0::engine {

namespace {

/// Maximum sleep without a wake.
constexpr std::int64_t longest_rest_ns = 100 * base::ns_per_ms;

}  // namespace

FailoverThreads::FailoverThreads(Failover& failover)
    : failover_(failover),
      copies_([this] { keep_copies(); }),
      preparation_([this] { prepare_copies(); }),
      control_([this] { control(); }) {}

FailoverThreads::~FailoverThreads() {
  stop_.store(true, std::memory_order_release);
  failover_.control_waker().wake();
  failover_.standby_waker().wake();
  failover_.copies_waker().wake();
  control_.join();
  copies_.join();
  preparation_.join();
}

/// Trading waits for it after a node's death, so it gives way to nobody.
void FailoverThreads::control() {
  os::name_this_thread("affix-failover");
  const os::NoCancellation no_cancellation;
  while (!stop_.load(std::memory_order_acquire)) {
    failover_.control();
    const std::int64_t now_ns = os::now().steady_ns;
    failover_.control_waker().block(
        std::clamp<std::int64_t>(failover_.control_deadline_ns() - now_ns, 0, longest_rest_ns));
  }
}

/// Other nodes' messages wait for its acknowledgements.
void FailoverThreads::keep_copies() {
  os::name_this_thread("affix-standby");
  static_cast<void>(os::pin_this_thread(failover_.core()));
  const os::NoCancellation no_cancellation;
  while (!stop_.load(std::memory_order_acquire)) {
    failover_.standby(os::now().steady_ns + longest_rest_ns);
  }
}

void FailoverThreads::prepare_copies() {
  os::name_this_thread("affix-copies");
  os::give_way_to_workers();
  while (!stop_.load(std::memory_order_acquire)) {
    if (!failover_.prepare()) {
      failover_.copies_waker().block(longest_rest_ns);
    }
  }
}

}  // namespace affix::inline v0::engine
