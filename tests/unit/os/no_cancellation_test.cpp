// SPDX-License-Identifier: MIT
// A thread protected from cancellation, and its state before and after.
#include "affix/os/no_cancellation.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace affix::os {
namespace {

struct Cancellation {
  int state = 0;
  int type = 0;

  friend bool operator==(const Cancellation&, const Cancellation&) = default;
};

/// State of the calling thread.
Cancellation cancellation() {
  Cancellation is;
  EXPECT_EQ(::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &is.state), 0);
  EXPECT_EQ(::pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &is.type), 0);
  EXPECT_EQ(::pthread_setcanceltype(is.type, nullptr), 0);
  EXPECT_EQ(::pthread_setcancelstate(is.state, nullptr), 0);
  return is;
}

TEST(NoCancellation, LeavesTheThreadAsItWas) {
  std::thread([] {
    const Cancellation usual{PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DEFERRED};
    const Cancellation none{PTHREAD_CANCEL_DISABLE, PTHREAD_CANCEL_ASYNCHRONOUS};
    EXPECT_EQ(cancellation(), usual);
    {
      const NoCancellation outer;
      EXPECT_EQ(cancellation(), none);
      {
        const NoCancellation inner;
        EXPECT_EQ(cancellation(), none);
      }
      EXPECT_EQ(cancellation(), none);
    }
    EXPECT_EQ(cancellation(), usual);
  }).join();
}

struct Cancelled {
  std::atomic<bool> guarded{false};
  std::atomic<bool> asked{false};
  std::atomic<bool> went_on{false};
};

// A thread that may be cancelled ends in a call that waits for the kernel.
void* wait_for_the_kernel(void* argument) {
  auto& test = *static_cast<Cancelled*>(argument);
  const NoCancellation no_cancellation;
  test.guarded = true;
  while (!test.asked) {
    std::this_thread::yield();
  }
  static_cast<void>(::usleep(1));
  test.went_on = true;
  return argument;
}

TEST(NoCancellation, AThreadThatIsCancelledGoesOn) {
  Cancelled test;
  pthread_t thread{};
  ASSERT_EQ(::pthread_create(&thread, nullptr, wait_for_the_kernel, &test), 0);
  while (!test.guarded) {
    std::this_thread::yield();
  }
  EXPECT_EQ(::pthread_cancel(thread), 0);
  test.asked = true;
  void* result = nullptr;
  ASSERT_EQ(::pthread_join(thread, &result), 0);
  EXPECT_TRUE(test.went_on);
}

}  // namespace
}  // namespace affix::os
