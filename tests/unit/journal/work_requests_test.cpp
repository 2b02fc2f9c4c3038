// SPDX-License-Identifier: MIT
// Requests by themselves: each is taken once.
#include "affix/journal/work_requests.hpp"

#include <gtest/gtest.h>

namespace affix::journal_test {
namespace {

using journal::Work;
using journal::WorkRequests;

TEST(WorkRequests, AreTakenTogetherAndOnce) {
  WorkRequests requests;
  EXPECT_FALSE(requests.need_preparation());
  requests.request(Work::Segment);
  requests.request(Work::Pages);
  requests.request(Work::Pages);
  EXPECT_TRUE(requests.need_preparation());
  const auto taken = requests.take_preparation();
  EXPECT_TRUE(taken.has(Work::Segment));
  EXPECT_TRUE(taken.has(Work::Pages));
  EXPECT_FALSE(taken.has(Work::Seal));
  EXPECT_FALSE(requests.need_preparation());
}

TEST(WorkRequests, OfFlushingAreNotOfPreparing) {
  WorkRequests requests;
  requests.request(Work::FlushedReserve);
  EXPECT_FALSE(requests.need_preparation());
  EXPECT_FALSE(requests.take_preparation().has(Work::FlushedReserve));
  EXPECT_TRUE(requests.take_flushed_reserve());
  EXPECT_FALSE(requests.take_flushed_reserve());
}

TEST(WorkRequests, ThatAppendsWaitForAreTakenAlone) {
  WorkRequests requests;
  requests.request(Work::Segment);
  requests.request(Work::Reserve);
  requests.request(Work::Release);
  const auto urgent = requests.take_urgent_preparation();
  EXPECT_TRUE(urgent.has(Work::Segment));
  EXPECT_TRUE(urgent.has(Work::Reserve));
  EXPECT_FALSE(urgent.has(Work::Release));
  const auto rest = requests.take_preparation();
  EXPECT_FALSE(rest.has(Work::Segment));
  EXPECT_TRUE(rest.has(Work::Release));
}

TEST(WorkRequests, CanBeWithdrawn) {
  WorkRequests requests;
  requests.request(Work::Segment);
  requests.request(Work::Release);
  requests.withdraw(Work::Segment);
  const auto taken = requests.take_preparation();
  EXPECT_FALSE(taken.has(Work::Segment));
  EXPECT_TRUE(taken.has(Work::Release));
  requests.request(Work::Seal);
  requests.request(Work::FlushedReserve);
  requests.withdraw_all();
  EXPECT_FALSE(requests.need_preparation());
  EXPECT_FALSE(requests.take_flushed_reserve());
}

}  // namespace
}  // namespace affix::journal_test
