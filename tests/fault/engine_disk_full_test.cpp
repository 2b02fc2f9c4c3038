// SPDX-License-Identifier: MIT
// A journal without disk space: the session stops with a reason, sends and accepts nothing that is
// not stored, and continues when there is space again.
#include "affix/host/session_controls.hpp"

#include "support/file_size_limit.hpp"
#include "support/raw_peer.hpp"

namespace affix::support {
namespace {

class EngineDiskFull : public testing::Test {
 protected:
  void SetUp() override { open(false); }

  void open(bool reset_on_disconnect) {
    venue_.reset();
    config::Configuration configuration = acceptor_configuration();
    add_session(configuration, "VENUE", "FIRM", directory_.path()).reset_on_disconnect =
        reset_on_disconnect;
    venue_ = open_engine(configuration, application_);
    ASSERT_TRUE(venue_);
    firm_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "FIRM", "VENUE");
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  /// Bytes of a text. A journal's first segment has 64 KiB: it does not fit after fill().
  static constexpr std::size_t too_large = 8'000;

  /// Leaves little room in a segment that the full disk allows no successor.
  void fill() const {
    ASSERT_TRUE(send_order(session(), "filler", std::string(56'000, 'x')).sent());
  }

  /// Numbers of the messages received until the stream ends.
  std::vector<std::uint64_t> numbers_until_end() {
    std::vector<std::uint64_t> numbers;
    while (const auto message = firm_->receive()) {
      numbers.push_back(message->number());
    }
    return numbers;
  }

  void expect_refused() {
    firm_->close();
    ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session().disconnected(); }));
    firm_->connect(port_of(*venue_));
    firm_->send_logon();
    --firm_->next_sequence;  // The message was refused.
    EXPECT_TRUE(firm_->closed());
    EXPECT_FALSE(session().logged_on());
    EXPECT_TRUE(application_.heard_code("S302", "no room")) << application_.all_events();
    firm_->close();
  }

