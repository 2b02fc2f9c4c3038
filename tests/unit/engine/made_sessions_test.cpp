// SPDX-License-Identifier: MIT
// Sessions made from templates: their limits, and connections that wait for one on its way.
#include "engine/made_sessions.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::engine {
namespace {

config::SessionSettings template_of(const std::string& name, std::int64_t sessions_max) {
  config::SessionSettings settings;
  settings.name = name;
  settings.template_sessions_max = sessions_max;
  return settings;
}

class MadeSessionsTest : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& made_from) {
    auto settings = std::make_shared<config::SessionSettings>();
    settings->name = name;
    made_.add({std::move(settings), made_from, &slot_, nullptr});
  }

  static std::string names_of(const std::vector<host::SharedSettings>& all) {
    std::string names;
    for (const host::SharedSettings& one : all) {
      names += one->name + " ";
    }
    return names;
  }

  host::SessionSlot slot_{host::SeatNames{}};
  MadeSessions made_;
};

TEST_F(MadeSessionsTest, AreFoundByNameAndSlotUntilErased) {
  EXPECT_EQ(made_.find("A"), nullptr);
  add("A", "T");
  ASSERT_NE(made_.find("A"), nullptr);
  EXPECT_EQ(made_.find("A")->made_from, "T");
  EXPECT_EQ(made_.in(slot_), made_.find("A"));
  const host::SessionSlot other{host::SeatNames{}};
  EXPECT_EQ(made_.in(other), nullptr);
  made_.erase("A");
  EXPECT_EQ(made_.find("A"), nullptr);
  EXPECT_EQ(made_.in(slot_), nullptr);
}

TEST_F(MadeSessionsTest, AreListedAllOrByTemplate) {
  add("B", "T");
  add("A", "U");
  add("C", "T");
  EXPECT_EQ(names_of(made_.settings()), "A B C ");
  EXPECT_EQ(names_of(made_.settings_of({"T"})), "B C ");
  EXPECT_EQ(names_of(made_.settings_of({"T", "U"})), "A B C ");
  EXPECT_EQ(names_of(made_.settings_of({})), "");
}

TEST_F(MadeSessionsTest, ATemplateHasItsLimitAtOneTime) {
  const config::SessionSettings made_from = template_of("T", 2);
  add("A", "T");
  add("X", "U");
  EXPECT_EQ(made_.limit_of(made_from, "B"), "");
  add("B", "T");
  EXPECT_NE(made_.limit_of(made_from, "C"), "");
  made_.erase("A");
  EXPECT_EQ(made_.limit_of(made_from, "C"), "");
}

TEST_F(MadeSessionsTest, ATemplateHasALimitOfNamesEver) {
  const config::SessionSettings made_from = template_of("T", 1);
  for (std::size_t count = 0; count < MadeSessions::peers_for_each_session; ++count) {
    const std::string name = "PEER" + std::to_string(count);
    EXPECT_EQ(made_.limit_of(made_from, name), "");
    add(name, "T");
    made_.erase(name);
  }
  EXPECT_NE(made_.limit_of(made_from, "NEW"), "");
  EXPECT_EQ(made_.limit_of(made_from, "PEER0"), "") << "it had a session before";
  EXPECT_EQ(made_.limit_of(template_of("U", 1), "NEW"), "");
}

TEST(AwaitedSession, ConnectionsWaitUntilItIsThere) {
  AwaitedSession awaited({1, 1});
  EXPECT_TRUE(awaited.join({2, 1}));
  std::vector<net::ConnectionId> answered;
  awaited.arrive([&](const std::vector<net::ConnectionId>& all) { answered = all; });
  EXPECT_EQ(answered, (std::vector<net::ConnectionId>{{1, 1}, {2, 1}}));
  EXPECT_FALSE(awaited.join({3, 1})) << "nothing would answer it";
}

}  // namespace
}  // namespace affix::engine
