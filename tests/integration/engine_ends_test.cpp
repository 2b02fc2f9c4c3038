// SPDX-License-Identifier: MIT
// Side and reason of a connection's end: in events, in the journal and in operators' displays; and
// disabled sessions.
#include "affix/host/session_controls.hpp"

#include "support/venue_case.hpp"

#include <functional>
#include <string>

namespace affix::support {
namespace {

using host::SessionControls;

class EngineEnds : public VenueCase {
 protected:
  void SetUp() override { open(); }

  RawPeer& log_on() {
    RawPeer& firm = connect();
    firm.next_sequence = session().next_target_seq();
    firm.log_on();
    EXPECT_TRUE(turn_until([&] { return session().logged_on(); }));
    return firm;
  }

  /// Logs on, ends the connection with `end`, and expects all reports of that: `why` begins with
  /// who has ended it, and the code is that of the reason.
  void expect_end(const std::function<void(RawPeer&)>& end, std::string_view by,
                  base::MessageCode code) {
    application_.events.clear();
    RawPeer& firm = log_on();
    end(firm);
    ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
    const host::SessionSight sight = SessionControls(session()).sight();
    const std::string why(sight.ended_why.view());
    EXPECT_TRUE(why.starts_with("ended by " + std::string(by) + ": ")) << why;
    EXPECT_GT(sight.ended_utc_ns, 0);
    EXPECT_TRUE(application_.heard_code("S206", "VENUE with FIRM at 127.0.0.1:"));
    EXPECT_TRUE(application_.heard_code("S101")) << application_.all_events();
    EXPECT_TRUE(application_.heard_code(code, "VENUE with FIRM at 127.0.0.1:"));
    EXPECT_TRUE(application_.heard_code(code, why)) << why << " is not in\n"
                                                    << application_.all_events();
    EXPECT_NE(journal_text().find(why), std::string::npos);
  }
};

TEST_F(EngineEnds, EveryEndNamesItsSideAndReason) {
  const auto answer_logout = [](RawPeer& firm) {
    static_cast<void>(firm.expect("5"));
    firm.send("5");
  };
  expect_end([](RawPeer& firm) { firm.close(); }, "the peer", "N101");
  expect_end(
      [](RawPeer& firm) {
        firm.send("5");
        static_cast<void>(firm.expect("5"));
        firm.close();
      },
      "the peer", "N101");
  expect_end(
      [&](RawPeer& firm) {
        session().logout("end of business");
        answer_logout(firm);
      },
      "the application", "S201");
  expect_end(
      [&](RawPeer& firm) {
        SessionControls(session()).logout("maintenance");
        answer_logout(firm);
      },
      "an operator", "S201");
  expect_end([&](RawPeer&) { EXPECT_TRUE(SessionControls(session()).disconnect()); }, "an operator",
             "S305");
  expect_end(
      [&](RawPeer& firm) {
        EXPECT_TRUE(venue_->disable_session("FIRM", "risk limit"));
        answer_logout(firm);
      },
      "an operator", "S201");
}

TEST_F(EngineEnds, AThrottleThatDisconnectsSaysSoToo) {
  open([](config::SessionSettings& settings) {
    settings.throttle_limit = 1;
    settings.throttle_window_in_milliseconds = 60'000;
    settings.throttle_action = session::ThrottleAction::Disconnect;
  });
  expect_end(
      [](RawPeer& firm) {
        firm.send("D", "11=1|");
        firm.send("D", "11=2|");
        EXPECT_EQ(firm.expect("5")[58], "Message rate limit exceeded");
        EXPECT_TRUE(firm.closed());
        firm.close();
      },
      "us", "S204");
  EXPECT_TRUE(application_.heard_code("S142")) << application_.all_events();
}

TEST_F(EngineEnds, TheEnginesEndSaysSoToo) {
  expect_end(
      [&](RawPeer& firm) {
        for (std::size_t worker = 0; worker < venue_->worker_count(); ++worker) {
          venue_->worker(worker).finish("stopped for the night");
        }
        EXPECT_EQ(firm.expect("5")[58], "stopped for the night");
        firm.send("5");
        EXPECT_TRUE(firm.closed());
        firm.close();
      },
      "the engine's end", "S201");
}

TEST_F(EngineEnds, ARemovalSaysSoToo) {
  RawPeer& firm = log_on();
  application_.events.clear();
  const std::string journal(session().journal_directory());
  const auto removal = venue_->remove_session("FIRM", "moved to another host", patience_ns);
  ASSERT_TRUE(removal);
  EXPECT_EQ(firm.expect("5")[58], "moved to another host");
  firm.send("5");
  EXPECT_TRUE(firm.closed());
  firm.close();
  ASSERT_TRUE(turn_until([&] { return removal->done(); }));
  const std::string_view why = "ended by a change of its settings: ";
  EXPECT_TRUE(application_.heard_code("S201", "VENUE with FIRM at 127.0.0.1:"));
  EXPECT_TRUE(application_.heard_code("S201", why)) << application_.all_events();
  EXPECT_NE(text_of_journal(journal).find(why), std::string::npos);
}

TEST_F(EngineEnds, AConnectionWithoutALogonSaysSoToo) {
  RawPeer& firm = connect();
  firm.send("A", "98=0|");  // Without its HeartBtInt.
  EXPECT_TRUE(firm.closed());
  firm.close();
  EXPECT_TRUE(turn_until([&] {
    return application_.heard_code("S102", "VENUE with FIRM at 127.0.0.1:");
  })) << application_.all_events();
  EXPECT_TRUE(application_.heard_code("S102", "ended by us: ")) << application_.all_events();
}

TEST_F(EngineEnds, ADisabledSessionIsSeenAsThat) {
  RawPeer& firm = log_on();
  const auto change = venue_->disable_session("FIRM", "risk limit", "operator ann");
  ASSERT_TRUE(change);
  firm.expect("5");
  EXPECT_FALSE(change->done()) << "it has not logged out yet";
  firm.send("5");
  ASSERT_TRUE(turn_until([&] { return change->done(); }));
  const host::SessionSight sight = SessionControls(session()).sight();
  EXPECT_FALSE(sight.enabled);
  EXPECT_EQ(sight.disabled_why.view(), "by operator ann: risk limit");
  EXPECT_GT(sight.switched_utc_ns, 0);
  EXPECT_EQ(session().standing(), session::SessionStanding::Disabled);
  ASSERT_TRUE(venue_->enable_session("FIRM"));
  ASSERT_TRUE(turn_until([&] { return SessionControls(session()).sight().enabled; }));
  EXPECT_EQ(SessionControls(session()).sight().disabled_why.view(), "");
  EXPECT_EQ(session().standing(), session::SessionStanding::Disconnected);
}

TEST_F(EngineEnds, NoReportOfOneCallbackIsLost) {
  constexpr int reports = 100;
  application_.when_message = [](host::SessionHandle session, const wire::MessageView&,
                                 const host::Delivery&) {
    for (int number = 1; number <= reports; ++number) {
      EXPECT_TRUE(
          SessionControls(session).set_next_expected(static_cast<std::uint64_t>(10 + number)));
    }
  };
  RawPeer& firm = log_on();
  firm.send("D", "11=1|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  ASSERT_TRUE(turn_until([&] { return application_.heard(std::to_string(10 + reports)); }));
  EXPECT_EQ(application_.times_heard("S109"), reports) << application_.all_events();
}

TEST_F(EngineEnds, AResendRequestAfterAForcedLogoutIsAskedForAgainAfterTheNextLogon) {
  RawPeer& firm = log_on();
  ASSERT_TRUE(send_order(session(), "missed").sent());
  firm.expect("D");
  const std::uint64_t expected = session().next_target_seq();
  // A number that is too low ends the session by our Logout; later input is ignored.
  firm.send_bytes(firm.message("D", 1, "11=1|"));
  firm.send("2", "7=2|16=0|");
  firm.expect("5");
  firm.close();
  ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  EXPECT_EQ(session().next_target_seq(), expected);
  RawPeer& again = log_on();
  again.send("2", "7=2|16=2|");
  EXPECT_EQ(again.expect("D")[11], "missed");
}

}  // namespace
}  // namespace affix::support
