// SPDX-License-Identifier: MIT
// Counts by segment, against a count of each record.
#include "affix/journal/segment_counts.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace affix::journal_test {
namespace {

using journal::SegmentCounts;

TEST(SegmentCounts, KnowTheFirstSegmentThatHasARecord) {
  SegmentCounts counts;
  EXPECT_EQ(counts.first(), 0U);
  counts.add(3);
  counts.add(3);
  counts.add(7);
  counts.add(5);
  EXPECT_EQ(counts.total(), 4U);
  EXPECT_EQ(counts.first(), 3U);
  counts.remove(3);
  counts.remove(7);
  EXPECT_EQ(counts.first(), 3U);
  counts.remove(3);
  EXPECT_EQ(counts.first(), 5U);
  counts.remove(4);
  EXPECT_EQ(counts.total(), 1U) << "none of that segment was counted";
  counts.remove(5);
  EXPECT_EQ(counts.first(), 0U);
  EXPECT_EQ(counts.total(), 0U);
}

TEST(SegmentCounts, FollowABacklogOfAnyLengthThatIsNeverDone) {
  constexpr std::uint32_t backlog = 1'000;
  SegmentCounts counts;
  for (std::uint32_t segment = 1; segment <= 20 * backlog; ++segment) {
    counts.add(segment);
    if (segment > backlog) {
      counts.remove(segment - backlog);
      const std::uint32_t oldest = segment - backlog + 1;
      ASSERT_LE(counts.first(), oldest);
      ASSERT_LE(oldest - counts.first(), backlog / 2);
    }
  }
}

TEST(SegmentCounts, AreNeverLaterThanTheOldestRecord) {
  for (unsigned life = 0; life < 200; ++life) {
    std::mt19937 random(life);
    SegmentCounts counts;
    std::map<std::uint32_t, std::uint64_t> model;
    const std::uint32_t segments = life % 2 == 0 ? SegmentCounts::ranges_max : 60;
    std::uint64_t total = 0;
    for (int step = 0; step < 1'000; ++step) {
      const auto segment = static_cast<std::uint32_t>(1 + random() % segments);
      if (random() % 2 == 0) {
        counts.add(segment);
        ++model[segment];
        ++total;
      } else if (const auto at = model.lower_bound(segment); at != model.end()) {
        counts.remove(at->first);
        --total;
        if (--at->second == 0) {
          model.erase(at);
        }
      }
      ASSERT_EQ(counts.total(), total);
      const std::uint32_t oldest = model.empty() ? 0 : model.begin()->first;
      if (segments <= SegmentCounts::ranges_max || oldest == 0) {
        ASSERT_EQ(counts.first(), oldest);
      } else {
        ASSERT_NE(counts.first(), 0U);
        ASSERT_LE(counts.first(), oldest);
      }
    }
  }
}

}  // namespace
}  // namespace affix::journal_test
