// SPDX-License-Identifier: MIT
// The application's answers to a Logon: at once or later, from another thread, in both roles; and
// when what a Logon says about cancelling orders counts.
#include "affix/host/session_controls.hpp"

#include "support/venue_case.hpp"

#include <atomic>
#include <thread>

namespace affix::support {
namespace {

class EngineLogonAnswer : public VenueCase {
 protected:
  void open_later(std::int64_t logon_timeout_seconds = 5) {
    open([&](config::SessionSettings& settings) {
      settings.logon_timeout_seconds = logon_timeout_seconds;
    });
    application_.when_logon_request = [this](host::SessionHandle session,
                                             const wire::MessageView&) {
      asked_.push_back(session);
      return host::LogonAnswer::later();
    };
  }

  RawPeer& ask(std::string_view fields = {}) {
    RawPeer& firm = connect();
    const std::size_t asked_before = asked_.size();
    firm.send_logon(fields);
    EXPECT_TRUE(turn_until([&] { return asked_.size() > asked_before; }));
    return firm;
  }

  /// The second comes after the first has gone without an answer.
  RawPeer& ask_twice() {
    ask("554=right|").close();
    EXPECT_TRUE(turn_until([&] { return session().disconnected(); }));
    return ask("554=wrong|");
  }

  std::vector<host::SessionHandle> asked_;
};

TEST_F(EngineLogonAnswer, AcceptedLaterWithMessagesThatCameMeanwhile) {
  open_later();
  RawPeer& firm = ask();
  firm.send("D", "11=early|");
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  EXPECT_FALSE(session().logged_on());
  EXPECT_TRUE(application_.messages.empty());
  EXPECT_EQ(send_order(session(), "1").status, host::SendStatus::NotLoggedOn);
  EXPECT_TRUE(session().accept_logon());
  EXPECT_FALSE(session().accept_logon());
  EXPECT_TRUE(application_.logons.empty());  // No command calls back.
  firm.expect("A");
  ASSERT_TRUE(turn_until([&] { return !application_.messages.empty(); }));
  EXPECT_EQ(application_.logons.size(), 1U);
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"early"});
  EXPECT_FALSE(application_.nested);
}

TEST_F(EngineLogonAnswer, RefusedLaterChangesNothing) {
  open_later();
  RawPeer& firm = ask();
  EXPECT_TRUE(session().refuse_logon("no such user"));
  EXPECT_EQ(firm.expect("5")[58], "no such user");
  EXPECT_TRUE(firm.closed());
  firm.close();
  ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  EXPECT_EQ(session().next_sender_seq(), 1U);
  EXPECT_EQ(session().next_target_seq(), 1U);
  EXPECT_FALSE(session().accept_logon());
  EXPECT_FALSE(session().refuse_logon("again"));
}

TEST_F(EngineLogonAnswer, NoAnswerInTimeClosesTheConnection) {
  open_later(1);
  RawPeer& firm = ask();
  firm.send("D", "11=early|");
  EXPECT_TRUE(firm.closed());
  EXPECT_TRUE(application_.heard_code("S107"));
  EXPECT_FALSE(session().accept_logon());
  EXPECT_EQ(session().next_target_seq(), 1U);
}

TEST_F(EngineLogonAnswer, AnotherThreadsWorkIsTakenOverOnWake) {
  open_later();
  std::atomic<bool> checked{false};
  int wakes = 0;
  application_.when_woken = [&] {
    ++wakes;
    if (checked.exchange(false)) {
      EXPECT_TRUE(session().accept_logon());
    }
  };
  RawPeer& firm = ask();
  std::thread checker([&] {
    checked = true;
    venue_->wake();
  });
  firm.expect("A");
  checker.join();
  EXPECT_GE(wakes, 1);
  EXPECT_TRUE(session().logged_on());
}

TEST_F(EngineLogonAnswer, RefusedAfterMoreReportsThanTheRoomKeeps) {
  open_later();
  RawPeer& firm = ask();
  const host::SessionControls controls(session());
  for (int many = 0; many < 100; ++many) {
    EXPECT_TRUE(controls.set_next_expected(1));
  }
  EXPECT_TRUE(session().refuse_logon("no such user"));
  EXPECT_EQ(firm.expect("5")[58], "no such user");
  EXPECT_TRUE(firm.closed());
}

TEST_F(EngineLogonAnswer, AcceptedInsideTheRequestCountsOnce) {
  open_later();
  application_.when_logon_request = [](host::SessionHandle session, const wire::MessageView&) {
    EXPECT_TRUE(session.accept_logon());
    return host::LogonAnswer::refuse("too late");
  };
  RawPeer& firm = connect();
  firm.log_on();
  ASSERT_TRUE(turn_until([&] { return session().logged_on(); }));
  EXPECT_EQ(session().next_sender_seq(), 2U);
}

