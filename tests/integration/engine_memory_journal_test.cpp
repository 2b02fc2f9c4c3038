// SPDX-License-Identifier: MIT
// An engine whose journals in memory have a common limit: at the limit its sessions continue to
// trade and answer for lost messages with gap fills, and sessions that do not fit are refused.
#include "affix/counters/counter_reader.hpp"

#include "support/has_message.hpp"
#include "support/raw_peer.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace affix::support {
namespace {

/// With such a small outbox, a journal's segments have the minimum size.
constexpr std::int64_t outbox_bytes = 32'768;
constexpr std::int64_t segment_bytes = 65'536;
constexpr std::int64_t begins_with = 2 * segment_bytes;

class EngineMemoryJournal : public testing::Test {
 protected:
  EngineMemoryJournal() : configuration_(acceptor_configuration()) {
    configuration_.engine.counters_file = directory_.path("counters");
    configuration_.servers.front().tx_encode_buffer_capacity = outbox_bytes;
    for (const char* const peer : {"FIRM", "OTHER"}) {
      config::SessionSettings& session = add_session(configuration_, "VENUE", peer, "");
      session.durability = journal::Durability::Memory;
      session.max_message_bytes = 8'192;
    }
  }

  void open() {
    // Always one worker, as it reports once for all its sessions.
    auto opened = engine::Engine::open(configuration_, application_);
    ASSERT_TRUE(opened) << config::text_of(opened.error());
    venue_ = std::move(*opened);
  }

  [[nodiscard]] RawPeer logged_on(const std::string& name) {
    RawPeer peer({venue_.get()}, name, "VENUE");
    peer.connect(port_of(*venue_));
    peer.log_on();
    return peer;
  }

