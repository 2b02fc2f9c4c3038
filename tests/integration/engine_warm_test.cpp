// SPDX-License-Identifier: MIT
// warm() runs the send path without an effect: no number, no record, no byte, no allocation.
#include "affix/config/words.hpp"

#include "support/allocation_count.hpp"
#include "support/raw_peer.hpp"
#include "support/whole_file.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace affix::support {
namespace {

/// Writes an order, which the caller sends or uses for warming.
wire::Encoder order(host::SessionHandle session, std::string_view id) {
  wire::Encoder message = session.begin("D");
  message.text(11, id);
  message.text(55, "ACME");
  message.integer(38, 100);
  return message;
}

/// All files of a directory, concatenated in the order of their names.
std::string bytes_of(const std::string& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
    if (file.is_regular_file()) {
      files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string bytes;
  for (const auto& path : files) {
    bytes += read_file(path);
  }
  return bytes;
}

class EngineWarm : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    configuration_ = acceptor_configuration();
    config::SessionSettings& settings =
        add_session(configuration_, "VENUE", "FIRM", directory_.path());
    settings.max_serialised_file_size = 1 << 20;
    EXPECT_TRUE(config::choose(settings, "store_order", GetParam()));
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
    session_ = venue_->sessions().front();
    peer_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "FIRM", "VENUE");
    peer_->connect(port_of(*venue_));
    static_cast<void>(peer_->log_on());
    ASSERT_TRUE(session().logged_on());
  }

  [[nodiscard]] host::SessionHandle session() const noexcept { return session_; }

  /// Checks the next message, whatever was done before.
  void expect_next(std::uint64_t sequence, std::string_view id) {
    wire::Encoder message = order(session(), id);
    const host::SendResult result = session().commit(message);
    EXPECT_TRUE(result.sent());
    EXPECT_EQ(result.sequence, sequence);
    const RawMessage received = peer_->expect("D");
    EXPECT_EQ(received.number(), sequence);
    EXPECT_EQ(received[11], id);
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  host::SessionHandle session_;  // Looked up once: a look-up copies.
  std::unique_ptr<RawPeer> peer_;
};

TEST_P(EngineWarm, LeavesNoTrace) {
  expect_next(2, "before");
  const std::string journal = bytes_of(directory_.path());
  const std::uint64_t next = session().next_sender_seq();
  const std::uint64_t allocations = allocation_count();
  for (int time = 0; time < 1'000; ++time) {
    wire::Encoder message = order(session(), "warm");
    ASSERT_TRUE(session().warm(message));
  }
  EXPECT_EQ(allocation_count(), allocations);
  EXPECT_EQ(session().next_sender_seq(), next);
  EXPECT_EQ(bytes_of(directory_.path()), journal);
  venue_->poll(0);
  peer_->read();
  EXPECT_FALSE(peer_->holds("35=")) << "the peer was sent something";
  expect_next(3, "after");
}

TEST_P(EngineWarm, LeavesWaitingMessagesAlone) {
  // Within a turn messages wait for its end, and warming between them must not touch them.
  application_.when_message = [](host::SessionHandle from, const wire::MessageView&,
                                 const host::Delivery&) {
    for (const std::string_view id : {"one", "two"}) {
      wire::Encoder warm = order(from, "warm, and longer than the one that comes behind it");
      EXPECT_TRUE(from.warm(warm));
      wire::Encoder message = order(from, id);
      EXPECT_TRUE(from.commit(message).sent());
    }
    wire::Encoder warm = order(from, "warm");
    EXPECT_TRUE(from.warm(warm));
  };
  peer_->send("D", "11=go|");
  for (const auto& [number, id] : {std::pair(2U, "one"), std::pair(3U, "two")}) {
    const RawMessage received = peer_->expect("D");
    EXPECT_EQ(received.number(), number);
    EXPECT_EQ(received[11], id);
  }
  application_.when_message = {};
  expect_next(4, "after");
}

TEST_P(EngineWarm, SaysWhenNothingCouldBeSent) {
  wire::Encoder admin = session().begin("0");
  EXPECT_FALSE(session().warm(admin)) << "a session message";
  wire::Encoder once = order(session(), "once");
  EXPECT_TRUE(session().warm(once));
  EXPECT_FALSE(session().commit(once).sent()) << "it was given up by warm()";
  peer_->close();
  ASSERT_TRUE(turn_until(Engines{venue_.get()}, [&] { return session().disconnected(); }));
  wire::Encoder late = order(session(), "late");
  EXPECT_FALSE(session().warm(late));
  EXPECT_EQ(session().next_sender_seq(), 2U);
}

INSTANTIATE_TEST_SUITE_P(StoreOrders, EngineWarm, ::testing::Values("before_send", "after_send"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace affix::support