TEST_F(EngineLogonAnswer, LogoutEndsTheWait) {
  open_later();
  RawPeer& firm = ask();
  session().logout("not now");
  EXPECT_TRUE(firm.closed());
  EXPECT_EQ(session().next_sender_seq(), 1U);
}

TEST(EngineLogonAnswerOfAcceptor, IsShownToTheInitiatorBeforeItCounts) {
  Pair pair;
  int asked = 0;
  pair.firm_application.when_logon_answer = [&](host::SessionHandle session,
                                                const wire::MessageView& logon) {
    EXPECT_TRUE(session.is_initiator());
    EXPECT_FALSE(session.logged_on());
    EXPECT_EQ(session.next_target_seq(), 1U);
    EXPECT_EQ(logon.find(108U), "30");
    ++asked;
    return host::LogonAnswer::accept();
  };
  ASSERT_TRUE(pair.log_on());
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(pair.venue().is_initiator());
  EXPECT_EQ(pair.firm_application.logon_requests, 0);
}

TEST(EngineLogonAnswerOfAcceptor, MayBeRefusedOrAnsweredLater) {
  Pair pair;
  int asked = 0;
  pair.firm_application.when_logon_answer = [&](host::SessionHandle,
                                                const wire::MessageView&) -> host::LogonAnswer {
    return ++asked == 1 ? host::LogonAnswer::refuse("wrong venue") : host::LogonAnswer::later();
  };
  ASSERT_TRUE(pair.turn_until([&] { return asked == 2; }));
  EXPECT_TRUE(pair.firm_application.logons.empty());
  EXPECT_TRUE(pair.venue_application.heard_code("S104", "wrong venue"))
      << pair.venue_application.all_events();
  EXPECT_TRUE(pair.firm().accept_logon());
  EXPECT_TRUE(pair.log_on());
}

TEST_F(EngineLogonAnswer, ALateAnswerIsNotForTheNextLogon) {
  open_later();
  RawPeer& second = ask_twice();
  ASSERT_EQ(asked_.size(), 2U);
  EXPECT_EQ(asked_[0], asked_[1]);  // One session.
  EXPECT_FALSE(asked_[0].accept_logon());
  EXPECT_FALSE(asked_[0].refuse_logon("late"));
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  EXPECT_FALSE(session().logged_on());
  EXPECT_TRUE(asked_[1].refuse_logon("wrong"));
  EXPECT_EQ(second.expect("5")[58], "wrong");
}

TEST_F(EngineLogonAnswer, ALateAnswerOfACourierIsNotForTheNextLogon) {
  open_later();
  auto sender = venue_->open_cross_thread_sender();
  ASSERT_TRUE(sender);
  RawPeer& second = ask_twice();
  ASSERT_EQ(asked_.size(), 2U);
  EXPECT_EQ(sender->accept_logon(asked_[0]), engine::HandOver::Queued);
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  EXPECT_FALSE(session().logged_on());
  EXPECT_EQ(sender->refuse_logon(asked_[1], "wrong"), engine::HandOver::Queued);
  EXPECT_EQ(second.expect("5")[58], "wrong");
}

TEST_F(EngineLogonAnswer, ACouriersAnswerWithAnyOtherHandleIsForTheLogonOfThatMoment) {
  open_later();
  auto sender = venue_->open_cross_thread_sender();
  ASSERT_TRUE(sender);
  RawPeer& first = ask();
  // The worker reads the end of the second Logon before the answer to the first.
  RawPeer& second = connect();
  const std::string logon = second.message("A", 1, "98=0|108=30|");
  second.send_bytes(logon.substr(0, logon.size() / 2));
  first.close();
  ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  EXPECT_EQ(sender->accept_logon(session()), engine::HandOver::Queued);
  second.send_bytes(logon.substr(logon.size() / 2));
  ASSERT_TRUE(turn_until([&] { return application_.logon_requests == 2; }));
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  EXPECT_FALSE(session().logged_on());
  EXPECT_EQ(sender->refuse_logon(session(), "wrong"), engine::HandOver::Queued);
  EXPECT_EQ(second.expect("5")[58], "wrong");
}