  TemporaryDirectory directory_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<RawPeer> firm_;
};

TEST_F(EngineDiskFull, NothingIsSentThatIsNotStored) {
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  std::uint64_t stored = 1;  // The Logon.
  {
    const FileSizeLimit limit(64 * 1024);
    host::SendResult result;
    for (int order = 0; order < 10'000; ++order) {
      result = send_order(session(), "before");
      if (!result.sent()) {
        break;
      }
      stored = result.sequence;
    }
    EXPECT_EQ(result.status, host::SendStatus::JournalFull);
    EXPECT_EQ(send_order(session(), "again").status, host::SendStatus::JournalFull);
    const std::vector<std::uint64_t> numbers = numbers_until_end();
    ASSERT_EQ(numbers.size(), stored - 1);
    EXPECT_EQ(numbers.back(), stored);
    expect_refused();
    ASSERT_EQ(application_.logouts.size(), 1U);
    EXPECT_FALSE(application_.logouts[0].second.empty());
    EXPECT_EQ(session().next_sender_seq(), stored + 1);
  }
  EXPECT_FALSE(application_.nested);
  firm_->connect(port_of(*venue_));
  EXPECT_EQ(firm_->log_on().number(), stored + 1);
  ASSERT_TRUE(send_order(session(), "after").sent());
  EXPECT_EQ(firm_->expect("D")[11], "after");
}

TEST_F(EngineDiskFull, NothingIsTakenThatIsNotStored) {
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  std::uint64_t taken = 0;
  {
    const FileSizeLimit limit(64 * 1024);
    std::string bytes;
    for (std::uint64_t order = 2; order < 2'000; ++order) {
      bytes += firm_->message("D", order, "11=" + std::to_string(order) + "|");
    }
    // The stream is cut off within it, possibly before all is written.
    EXPECT_GT(firm_->send_some(bytes), 100'000U);
    EXPECT_TRUE(firm_->closed());
    taken = application_.messages.size();
    EXPECT_GT(taken, 100U);
    EXPECT_LT(taken, 1'998U);
    firm_->next_sequence = taken + 2;
    expect_refused();
    EXPECT_EQ(session().next_target_seq(), taken + 2);
  }
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  firm_->send("D", "11=after|");
  ASSERT_TRUE(
      turn_until({venue_.get()}, [&] { return application_.messages.size() == taken + 1; }));
  EXPECT_EQ(application_.messages.back().id, "after");
}

// The Reject has a place in the outbox and number 3 before the journal is asked to take the order.
// Had it left, the peer would see number 3 twice.
TEST_F(EngineDiskFull, NoAnswerLeavesToAMessageThatIsNotStored) {
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  {
    const FileSizeLimit limit(32 * 1024);
    fill();
    EXPECT_EQ(firm_->expect("D").number(), 2U);
    firm_->send("D", "43=Y|58=" + std::string(too_large, 'y') + "|");  // A duplicate without 122.
    EXPECT_EQ(numbers_until_end(), std::vector<std::uint64_t>{});
    firm_->next_sequence = 2;
    expect_refused();
  }
  firm_->connect(port_of(*venue_));
  EXPECT_EQ(firm_->log_on().number(), 3U);
}

// The peer would skip numbers that the venue goes on to use.
TEST_F(EngineDiskFull, NoSequenceResetLeavesThatIsNotStored) {
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  {
    const FileSizeLimit limit(32 * 1024);
    fill();
    const host::SessionControls controls(session());
    std::uint64_t stored = session().next_sender_seq();
    while (controls.send_sequence_reset(stored + 1)) {
      ++stored;
      turn({venue_.get()});
    }
    EXPECT_EQ(firm_->expect("D").number(), 2U);
    std::uint64_t told = 0;
    while (const auto message = firm_->receive()) {
      told = std::strtoull((*message)[36].c_str(), nullptr, 10);
    }
    EXPECT_EQ(told, stored);
    expect_refused();
    EXPECT_EQ(session().next_sender_seq(), stored);
  }
}

TEST_F(EngineDiskFull, AFailureWithoutAConnectionDoesNotSilenceTheJournal) {
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  {
    const FileSizeLimit limit(64 * 1024);
    while (send_order(session(), "fill").sent()) {
    }
    EXPECT_TRUE(firm_->closed());
    firm_->close();
    ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session().disconnected(); }));
    application_.events.clear();
    // At first the event of a reset fits where an order did not; finally it does not fit either.
    for (int attempt = 0; attempt < 100; ++attempt) {
      session().reset();
      turn({venue_.get()});
    }
    EXPECT_TRUE(application_.heard_code("S302", "a record")) << application_.all_events();
  }
  firm_->next_sequence = 1;
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  ASSERT_TRUE(send_order(session(), "stored").sent());
  const std::uint64_t next = session().next_sender_seq();
  open(false);
  EXPECT_EQ(session().next_sender_seq(), next);
}

// The reset at the disconnection was refused too.
TEST_F(EngineDiskFull, TheNumbersAreResetOnDisconnectOnceThereIsSpace) {
  open(true);
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  {
    const FileSizeLimit limit(32 * 1024);
    fill();
    EXPECT_EQ(send_order(session(), "refused", std::string(too_large, 'y')).status,
              host::SendStatus::JournalFull);
    EXPECT_TRUE(firm_->closed());
    expect_refused();
    EXPECT_EQ(session().next_sender_seq(), 3U);
  }
  firm_->next_sequence = 1;
  firm_->connect(port_of(*venue_));
  EXPECT_EQ(firm_->log_on().number(), 1U);
  EXPECT_EQ(session().next_target_seq(), 2U);
}

TEST_F(EngineDiskFull, ANumberThatIsNotStoredIsNotSet) {
  const host::SessionControls controls(session());
  {
    firm_->connect(port_of(*venue_));
    firm_->log_on();
    const FileSizeLimit limit(32 * 1024);
    fill();
    firm_->close();
    ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session().disconnected(); }));
    std::uint64_t set = 500;
    while (controls.set_next_outgoing(set + 1)) {
      ASSERT_LT(++set, 1'000U) << "the disk was not full";
      turn({venue_.get()});
    }
    EXPECT_EQ(session().next_sender_seq(), set);
    EXPECT_FALSE(controls.set_next_expected(700));
    EXPECT_EQ(session().next_target_seq(), 2U);
  }
  EXPECT_TRUE(turn_until({venue_.get()}, [&] { return controls.set_next_outgoing(2'000); }));
  EXPECT_TRUE(controls.set_next_expected(700));
  EXPECT_EQ(session().next_sender_seq(), 2'000U);
}

}  // namespace
}  // namespace affix::support
