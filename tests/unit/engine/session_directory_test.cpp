// SPDX-License-Identifier: MIT
// Look-ups of sessions, and the order of their list.
#include "engine/session_directory.hpp"

#include "host/session_slot.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace affix::engine {
namespace {

class SessionDirectoryTest : public ::testing::Test {
 protected:
  using Handles = std::vector<host::SessionHandle>;

  host::SessionSlot first_slot_{host::SeatNames{}};
  host::SessionSlot second_slot_{host::SeatNames{}};
  host::SessionHandle first_ = first_slot_.handle();
  host::SessionHandle second_ = second_slot_.handle();
  SessionDirectory directory_;
};

TEST_F(SessionDirectoryTest, ASessionIsFoundUntilItIsStruck) {
  EXPECT_FALSE(directory_.find("A"));
  directory_.enter("A", first_);
  directory_.enter("B", second_);
  EXPECT_EQ(directory_.find("A"), first_);
  EXPECT_EQ(directory_.find("B"), second_);
  EXPECT_EQ(directory_.all(), (Handles{first_, second_}));
  directory_.strike("A");
  directory_.strike("nobody");
  EXPECT_FALSE(directory_.find("A"));
  EXPECT_EQ(directory_.all(), Handles{second_});
}

TEST_F(SessionDirectoryTest, TheListHasTheOrderOfTheNames) {
  directory_.enter("A", first_);
  directory_.enter("B", second_);
  directory_.order({"B", "not opened", "A"});
  EXPECT_EQ(directory_.all(), (Handles{second_, first_}));
  EXPECT_EQ(directory_.find("A"), first_);
}

}  // namespace
}  // namespace affix::engine
