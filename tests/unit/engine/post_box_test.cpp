// SPDX-License-Identifier: MIT
// Items between threads, and the logon gate's requests for sessions.
#include "engine/post_box.hpp"

#include "engine/session_requests.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace affix::engine {
namespace {

TEST(PostBox, ItemsAreTakenOnceAndInTheirOrder) {
  PostBox<std::unique_ptr<int>> box;
  EXPECT_FALSE(box.has_posted());
  EXPECT_TRUE(box.take_posted().empty());
  for (const int number : {1, 2, 3}) {
    box.post(std::make_unique<int>(number));
  }
  EXPECT_TRUE(box.has_posted());
  const std::vector<std::unique_ptr<int>> taken = box.take_posted();
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(*taken[0], 1);
  EXPECT_EQ(*taken[2], 3);
  EXPECT_FALSE(box.has_posted());
  EXPECT_TRUE(box.take_posted().empty());
}

TEST(SessionRequests, TheNoticeIsIndependentOfTheRequests) {
  SessionRequests requests;
  EXPECT_FALSE(requests.take_notice());
  EXPECT_FALSE(requests.any());
  requests.add({{1, 1}, "SERVER", "CLIENTS"});
  requests.add({{2, 1}, "SERVER", "CLIENTS"});
  EXPECT_TRUE(requests.take_notice());
  EXPECT_FALSE(requests.take_notice());
  EXPECT_TRUE(requests.any());
  const std::vector<SessionRequest> taken = requests.take();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[1].connection.slot, 2U);
  EXPECT_FALSE(requests.any());
}

}  // namespace
}  // namespace affix::engine
