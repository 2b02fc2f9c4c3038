// SPDX-License-Identifier: MIT
// Lost messages and their resend, in both directions: requested by us, requested by the peer,
// longer than a page and between live messages, larger than the outbox.
#include "support/raw_peer.hpp"

namespace affix::support {
namespace {

class EngineGap : public testing::Test {
 protected:
  void SetUp() override {
    configuration_ = acceptor_configuration();
    add_session(configuration_, "VENUE", "FIRM", directory_.path());
    open();
  }

  void open() {
    venue_.reset();
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
    firm_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "FIRM", "VENUE");
    firm_->connect(port_of(*venue_));
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<RawPeer> firm_;
};

std::string duplicate(RawPeer& peer, std::uint64_t sequence, const std::string& id) {
  return peer.message("D", sequence, "43=Y|122=" + utc_text() + "|11=" + id + "|");
}

TEST_F(EngineGap, LostMessagesOfThePeerAreRequestedAndComeInOrder) {
  firm_->log_on();
  firm_->send("D", "11=2|");
  firm_->send_bytes(firm_->message("D", 5, "11=5|") + firm_->message("D", 6, "11=6|"));
  const RawMessage request = firm_->expect("2");
  EXPECT_EQ(request[7], "3");
  EXPECT_EQ(request[16], "0");
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"2"});
  firm_->send_bytes(duplicate(*firm_, 3, "3") + duplicate(*firm_, 4, "4") +
                    duplicate(*firm_, 5, "5") + duplicate(*firm_, 6, "6"));
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.messages.size() == 5; }));
  EXPECT_EQ(application_.ids(), (std::vector<std::string>{"2", "3", "4", "5", "6"}));
  EXPECT_FALSE(application_.messages[0].delivery.possible_duplicate);
  EXPECT_TRUE(application_.messages[1].delivery.possible_duplicate);
  EXPECT_EQ(application_.messages[4].delivery.sequence, 6U);
  EXPECT_EQ(session().next_target_seq(), 7U);
  EXPECT_FALSE(application_.nested);
}

TEST_F(EngineGap, AHeldRunLongerThanTheOutboxTakesIsReleasedAndAnswered) {
  // Each message is answered inside its callback; the answers need many outboxes.
  application_.when_message = [](host::SessionHandle session, const wire::MessageView& message,
                                 const host::Delivery&) {
    EXPECT_TRUE(
        send_order(session, message.find(11U).value_or("?"), std::string(1'500, 'a')).sent());
  };
  firm_->log_on();
  std::string ahead;
  for (std::uint64_t sequence = 3; sequence <= 602; ++sequence) {
    ahead += firm_->message("D", sequence, "11=" + std::to_string(sequence) + "|");
  }
  firm_->send_bytes(ahead);
  EXPECT_EQ(firm_->expect("2")[7], "2");
  firm_->send_bytes(duplicate(*firm_, 2, "2"));
  for (std::uint64_t sequence = 2; sequence <= 602; ++sequence) {
    const RawMessage answer = firm_->expect("D");
    ASSERT_EQ(answer[11], std::to_string(sequence));
    ASSERT_EQ(answer.number(), sequence + 1);  // Ours: Logon, ResendRequest, answers.
  }
  EXPECT_EQ(application_.messages.size(), 601U);
}

TEST_F(EngineGap, UnreadMessagesAreSentAgain) {
  firm_->log_on();
  for (int order = 0; order < 20; ++order) {
    ASSERT_TRUE(send_order(session(), std::to_string(order)).sent());
  }
  firm_->close();  // Unread.
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.logouts.size() == 1; }));
  EXPECT_EQ(send_order(session(), "while away").status, host::SendStatus::NotLoggedOn);
  firm_->connect(port_of(*venue_));
  const RawMessage logon = firm_->log_on();
  EXPECT_EQ(logon.number(), 22U);
  firm_->send("2", "7=1|16=0|");
  const RawMessage fill = firm_->expect("4");  // The first Logon is not resent.
  EXPECT_EQ(fill.number(), 1U);
  EXPECT_EQ(fill[123], "Y");
  EXPECT_EQ(fill[36], "2");
  for (std::uint64_t order = 0; order < 20; ++order) {
    const RawMessage again = firm_->expect("D");
    EXPECT_EQ(again.number(), order + 2);
    EXPECT_EQ(again[43], "Y");
    EXPECT_FALSE(again[122].empty());
    EXPECT_EQ(again[11], std::to_string(order));
  }
  EXPECT_EQ(firm_->expect("4")[36], "23");  // The second Logon.
}

TEST_F(EngineGap, AShortResendIsWholeBeforeTheRequestsOfTheSameReadAreAnswered) {
  firm_->log_on();
  for (int order = 0; order < 5; ++order) {
    ASSERT_TRUE(send_order(session(), std::to_string(order)).sent());
    firm_->expect("D");
  }
  firm_->send_bytes(firm_->message("2", 2, "7=3|16=5|") + firm_->message("1", 3, "112=AFTER|"));
  for (std::uint64_t sequence = 3; sequence <= 5; ++sequence) {
    const RawMessage again = firm_->expect("D");
    EXPECT_EQ(again.number(), sequence);
    EXPECT_EQ(again[43], "Y");
  }
  const RawMessage echo = firm_->expect("0");
  EXPECT_EQ(echo[112], "AFTER");
}

