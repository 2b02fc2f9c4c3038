// SPDX-License-Identifier: MIT
// A second Logon for a session that has a connection: the first one is probed, and only replaced if
// its peer is dead.
#include "affix/config/words.hpp"

#include "support/venue_case.hpp"

namespace affix::support {
namespace {

class EngineSecondLogon : public VenueCase {
 protected:
  void SetUp() override { open_with("PROBE", 100); }

  void open_with(const std::string& policy, std::int64_t milliseconds) {
    open([&](config::SessionSettings& settings) {
      EXPECT_TRUE(config::choose(settings, "second_logon", policy));
      settings.second_logon_probe_milliseconds = milliseconds;
    });
  }

  RawPeer& log_on_first() {
    RawPeer& first = connect();
    first.log_on();
    return first;
  }

  /// Connects the same peer again.
  RawPeer& come_again(std::uint64_t sequence = 2) {
    RawPeer& again = connect();
    again.next_sequence = sequence;
    again.send_logon();
    return again;
  }
};

TEST_F(EngineSecondLogon, ADeadFirstOneIsReplacedAndNothingIsLost) {
  RawPeer& dead = log_on_first();
  ASSERT_TRUE(turn_until([&] { return session().logged_on(); }));
  // It is connected but silent, as after a cable was pulled.
  ASSERT_TRUE(send_order(session(), "unread").sent());
  RawPeer& firm = come_again();
  const RawMessage answer = firm.expect("A");
  EXPECT_EQ(answer.number(), 4U);  // After Logon, order and TestRequest.
  ASSERT_TRUE(turn_until([&] { return application_.logons.size() == 2; }));
  ASSERT_EQ(application_.logouts.size(), 1U);
  EXPECT_TRUE(application_.logged_out_by("N208")) << application_.all_events();
  firm.send("2", "7=2|16=3|");
  EXPECT_EQ(firm.expect("D")[11], "unread");
  EXPECT_TRUE(dead.closed());
  EXPECT_FALSE(application_.nested);
}

TEST_F(EngineSecondLogon, ALivingFirstOneStaysAndTheSecondIsClosedWithoutAWord) {
  open_with("PROBE", 60'000);
  RawPeer& first = log_on_first();
  RawPeer& second = come_again();
  const RawMessage test = first.expect("1");
  first.send("0", "112=" + test[112] + "|");
  EXPECT_TRUE(second.closed());
  EXPECT_TRUE(application_.heard_code("N208", "first one lives")) << application_.all_events();
  first.send("D", "11=1|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_TRUE(application_.logouts.empty());
}

TEST_F(EngineSecondLogon, AnyMessageOfTheFirstOneProvesItAlive) {
  open_with("PROBE", 60'000);
  RawPeer& first = log_on_first();
  RawPeer& second = come_again();
  first.expect("1");
  first.send("D", "11=1|");
  EXPECT_TRUE(second.closed());
}

TEST_F(EngineSecondLogon, AFirstOneThatEndsMeanwhileMakesRoom) {
  open_with("PROBE", 60'000);
  RawPeer& first = log_on_first();
  RawPeer& second = come_again();
  first.expect("1");
  first.close();
  second.expect("A");
  ASSERT_TRUE(turn_until([&] { return application_.logons.size() == 2; }));
}

TEST_F(EngineSecondLogon, AFirstOneThatNobodyReadsIsNotTakenForDead) {
  open([](config::SessionSettings& settings) {
    settings.second_logon = config::SecondLogon::Probe;
    settings.second_logon_probe_milliseconds = 100;
    settings.throttle_limit = 1;
    settings.throttle_window_in_milliseconds = 500;
    settings.throttle_direction = config::ThrottleDirection::Received;
  });
  RawPeer& first = log_on_first();
  for (const char* order : {"11=1|", "11=2|", "11=3|"}) {
    first.send("D", order);
  }
  ASSERT_TRUE(turn_until([&] { return application_.heard_code("S142"); }));
  RawPeer& second = come_again(5);
  const RawMessage test = first.expect("1");
  first.send("0", "112=" + test[112] + "|");
  EXPECT_TRUE(second.closed());
  EXPECT_TRUE(application_.heard_code("N208", "first one lives")) << application_.all_events();
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 3; }));
  EXPECT_TRUE(application_.logouts.empty());
}

TEST_F(EngineSecondLogon, AFirstOneThatDiedWhileNobodyReadItIsReplacedAfterAll) {
  open([](config::SessionSettings& settings) {
    settings.second_logon = config::SecondLogon::Probe;
    settings.second_logon_probe_milliseconds = 50;
    settings.throttle_limit = 1;
    settings.throttle_window_in_milliseconds = 200;
    settings.throttle_direction = config::ThrottleDirection::Received;
  });
  RawPeer& first = log_on_first();
  first.send("D", "11=1|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  RawPeer& second = come_again(3);
  first.expect("1");
  second.expect("A");
}

TEST_F(EngineSecondLogon, OneWaitsAndMoreAreRefused) {
  open_with("PROBE", 300);
  RawPeer& first = log_on_first();
  RawPeer& second = come_again();
  first.expect("1");
  RawPeer& third = come_again();
  EXPECT_TRUE(third.closed());
  second.expect("A");
}

TEST_F(EngineSecondLogon, ANewcomerThatGoesAwayLeavesEverythingAsItWas) {
  open_with("PROBE", 200);
  RawPeer& first = log_on_first();
  RawPeer& second = come_again();
  first.expect("1");
  second.close();
  first.send("0");
  first.send("D", "11=1|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  // Its place is free again.
  RawPeer& third = come_again(4);
  first.expect("1");
  EXPECT_EQ(third.expect("A").number(), 4U);
}

TEST_F(EngineSecondLogon, WhileTheFirstLogonWaitsForItsAnswerTheSecondIsRefused) {
  application_.when_logon_request = [](host::SessionHandle, const wire::MessageView&) {
    return host::LogonAnswer::later();
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
  log_on_first();
  const std::uint64_t before = session().next_sender_seq();
  RawPeer& second = come_again();
  EXPECT_TRUE(second.closed());
  EXPECT_EQ(session().next_sender_seq(), before);
}

TEST_F(EngineSecondLogon, FinishTurnsTheNewcomerAway) {
  open_with("PROBE", 60'000);
  RawPeer& first = log_on_first();
  RawPeer& second = come_again();
  first.expect("1");
  EXPECT_FALSE(venue_->finish("bye", os::now().steady_ns + 50 * base::ns_per_ms));
  EXPECT_TRUE(second.closed());
}

}  // namespace
}  // namespace affix::support
