// SPDX-License-Identifier: MIT
// Waking: never lost, cheap when no thread blocks, and from other threads.
#include "affix/net/waker.hpp"

#include "unit/net/loopback.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <poll.h>
#include <thread>

namespace affix::net {
namespace {

using loopback::Rig;

bool is_readable(const Waker& waker) {
  pollfd wanted{.fd = waker.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&wanted, 1, 0) == 1;
}

TEST(Waker, MakesNoSystemCallWhenNobodyBlocks) {
  Waker waker;
  ASSERT_TRUE(waker.open());
  waker.wake();
  waker.wake();
  EXPECT_FALSE(is_readable(waker));
  EXPECT_TRUE(waker.take());
  EXPECT_FALSE(waker.take());
}

TEST(Waker, AWakeBeforeBlockingForbidsIt) {
  Waker waker;
  ASSERT_TRUE(waker.open());
  waker.wake();
  EXPECT_FALSE(waker.enter_block());
  EXPECT_TRUE(waker.take());
  EXPECT_TRUE(waker.enter_block());
  EXPECT_FALSE(waker.take());
}

TEST(Waker, AWakeWhileBlockedWritesTheEvent) {
  Waker waker;
  ASSERT_TRUE(waker.open());
  ASSERT_TRUE(waker.enter_block());
  waker.wake();
  EXPECT_TRUE(is_readable(waker));
  EXPECT_TRUE(waker.take());
}

TEST(Waker, AnOwnerThatWaitsElsewhereMayBlockAfterwards) {
  Waker waker;
  ASSERT_TRUE(waker.open());
  ASSERT_TRUE(waker.enter_block());
  EXPECT_TRUE(waker.enter_block());
  waker.wake();
  EXPECT_TRUE(is_readable(waker));
  EXPECT_FALSE(waker.enter_block());
}

TEST(Waker, EndsABlockingTurnFromAnotherThread) {
  Rig rig;
  std::thread other([&] { rig.reactor->waker().wake(); });
  const base::Now at = os::now();
  bool woken = false;
  while (!woken && os::now().steady_ns < at.steady_ns + loopback::patience_ns) {
    woken =
        rig.reactor
            ->poll(os::now(), Wait::block_until(at.steady_ns + loopback::patience_ns), rig.recorder)
            .woken;
  }
  other.join();
  EXPECT_TRUE(woken);
  EXPECT_LT(os::now().steady_ns, at.steady_ns + loopback::patience_ns);
}

// A counter represents a queue: incremented before the wake, read after the turn. A lost wake would
// block the consumer for the test's time limit.
TEST(Waker, LosesNoWakeAmongManyFromSeveralThreads) {
  Rig rig;
  constexpr int rounds = 5000;
  std::atomic<int> pushed{0};
  std::atomic<int> taken{0};
  std::thread producers[2];
  for (std::thread& each : producers) {
    each = std::thread([&] {
      for (int round = 0; round < rounds; ++round) {
        const int mine = pushed.fetch_add(1, std::memory_order_release) + 1;
        rig.reactor->waker().wake();
        // Waiting for the consumer sometimes makes it block in between.
        while (round % 8 == 0 && taken.load(std::memory_order_acquire) < mine) {
          std::this_thread::yield();
        }
      }
    });
  }
  const std::int64_t give_up_ns = os::now().steady_ns + 3 * loopback::patience_ns;
  bool late = false;
  while (taken.load(std::memory_order_relaxed) < 2 * rounds && !late) {
    const base::Now at = os::now();
    static_cast<void>(rig.reactor->poll(at, Wait::block_until(at.steady_ns + loopback::patience_ns),
                                        rig.recorder));
    late =
        os::now().steady_ns - at.steady_ns > loopback::patience_ns / 2 || at.steady_ns > give_up_ns;
    taken.store(late ? 2 * rounds : pushed.load(std::memory_order_acquire),
                std::memory_order_release);
  }
  for (std::thread& each : producers) {
    each.join();
  }
  EXPECT_FALSE(late);
}

TEST(Waker, WakesASpinningReactorToo) {
  Rig rig;
  rig.reactor->waker().wake();
  EXPECT_TRUE(rig.turn().woken);
  EXPECT_FALSE(rig.turn().woken);
}

}  // namespace
}  // namespace affix::net
