// SPDX-License-Identifier: MIT
// Pins a thread.
#include "os/cores.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace affix::os {

TEST(Cores, AreThoseTheProcessMayUse) {
  // On a thread with its own mask.
  std::thread pinned([] {
    const std::vector<std::int64_t> all = physical_cores();
    ASSERT_FALSE(all.empty());
    EXPECT_LE(all.size(), allowed_processors());
    EXPECT_TRUE(pin_this_thread(-1));
    ASSERT_TRUE(pin_this_thread(all.back()));
    EXPECT_EQ(physical_cores(), std::vector<std::int64_t>{all.back()});
    EXPECT_EQ(allowed_processors(), 1U);
    EXPECT_EQ(::sched_getcpu(), all.back());
    EXPECT_FALSE(pin_this_thread(CPU_SETSIZE));
    EXPECT_FALSE(pin_this_thread(CPU_SETSIZE - 1)) << "a machine with so many?";
  });
  pinned.join();
}

}  // namespace affix::os