  /// Sends this many orders, all of which the peer receives. Returns the number of the last.
  std::uint64_t trade(RawPeer& peer, const std::string& name, int count) {
    const std::string text(500, 'x');
    std::uint64_t last = 0;
    for (int order = 0; order < count; ++order) {
      EXPECT_TRUE(send_order(venue_->session(name), std::to_string(order), text).sent());
      const RawMessage received = peer.expect("D");
      EXPECT_TRUE(last == 0 || received.number() == last + 1);
      last = received.number();
    }
    return last;
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> refusals() const {
    std::map<std::string, std::uint64_t> all;
    auto reader = counters::CounterReader::open(configuration_.engine.counters_file);
    EXPECT_TRUE(reader) << reader.error().text();
    if (reader) {
      for (const counters::SessionReading& session : reader->read().sessions) {
        all[session.name] = session[counters::SessionCounter::JournalMemoryRefused];
      }
    }
    return all;
  }

  [[nodiscard]] int times_reported() const {
    return application_.times_heard("E206", "'memory_journal_bytes'");
  }

  [[nodiscard]] config::SessionSettings another(const std::string& peer) const {
    config::SessionSettings session = configuration_.sessions.front();
    session.target_comp_id = peer;
    session.name = peer;
    return session;
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
};

/// Requests everything. Returns the first number that is resent; a gap fill covers those before it,
/// and none is missing after it up to `last`.
std::uint64_t resend_all(RawPeer& peer, std::uint64_t last) {
  peer.send("2", "7=1|16=0|");
  const RawMessage fill = peer.expect("4");
  EXPECT_EQ(fill.number(), 1U);
  EXPECT_EQ(fill[123], "Y");
  const auto first = std::strtoull(fill[36].c_str(), nullptr, 10);
  for (std::uint64_t number = first; number <= last; ++number) {
    const RawMessage again = peer.expect("D");
    EXPECT_EQ(again.number(), number);
    EXPECT_EQ(again[43], "Y");
  }
  return first;
}

TEST_F(EngineMemoryJournal, AtItsBoundOrdersGoOnAndGapFillsAnswerForOverwrittenMessages) {
  configuration_.engine.memory_journal_bytes = 2 * begins_with;
  open();
  RawPeer firm = logged_on("FIRM");
  trade(firm, "FIRM", 100);
  EXPECT_EQ(times_reported(), 0);
  EXPECT_EQ(refusals(), (std::map<std::string, std::uint64_t>{{"FIRM", 0}, {"OTHER", 0}}));

  const std::uint64_t last = trade(firm, "FIRM", 900);
  EXPECT_EQ(times_reported(), 1) << application_.all_events();
  const auto refused = refusals();
  // 900 orders of 650 bytes and more are at least eight segments.
  EXPECT_GE(refused.at("FIRM"), 8U);
  EXPECT_EQ(refused.at("OTHER"), 0U);
  const std::uint64_t first = resend_all(firm, last);
  EXPECT_GT(first, last - 2 * segment_bytes / 500);
  EXPECT_LT(first, last - segment_bytes / 1'000) << "a whole segment of the newest is there";
  EXPECT_EQ(trade(firm, "FIRM", 1), last + 1);

  RawPeer other = logged_on("OTHER");
  trade(other, "OTHER", 500);
  EXPECT_GT(refusals().at("OTHER"), 0U);
  EXPECT_EQ(times_reported(), 1) << "the first session stands for all";
}

TEST_F(EngineMemoryJournal, WithoutABoundTheJournalKeepsEveryMessage) {
  open();
  RawPeer firm = logged_on("FIRM");
  const std::uint64_t last = trade(firm, "FIRM", 1'000);
  EXPECT_EQ(resend_all(firm, last), 2U) << "all but the Logon";
  EXPECT_EQ(times_reported(), 0);
  EXPECT_EQ(refusals().at("FIRM"), 0U);
}

TEST_F(EngineMemoryJournal, ASessionThatDoesNotFitIsRefusedUntilAnotherIsGone) {
  configuration_.engine.memory_journal_bytes = 2 * begins_with + segment_bytes;
  open();
  const auto refused = venue_->add_sessions({another("THIRD")});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(
      has_message(config::text_of(refused.error()), "E204",
                  {"session THIRD: key 'memory_journal_bytes': ", "131072", "65536 of 327680"}));
  EXPECT_EQ(venue_->sessions().size(), 2U);

  config::SessionSettings on_disk = another("FOURTH");
  on_disk.durability = journal::Durability::Process;
  on_disk.journal_path = directory_.path("journal");
  EXPECT_TRUE(venue_->add_sessions({on_disk})) << "its journal has files";

  ASSERT_TRUE(venue_->remove_session("OTHER", "", base::ns_per_second));
  // Its memory is free once its journal is closed.
  std::optional<engine::Change> added;
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    if (auto change = venue_->add_sessions({another("THIRD")})) {
      added.emplace(std::move(*change));
    }
    return added.has_value();
  }));
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return added->done(); }));
  RawPeer third = logged_on("THIRD");
  trade(third, "THIRD", 10);
}

TEST_F(EngineMemoryJournal, AReloadChangesNeitherTheBoundNorHowLongAMessageMayBe) {
  configuration_.engine.memory_journal_bytes = 8 * begins_with;
  open();
  config::Configuration wanted = venue_->configuration();
  wanted.engine.memory_journal_bytes = 9 * begins_with;
  const auto bound = venue_->reload(wanted);
  ASSERT_FALSE(bound);
  EXPECT_TRUE(has_message(config::text_of(bound.error()), "E201", {"'memory_journal_bytes'"}));

  wanted = venue_->configuration();
  wanted.sessions.front().max_message_bytes = 100'000;
  const auto longer = venue_->reload(wanted);
  ASSERT_FALSE(longer);
  EXPECT_TRUE(has_message(config::text_of(longer.error()), "E205", {"key 'max_message_bytes'"}));

  wanted.sessions.front().max_message_bytes = 40'000;
  EXPECT_TRUE(venue_->reload(wanted)) << "its segments take that";
}

}  // namespace
}  // namespace affix::support