TEST_F(EngineGap, LiveMessagesGoOutBetweenThePagesOfALongResend) {
  constexpr std::uint64_t count = 2'000;
  firm_->log_on();
  for (std::uint64_t order = 0; order < count; ++order) {
    ASSERT_TRUE(send_order(session(), std::to_string(order)).sent());
    if (order % 100 == 99) {
      turn({venue_.get()});
      firm_->read();
    }
  }
  for (std::uint64_t order = 0; order < count; ++order) {
    ASSERT_EQ(firm_->expect("D").number(), order + 2);
  }
  firm_->send("2", "7=2|16=0|");
  std::uint64_t next_again = 2;
  std::uint64_t next_live = count + 2;
  bool live_between = false;
  while (next_again < count + 2) {
    const RawMessage message = firm_->expect("D");
    if (message[43] == "Y") {
      ASSERT_EQ(message.number(), next_again);
      ++next_again;
    } else {
      ASSERT_EQ(message.number(), next_live);
      ++next_live;
      live_between = true;
    }
    if (message[43] == "Y" && next_again % 200 == 50) {
      ASSERT_TRUE(send_order(session(), "live").sent());
    }
  }
  EXPECT_TRUE(live_between);
}

TEST_F(EngineGap, MessagesThatDoNotFitAfterWaitingOnesAreSentAgain) {
  configuration_.servers.front().tx_encode_buffer_capacity = 64 * 1024;
  open();
  firm_->log_on();
  // After two of these there is room for any input, but not for a third.
  const std::string text(22'000, 't');
  for (int order = 0; order < 50; ++order) {
    ASSERT_TRUE(send_order(session(), std::to_string(order), text).sent());
    ASSERT_EQ(firm_->expect("D")[11], std::to_string(order));
  }
  firm_->send("2", "7=2|16=0|");
  for (int order = 0; order < 50; ++order) {
    const RawMessage again = firm_->expect("D");
    ASSERT_EQ(again[11], std::to_string(order));
    ASSERT_EQ(again[58], text);
  }
}

TEST_F(EngineGap, AMemoryJournalWhoseRingComesRoundSendsNoOverwrittenMessage) {
  configuration_.sessions.front().durability = journal::Durability::Memory;
  open();
  firm_->log_on();
  const std::string text(1'000, 't');
  constexpr std::uint64_t count = 5'000;  // Several rings.
  for (std::uint64_t order = 0; order < count; ++order) {
    ASSERT_TRUE(send_order(session(), std::to_string(order), text).sent());
    ASSERT_EQ(firm_->expect("D").number(), order + 2);
  }
  firm_->send("2", "7=2|16=0|");
  std::uint64_t next = 2;
  bool filled = false;
  while (next < count + 2) {
    const std::optional<RawMessage> message = firm_->receive();
    ASSERT_TRUE(message);
    if ((*message)[43] != "Y") {
      continue;  // Live.
    }
    ASSERT_EQ(message->number(), next);
    if ((*message)[35] == "4") {
      filled = true;
      next = std::strtoull((*message)[36].c_str(), nullptr, 10);
    } else {
      ASSERT_EQ((*message)[11], std::to_string(next - 2));
      ++next;
    }
    ASSERT_TRUE(send_order(session(), "live", text).sent());  // Overwrites the ring while it is
                                                              // read.
  }
  EXPECT_TRUE(filled);
}

TEST(EngineGapBetweenEngines, MessagesLostByAKilledConnectionArriveOnceAndInOrder) {
  Pair pair;
  ASSERT_TRUE(pair.log_on());
  // Sent by the venue, in the firm's kernel, and never read.
  for (int order = 0; order < 300; ++order) {
    ASSERT_TRUE(send_order(pair.venue(), "v" + std::to_string(order)).sent());
  }
  pair.initiator.reset();
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.logouts.size() == 1; }));
  pair.open_firm();
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.messages.size() == 300; }));
  for (std::size_t order = 0; order < 300; ++order) {
    EXPECT_EQ(pair.firm_application.messages[order].id, "v" + std::to_string(order));
    EXPECT_TRUE(pair.firm_application.messages[order].delivery.possible_duplicate);
  }
  EXPECT_TRUE(pair.firm_application.heard_code("S118"));
  // The session still works.
  ASSERT_TRUE(send_order(pair.venue(), "live").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.messages.size() == 301; }));
}

TEST(EngineGapBetweenEngines, NextExpectedBringsThePeerUpToDateWithoutARequest) {
  Pair pair("FIX.4.4", [](config::Configuration& configuration) {
    configuration.sessions.front().logon_include_next_expected_seq_no = true;
  });
  ASSERT_TRUE(pair.log_on());
  for (int order = 0; order < 10; ++order) {
    ASSERT_TRUE(send_order(pair.venue(), std::to_string(order)).sent());
  }
  pair.initiator.reset();
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.logouts.size() == 1; }));
  pair.open_firm();
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.messages.size() == 10; }));
  EXPECT_FALSE(pair.firm_application.heard_code("S118"));
}

}  // namespace
}  // namespace affix::support
