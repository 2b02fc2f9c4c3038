// SPDX-License-Identifier: MIT
// Output leaves once what stands before it is safe: random appends, flushes and
// sends, against a list of every message's end.
#include "host/held_output.hpp"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace affix::host {
namespace {

TEST(HeldOutput, NothingLeavesThatIsNotOnTheDiskAndInTheEndEverythingDoes) {
  std::mt19937_64 random(24);
  for (int round = 0; round < 300; ++round) {
    HeldOutput output;
    std::uint32_t end = 8;
    std::uint32_t durable = 8;
    std::deque<std::uint32_t> ends;  // Of the journal after each byte of the outbox.
    const auto on_disk = [&] {
      return static_cast<std::size_t>(
          std::ranges::count_if(ends, [&](std::uint32_t byte_end) { return byte_end <= durable; }));
    };
    for (int step = 0; step < 200; ++step) {
      switch (random() % 4) {
        case 0:
          end += 8;
          ends.insert(ends.end(), 1 + random() % 50, end);
          break;
        case 1:
          end += 8;  // A received message: the outbox does not grow.
          break;
        case 2:
          durable += 8 * static_cast<std::uint32_t>(random() % ((end - durable) / 8 + 1));
          break;
        default: {
          const std::size_t ready = output.update(durable, end, ends.size());
          ASSERT_LE(ready, on_disk());
          const std::size_t sent = random() % (ready + 1);
          ends.erase(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(sent));
          output.on_sent(sent);
          ASSERT_EQ(output.ready_bytes(), ready - sent);
        }
      }
    }
    durable = end;
    ASSERT_EQ(output.update(durable, end, ends.size()), ends.size());
  }
}

TEST(HeldOutput, APlaceThatWaitsIsReachedWhileTheJournalGrowsOn) {
  HeldOutput output;
  EXPECT_EQ(output.update(8, 16, 100), 0U);
  EXPECT_EQ(output.update(8, 24, 150), 0U);
  EXPECT_EQ(output.update(16, 24, 150), 100U) << "what waited first";
  EXPECT_EQ(output.update(16, 32, 180), 100U);
  EXPECT_EQ(output.update(24, 40, 180), 150U) << "what the second look found waiting";
  output.clear();
  EXPECT_EQ(output.ready_bytes(), 0U);
}

}  // namespace
}  // namespace affix::host
