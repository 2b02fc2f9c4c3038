// SPDX-License-Identifier: MIT
// A worker asks for preparation when there is need, and seldom while preparing fails.
#include "engine/preparation_requests.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

constexpr bool calm = false;
constexpr bool urgent = true;
constexpr bool works = false;
constexpr bool fails = true;

TEST(PreparationRequests, AWorkerBeginsWithOneAndThenOnNeed) {
  PreparationRequests requests;
  EXPECT_TRUE(requests.take(0, calm, works));
  EXPECT_FALSE(requests.take(0, urgent, works));
  requests.want();
  requests.want();
  EXPECT_TRUE(requests.take(1, calm, works));
  EXPECT_FALSE(requests.take(1, calm, works));
}

TEST(PreparationRequests, AreSeldomWhilePreparingFailsUnlessUrgent) {
  constexpr std::int64_t pause_ns = PreparationRequests::failed_pause_ns;
  PreparationRequests requests;
  EXPECT_TRUE(requests.take(0, calm, fails));
  requests.want();
  EXPECT_FALSE(requests.take(pause_ns - 1, calm, fails));
  EXPECT_TRUE(requests.take(pause_ns - 1, urgent, fails));
  requests.want();
  EXPECT_FALSE(requests.take(2 * pause_ns - 2, calm, works)) << "that one began another pause";
  EXPECT_TRUE(requests.take(2 * pause_ns - 1, calm, works));
  requests.want();
  EXPECT_TRUE(requests.take(2 * pause_ns - 1, calm, works)) << "it works again";
}

TEST(PreparationRequests, PagesAreKeptWritableOnceInAnIntervalWithMessages) {
  constexpr std::int64_t interval_ns = PreparationRequests::keep_writable_interval_ns;
  PreparationRequests requests;
  static_cast<void>(requests.take(0, calm, works));
  EXPECT_FALSE(requests.take_keep_writable(9 * interval_ns));
  requests.note_append();
  EXPECT_TRUE(requests.take_keep_writable(9 * interval_ns));
  EXPECT_TRUE(requests.take(9 * interval_ns, calm, works)) << "it is a request";
  EXPECT_FALSE(requests.take_keep_writable(99 * interval_ns));
  requests.note_append();
  EXPECT_TRUE(requests.take_keep_writable(99 * interval_ns));
  requests.note_append();
  EXPECT_FALSE(requests.take_keep_writable(100 * interval_ns - 1));
  EXPECT_TRUE(requests.take_keep_writable(100 * interval_ns));
}

}  // namespace
}  // namespace affix::engine
