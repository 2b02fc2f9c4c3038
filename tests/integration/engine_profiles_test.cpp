// SPDX-License-Identifier: MIT
// The option sets `cme` and `24x7` from a counterparty's view.
#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineProfiles : public VenueCase {
 protected:
  void open_profile(const std::string& name) {
    open([&](config::SessionSettings& settings) {
      config::SessionSettings profile = config::settings_of_profile(name).value();
      profile.name = settings.name;
      profile.instance = settings.instance;
      profile.begin_string = settings.begin_string;
      profile.sender_comp_id = settings.sender_comp_id;
      profile.target_comp_id = settings.target_comp_id;
      profile.journal_path = settings.journal_path;
      profile.sequence_reserve = 0;
      settings = profile;
    });
  }
};

TEST_F(EngineProfiles, CmeAsksForAtMost2500AndForNothingWhileAResendIsUnderWay) {
  open_profile("cme");
  RawPeer& globex = connect();
  globex.next_sequence = 6'001;
  globex.send_logon();
  globex.expect("A");
  const RawMessage first = globex.expect("2");
  EXPECT_EQ(first[7], "1");
  EXPECT_EQ(first[16], "2500");
  // A resend with omissions, and live messages, do not cause another request.
  globex.send("8", "37=1|");
  globex.send_bytes(globex.message("8", 7, "43=Y|122=" + utc_text() + "|37=x|"));
  globex.send_bytes(globex.message("4", 1, "43=Y|122=" + utc_text() + "|36=2501|123=Y|"));
  const RawMessage second = globex.expect("2");
  EXPECT_EQ(second[7], "2501");
  EXPECT_EQ(second[16], "5000");
  EXPECT_EQ(second.number(), first.number() + 1);
  globex.send_bytes(globex.message("4", 2'501, "43=Y|122=" + utc_text() + "|36=5001|123=Y|"));
  const RawMessage third = globex.expect("2");
  EXPECT_EQ(third[7], "5001");
  EXPECT_EQ(third[16], "0");
}

TEST_F(EngineProfiles, CmeResendsReportsAndNoStaleOrders) {
  open_profile("cme");
  RawPeer& globex = connect();
  EXPECT_EQ(globex.log_on()[52].size(), 21U);
  ASSERT_TRUE(send_order(session(), "stale").sent());
  wire::Encoder report = session().begin("8");
  report.text(37, "1");
  ASSERT_TRUE(session().commit(report).sent());
  globex.expect("D");
  globex.expect("8");
  globex.send("2", "7=1|16=0|");
  const RawMessage fill = globex.expect("4");
  EXPECT_EQ(fill.number(), 1U);
  EXPECT_EQ(fill[36], "3");
  EXPECT_EQ(fill[43], "Y");
  EXPECT_FALSE(fill[122].empty());
  const RawMessage again = globex.expect("8");
  EXPECT_EQ(again.number(), 3U);
  EXPECT_EQ(again[43], "Y");
  EXPECT_FALSE(again[122].empty());
  // The same request again, as for a gap that continues.
  globex.send_bytes(globex.message("2", 2, "43=Y|7=1|16=0|"));
  globex.send("1", "112=after|");
  EXPECT_EQ(globex.expect("0")[112], "after");
}

TEST_F(EngineProfiles, CmeTakesHeartbeatsOf30To60SecondsOnly) {
  open_profile("cme");
  RawPeer& fast = connect();
  fast.send("A", "98=0|108=29|");
  EXPECT_EQ(fast.expect("5")[58], "HeartBtInt (108) is not allowed");
  EXPECT_TRUE(fast.closed());
  fast.close();
  RawPeer& right = connect();
  right.send("A", "98=0|108=60|");
  EXPECT_EQ(right.expect("A")[108], "60");
}

TEST_F(EngineProfiles, RoundTheClockSessionsResetWithoutABreak) {
  open_profile("24x7");
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on("789=1|")[789], "2");
  session().reset();
  const RawMessage test = firm.expect("1");
  ASSERT_TRUE(send_order(session(), "meanwhile").sent());
  firm.expect("D");
  firm.send("0", "112=" + test[112] + "|");
  const RawMessage logon = firm.expect("A");
  EXPECT_EQ(logon.number(), 1U);
  EXPECT_EQ(logon[141], "Y");
  EXPECT_EQ(logon[789], "1");
  EXPECT_EQ(send_order(session(), "now").status, host::SendStatus::Resetting);
  firm.send("D", "11=on its way|");
  firm.next_sequence = 1;
  firm.send_logon("141=Y|789=2|");
  ASSERT_TRUE(turn_until([&] { return application_.rooms == 1; }));
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"on its way"});
  EXPECT_EQ(send_order(session(), "now").sequence, 2U);
  EXPECT_TRUE(application_.logouts.empty());
}

TEST_F(EngineProfiles, RoundTheClockSessionsRefuseAResetThatWouldLoseMessages) {
  open_profile("24x7");
  RawPeer& firm = connect();
  firm.log_on();
  firm.next_sequence = 5;
  firm.send("D", "11=ahead|");
  firm.expect("2");
  firm.next_sequence = 1;
  firm.send_logon("141=Y|");
  EXPECT_EQ(firm.expect("5")[58], "Sequence numbers are not reset while messages are missing");
}

}  // namespace
}  // namespace affix::support
