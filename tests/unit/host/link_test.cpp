// SPDX-License-Identifier: MIT
// A connection's stages, who ends it and why, and whether it is read and written.
#include "host/link.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::host {
namespace {

TEST(Link, ItsStagesFollowEachOther) {
  Link link;
  EXPECT_FALSE(link.connected());
  EXPECT_FALSE(link.open());
  EXPECT_FALSE(link.ending());
  link.begin({}, std::nullopt);
  EXPECT_TRUE(link.connected());
  EXPECT_TRUE(link.open());
  EXPECT_FALSE(link.ending());
  link.end(100);
  EXPECT_TRUE(link.connected());
  EXPECT_FALSE(link.open());
  EXPECT_TRUE(link.ending());
  EXPECT_FALSE(link.closing());
  link.begin_closing();
  EXPECT_TRUE(link.connected());
  EXPECT_TRUE(link.ending());
  EXPECT_TRUE(link.closing());
  link.reset();
  EXPECT_FALSE(link.connected());
  EXPECT_FALSE(link.ending());
}

TEST(Link, TheBytesThatMayStillLeaveOnlyShrink) {
  Link link;
  link.begin({}, std::nullopt);
  link.end(100);
  link.limit_last_bytes(120);
  EXPECT_EQ(link.last_bytes(), 100U);
  link.limit_last_bytes(40);
  EXPECT_EQ(link.last_bytes(), 40U);
}

TEST(Link, TheFirstToEndItCounts) {
  Link link;
  link.note_end(EndedBy::Stop);  // While down: it says nothing about the next connection.
  link.begin({}, std::nullopt);
  EXPECT_EQ(link.ended_by(), EndedBy::Unknown);
  link.note_end(EndedBy::Operator);
  link.note_end(EndedBy::Peer);
  EXPECT_EQ(link.ended_by(), EndedBy::Operator);
  link.set_why({"disconnected by an operator"});
  link.reset();
  EXPECT_EQ(link.why().text, "disconnected by an operator") << "for what is reported after the end";
  link.begin({}, std::nullopt);
  EXPECT_EQ(link.why().text, "");
}

TEST(Link, EveryCauseHasAName) {
  std::set<std::string> names;
  for (std::uint8_t who = 0; who <= static_cast<std::uint8_t>(EndedBy::Journal); ++who) {
    EXPECT_TRUE(names.insert(to_text(static_cast<EndedBy>(who))).second) << int{who};
  }
}

TEST(Link, ALogoutFollowsALogonOnceAlsoAfterTheEnd) {
  Link link;
  link.begin({}, std::nullopt);
  link.on_logged_out();
  EXPECT_FALSE(link.logged_out()) << "a Logon that was refused ends with a Logout, too";
  EXPECT_FALSE(link.take_logon_reported());
  link.on_logon_reported();
  EXPECT_TRUE(link.logon_reported());
  EXPECT_FALSE(link.logged_out());
  link.on_logged_out();
  EXPECT_TRUE(link.logged_out());
  EXPECT_TRUE(link.logon_reported());
  link.reset();
  EXPECT_TRUE(link.take_logon_reported());
  EXPECT_FALSE(link.take_logon_reported());
}

TEST(Link, ALogoutWaitsForRoomAtMostUntilTheConnectionsEnd) {
  Link link;
  link.begin({}, std::nullopt);
  EXPECT_FALSE(link.logout_waits());
  link.postpone_logout("first");
  link.postpone_logout("end of day");
  EXPECT_TRUE(link.logout_waits());
  EXPECT_EQ(link.take_logout(), "end of day");
  EXPECT_FALSE(link.logout_waits());
  link.postpone_logout("");
  EXPECT_TRUE(link.logout_waits()) << "without a text, too";
  link.reset();
  EXPECT_FALSE(link.logout_waits());
}

TEST(Link, APauseInReadingEndsWithATimeOrWithTheConnection) {
  Link link;
  link.begin({}, std::nullopt);
  EXPECT_FALSE(link.reading_paused());
  link.pause_reading();
  EXPECT_TRUE(link.reading_paused());
  EXPECT_EQ(link.read_since_ns(), session::no_deadline);
  link.resume_reading(7);
  EXPECT_FALSE(link.reading_paused());
  EXPECT_EQ(link.read_since_ns(), 7);
  link.pause_reading();
  link.reset();
  EXPECT_FALSE(link.reading_paused());
}

TEST(Link, OutputStallsUntilItIsTakenOrTheConnectionEnds) {
  Link link;
  link.begin({}, std::nullopt);
  EXPECT_FALSE(link.stalled());
  link.on_stalled(5);
  EXPECT_TRUE(link.stalled());
  EXPECT_EQ(link.stalled_since_ns(), 5);
  link.on_output_taken();
  EXPECT_FALSE(link.stalled());
  link.on_stalled(6);
  link.reset();
  EXPECT_FALSE(link.stalled());
}

}  // namespace
}  // namespace affix::host