TEST_F(EngineLogonAnswer, AHandleOfARemovedSessionAnswersNoLogonOfItsSuccessor) {
  open_later();
  auto sender = venue_->open_cross_thread_sender();
  ASSERT_TRUE(sender);
  const host::SessionHandle before = session();
  RawPeer& first = ask();
  const auto removal = venue_->remove_session("FIRM", {}, patience_ns);
  ASSERT_TRUE(removal);
  EXPECT_TRUE(first.closed());
  first.close();
  ASSERT_TRUE(turn_until([&] { return removal->done(); }));
  const auto addition = venue_->add_sessions({configuration_.sessions.front()});
  ASSERT_TRUE(addition);
  ASSERT_TRUE(turn_until([&] { return addition->done(); }));
  RawPeer& second = ask();
  ASSERT_EQ(asked_.size(), 2U);
  for (const host::SessionHandle old : {before, asked_[0]}) {
    EXPECT_FALSE(old.accept_logon());
    EXPECT_FALSE(old.refuse_logon("late"));
    EXPECT_EQ(sender->accept_logon(old), engine::HandOver::Queued);
  }
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  EXPECT_FALSE(session().logged_on());
  EXPECT_TRUE(asked_[1].refuse_logon("wrong"));
  EXPECT_EQ(second.expect("5")[58], "wrong");
}

TEST_F(EngineLogonAnswer, TheTextOfARefusalNeedNotOutliveTheCall) {
  open_later();
  RawPeer& firm = ask();
  {
    const std::string words = "no such user, and more than fits a string in place";
    EXPECT_TRUE(session().refuse_logon(words));
  }
  std::string other(51, '#');  // Possibly at the place of the text.
  EXPECT_EQ(firm.expect("5")[58], "no such user, and more than fits a string in place");
  ASSERT_TRUE(turn_until([&] { return application_.heard_code("S102"); }));
  EXPECT_TRUE(application_.heard_code("S102", "no such user, and more than fits"))
      << application_.all_events();
  EXPECT_EQ(other.size(), 51U);
}

TEST_F(EngineLogonAnswer, TheTextOfACouriersRefusalNeedNotStayInItsQueue) {
  open_later();
  RawPeer& firm = ask();
  auto sender = venue_->open_cross_thread_sender({.ring_bytes = 4096, .message_bytes = 64});
  ASSERT_TRUE(sender);
  static constexpr std::string_view words = "no such user at all";
  EXPECT_EQ(sender->refuse_logon(session(), words), engine::HandOver::Queued);
  // Called once the refusal is taken, and before its report is written: commands of the same size
  // fill the queue, the last of them in the refusal's place.
  const auto fill = [](host::SessionHandle session, void* context) {
    auto& filling = *static_cast<engine::CrossThreadSender*>(context);
    while (filling.logout(session, std::string(words.size(), '#')) == engine::HandOver::Queued) {
    }
  };
  EXPECT_EQ(sender->call(session(), fill, &*sender), engine::HandOver::Queued);
  EXPECT_EQ(firm.expect("5")[58], words);
  ASSERT_TRUE(turn_until([&] { return application_.heard_code("S102"); }));
  EXPECT_TRUE(application_.heard_code("S102", words)) << application_.all_events();
}

/// A hand-written peer, which says in its Logon when its orders are to be cancelled.
class EngineLogonTerms : public VenueCase {
 protected:
  void SetUp() override {
    open([](config::SessionSettings& settings) {
      settings.cancel_on_disconnect = config::CancelOnDisconnect::Disconnect;
      settings.cancel_on_disconnect_tags = true;
    });
  }

  /// Logs on, and ends without a Logout.
  void come_and_go(std::string_view fields) {
    RawPeer& firm = connect();
    firm.next_sequence = session().next_target_seq();
    firm.log_on(fields);
    firm.close();
    ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  }
};

TEST_F(EngineLogonTerms, ARefusedLogonSaysNothing) {
  application_.when_logon_request = [](host::SessionHandle, const wire::MessageView&) {
    return host::LogonAnswer::refuse("no such user");
  };
  RawPeer& stranger = connect();
  stranger.send_logon("35002=0|");
  ASSERT_TRUE(stranger.closed());
  stranger.close();
  ASSERT_TRUE(turn_until([&] { return session().disconnected(); }));
  application_.when_logon_request = {};
  ASSERT_NO_FATAL_FAILURE(come_and_go({}));
  EXPECT_EQ(application_.cancels.size(), 1U);
}

TEST_F(EngineLogonTerms, ThePeersTermsOutliveAReload) {
  ASSERT_NO_FATAL_FAILURE(come_and_go("35002=0|"));
  config::Configuration wanted = venue_->configuration();
  wanted.sessions.front().heartbeat_interval_seconds = 7;
  const auto change = venue_->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  ASSERT_TRUE(turn_until([&] { return change->done(); }));
  ASSERT_NO_FATAL_FAILURE(come_and_go({}));
  EXPECT_EQ(application_.logouts.size(), 2U);
  EXPECT_TRUE(application_.cancels.empty());
}

}  // namespace
}  // namespace affix::support
