// SPDX-License-Identifier: MIT
// A second Logon for a session that has a connection: the first one is probed, and replaced only
// when its peer is dead.
#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineSecondLogon : public VenueCase {
 protected:
  void SetUp() override { open_with("PROBE", 100); }

  void open_with(const std::string& policy, std::int64_t milliseconds) {
    open([&](engine::SessionSettings& settings) {
      settings.second_logon = policy;
      settings.second_logon_probe_milliseconds = milliseconds;
    });
  }
};

TEST_F(EngineSecondLogon, ADeadFirstOneIsReplacedAndNothingIsLost) {
  RawPeer& dead = connect();
  dead.log_on();
  ASSERT_TRUE(turn_until([&] { return session().logged_on(); }));
  // It is there and says nothing any more, as after a cable was pulled.
  ASSERT_TRUE(send_order(session(), "unread").sent());
  RawPeer& firm = connect();
  firm.next_sequence = 2;
  firm.send_logon();
  const RawMessage answer = firm.expect("A");
  EXPECT_EQ(answer.number(), 4U);  // Logon, order, TestRequest came before.
  ASSERT_TRUE(turn_until([&] { return application_.logons.size() == 2; }));
  ASSERT_EQ(application_.logouts.size(), 1U);
  EXPECT_NE(application_.logouts[0].second.find("did not answer"), std::string::npos);
  firm.send("2", "7=2|16=3|");
  EXPECT_EQ(firm.expect("D")[11], "unread");
  EXPECT_TRUE(dead.closed());
  EXPECT_FALSE(application_.nested);
}

TEST_F(EngineSecondLogon, ALivingFirstOneStaysAndTheSecondIsClosedWithoutAWord) {
  open_with("PROBE", 60'000);
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  const RawMessage test = first.expect("1");
  first.send("0", "112=" + test[112] + "|");
  EXPECT_TRUE(second.closed());
  EXPECT_TRUE(application_.heard("whose first one lives")) << application_.all_events();
  first.send("D", "11=1|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_TRUE(application_.logouts.empty());
}

TEST_F(EngineSecondLogon, AnyMessageOfTheFirstOneProvesItAlive) {
  open_with("PROBE", 60'000);
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  first.expect("1");
  first.send("D", "11=1|");
  EXPECT_TRUE(second.closed());
}

TEST_F(EngineSecondLogon, AFirstOneThatEndsMeanwhileMakesRoom) {
  open_with("PROBE", 60'000);
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  first.expect("1");
  first.close();
  second.expect("A");
  ASSERT_TRUE(turn_until([&] { return application_.logons.size() == 2; }));
}

TEST_F(EngineSecondLogon, OneWaitsAndMoreAreRefused) {
  open_with("PROBE", 300);
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  first.expect("1");
  RawPeer& third = connect();
  third.next_sequence = 2;
  third.send_logon();
  EXPECT_TRUE(third.closed());
  second.expect("A");
}

TEST_F(EngineSecondLogon, ANewcomerThatGoesAwayLeavesEverythingAsItWas) {
  open_with("PROBE", 200);
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  first.expect("1");
  second.close();
  first.send("0");
  first.send("D", "11=1|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  // Its place is free again.
  RawPeer& third = connect();
  third.next_sequence = 4;
  third.send_logon();
  first.expect("1");
  EXPECT_EQ(third.expect("A").number(), 4U);
}

TEST_F(EngineSecondLogon, WhileTheFirstLogonWaitsForItsAnswerTheSecondIsRefused) {
  application_.when_logon_request = [](engine::SessionHandle, const wire::MessageView&) {
    return engine::LogonAnswer::later();
  };
  RawPeer& first = connect();
  first.send_logon();
  ASSERT_TRUE(turn_until([&] { return application_.logon_requests == 1; }));
  RawPeer& second = connect();
  second.send_logon();
  EXPECT_TRUE(second.closed());
  EXPECT_TRUE(session().accept_logon());
  first.expect("A");
}

TEST_F(EngineSecondLogon, RefusedByDefaultWithoutAProbe) {
  open_with("REFUSE", 100);
  RawPeer& first = connect();
  first.log_on();
  const std::uint64_t before = session().next_sender_seq();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  EXPECT_TRUE(second.closed());
  EXPECT_EQ(session().next_sender_seq(), before);
}

TEST_F(EngineSecondLogon, FinishTurnsTheNewcomerAway) {
  open_with("PROBE", 60'000);
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.next_sequence = 2;
  second.send_logon();
  first.expect("1");
  EXPECT_FALSE(venue_->finish("bye", net::now().steady_ns + 50 * base::ns_per_ms));
  EXPECT_TRUE(second.closed());
}

}  // namespace
}  // namespace affix::support
