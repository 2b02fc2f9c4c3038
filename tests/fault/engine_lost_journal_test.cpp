// SPDX-License-Identifier: MIT
// One session's journal is lost while the engine runs: its file is truncated, or its directory
// removed. That session stops with a reason, sends nothing that is not stored, and the other
// session continues.
#include "affix/config/words.hpp"
#include "affix/journal/repair.hpp"
#include "affix/os/bus_error.hpp"

#include "support/raw_peer.hpp"

#include <algorithm>
#include <initializer_list>
#include <unistd.h>

namespace affix::support {
namespace {

class EngineLostJournal : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(os::install_bus_error_handler());
    open();
    for (RawPeer* peer : {firm_.get(), other_.get()}) {
      peer->connect(port_of(*venue_));
      peer->log_on();
    }
  }

  void open() {
    config::Configuration configuration = acceptor_configuration();
    for (const char* peer : {"FIRM", "OTHER"}) {
      config::SessionSettings& session =
          add_session(configuration, "VENUE", peer, directory_.path(peer));
      EXPECT_TRUE(config::choose(session, "durability", GetParam()));
      session.sequence_reserve = 100'000;
    }
    venue_ = open_engine(configuration, application_);
    ASSERT_TRUE(venue_);
    firm_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "FIRM", "VENUE");
    other_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "OTHER", "VENUE");
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  [[nodiscard]] std::string journal() const { return std::string(session().journal_directory()); }

  /// Sends orders until one is refused; returns the number of the last accepted one.
  std::uint64_t send_until_refused(host::SendStatus& refused) {
    std::uint64_t stored = 0;
    for (int order = 0; order < 100'000; ++order) {
      const host::SendResult sent = send_order(session(), "x", std::string(300, 'x'));
      if (!sent.sent() && sent.status != host::SendStatus::Backlogged) {
        refused = sent.status;
        return stored;
      }
      stored = std::max(stored, sent.sequence);
      turn({venue_.get()});
      firm_->read();
    }
    return stored;
  }

  /// Its logout and the refusal of its next Logon have the same reason, one of these.
  void expect_stopped(std::uint64_t stored, std::initializer_list<base::MessageCode> reasons) {
    while (const auto message = firm_->receive()) {
      last_received_ = message->number();
    }
    EXPECT_LE(last_received_, stored) << "sent and not stored";
    firm_->close();
    ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session().disconnected(); }));
    ASSERT_EQ(application_.logouts.size(), 1U);
    EXPECT_EQ(application_.logouts[0].first, "FIRM");
    const auto* const reason = std::ranges::find_if(
        reasons, [this](base::MessageCode code) { return application_.logged_out_by(code); });
    ASSERT_NE(reason, reasons.end()) << application_.all_events();
    expect_refused(*reason);
    expect_other_lives();
  }

  void expect_refused(base::MessageCode reason) {
    application_.events.clear();
    firm_->connect(port_of(*venue_));
    firm_->send_logon();
    --firm_->next_sequence;  // The message was refused.
    EXPECT_TRUE(firm_->closed());
    EXPECT_TRUE(application_.heard_code(reason)) << application_.all_events();
    firm_->close();
  }

  void expect_other_lives() {
    const std::size_t before = application_.messages.size();
    other_->send("D", "11=still|");
    ASSERT_TRUE(
        turn_until({venue_.get()}, [&] { return application_.messages.size() == before + 1; }));
    ASSERT_TRUE(send_order(venue_->sessions().back(), "here").sent());
    EXPECT_EQ(other_->expect("D")[11], "here");
  }

  TemporaryDirectory directory_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<RawPeer> firm_;
  std::unique_ptr<RawPeer> other_;
  std::uint64_t last_received_ = 0;
};

TEST_P(EngineLostJournal, AFileThatSomebodyCutStopsItsSessionAndNoOther) {
  ASSERT_TRUE(send_order(session(), "before").sent());
  EXPECT_EQ(firm_->expect("D")[11], "before");
  ASSERT_EQ(truncate((journal() + "/0000000001.journal").c_str(), 8 * 1024), 0);
  host::SendStatus refused = host::SendStatus::Sent;
  const std::uint64_t stored = send_until_refused(refused);
  EXPECT_EQ(refused, host::SendStatus::JournalFull);
  expect_stopped(stored, {"J106"});
  // The remaining journal is refused until it is repaired; then no number that was seen is used
  // again.
  const std::string directory = journal();
  venue_.reset();
  journal::RepairOptions repairing;
  repairing.directory = directory;
  repairing.apply = true;
  const auto repaired = journal::repair(repairing);
  ASSERT_TRUE(repaired) << repaired.error().text();
  EXPECT_FALSE(repaired->segments.empty());
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_GT(session().next_sender_seq(), last_received_);
  firm_->next_sequence = session().next_target_seq();
  firm_->connect(port_of(*venue_));
  firm_->log_on();
}

TEST_P(EngineLostJournal, ADirectoryThatIsGoneStopsItsSessionUntilItIsBack) {
  const std::string directory = journal();
  std::filesystem::rename(directory, directory + ".away");
  host::SendStatus refused = host::SendStatus::Sent;
  const std::uint64_t stored = send_until_refused(refused);
  EXPECT_GT(stored, 50U) << "what was mapped is still written to";
  EXPECT_TRUE(refused == host::SendStatus::JournalFull || refused == host::SendStatus::NotLoggedOn);
  const bool flushed = std::string_view(GetParam()) != "process";
  // A journal that is flushed notices it when it begins the next segment, at the latest.
  if (flushed) {
    expect_stopped(stored, {"J102", "J106"});
  } else {
    expect_stopped(stored, {"J102"});
  }
  std::filesystem::rename(directory + ".away", directory);
  firm_->connect(port_of(*venue_));
  firm_->log_on();
  EXPECT_TRUE(session().logged_on());
  ASSERT_TRUE(send_order(session(), "after").sent());
  EXPECT_EQ(firm_->expect("D")[11], "after");
}

INSTANTIATE_TEST_SUITE_P(Durabilities, EngineLostJournal,
                         testing::Values("process", "group", "sync"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace affix::support
