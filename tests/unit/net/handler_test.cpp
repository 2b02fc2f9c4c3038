// SPDX-License-Identifier: MIT
// Every reason has its own text.
#include "affix/net/handler.hpp"

#include "affix/net/reactor.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::net {
namespace {

template <typename Reason>
void expect_texts(int count) {
  std::set<std::string> texts;
  for (int value = 0; value < count; ++value) {
    texts.insert(to_text(static_cast<Reason>(value)));
  }
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(count));
  EXPECT_FALSE(texts.contains("unknown"));
  EXPECT_STREQ(to_text(static_cast<Reason>(count)), "unknown");
}

TEST(Reasons, HaveTexts) {
  expect_texts<CloseReason>(static_cast<int>(CloseReason::Failed) + 1);
  expect_texts<ConnectFailure>(static_cast<int>(ConnectFailure::Failed) + 1);
  expect_texts<AcceptPause>(static_cast<int>(AcceptPause::NoMemory) + 1);
  expect_texts<SendResult>(static_cast<int>(SendResult::Closed) + 1);
}

TEST(ConnectionId, OfNothingNamesNothing) {
  EXPECT_EQ(ConnectionId{}.generation, 0U);
  EXPECT_NE((ConnectionId{1, 1}), (ConnectionId{1, 2}));
}

}  // namespace
}  // namespace affix::net
