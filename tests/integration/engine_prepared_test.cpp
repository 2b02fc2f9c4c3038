// SPDX-License-Identifier: MIT
// A message prepared from a draft is sent like a committed one: numbered, timed, stored, without an
// allocation; and refused in the same cases.
#include "affix/wire/index.hpp"
#include "affix/wire/prepared.hpp"

#include "support/allocation_count.hpp"
#include "support/raw_peer.hpp"

#include <array>

namespace affix::support {
namespace {

constexpr std::uint32_t sequence_slot = 0;
constexpr std::uint32_t time_slot = 1;
constexpr std::uint32_t id_slot = 2;

class EnginePrepared : public ::testing::Test {
 protected:
  void SetUp() override {
    configuration_ = acceptor_configuration();
    config::SessionSettings& settings =
        add_session(configuration_, "VENUE", "FIRM", directory_.path());
    settings.max_serialised_file_size = 1 << 20;
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
    session_ = venue_->sessions().front();
    peer_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "FIRM", "VENUE");
    prepare();
    peer_->connect(port_of(*venue_));
    static_cast<void>(peer_->log_on());
    ASSERT_TRUE(session_.logged_on());
  }

  /// Before the logon, which a draft does not need.
  void prepare() {
    std::array<char, 512> buffer;
    wire::Encoder draft = session_.draft("D", buffer);
    draft.text(11, "first");
    draft.text(55, "ACME");
    const auto finished = draft.finish();
    ASSERT_TRUE(finished);
    wire::FieldIndexOf<32> index;
    wire::index_message(*finished, index);
    prepared_ = wire::PreparedMessage::make(storage_, {*finished, index}, {{34}, {52}, {11}});
    ASSERT_TRUE(prepared_);
  }

  [[nodiscard]] host::SendResult send(std::string_view id) {
    prepared_->set_text(id_slot, id);
    return session_.send_prepared(*prepared_, sequence_slot, time_slot);
  }

  /// Checks the peer's next message.
  void expect_order(std::uint64_t number, std::string_view id) {
    const RawMessage received = peer_->expect("D");
    EXPECT_EQ(received.number(), number);
    EXPECT_EQ(received[11], id);
    EXPECT_EQ(received[49], "VENUE");
    EXPECT_FALSE(received[52].empty());
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  host::SessionHandle session_;
  std::array<char, 512> storage_{};
  std::expected<wire::PreparedMessage, wire::EncodeError> prepared_ =
      std::unexpected(wire::EncodeError::NotBegun);
  std::unique_ptr<RawPeer> peer_;
};

TEST_F(EnginePrepared, IsNumberedWithTheOthers) {
  for (const std::uint64_t number : {2U, 4U, 6U}) {
    const std::string id = "id" + std::to_string(number);
    EXPECT_EQ(send(id).sequence, number);
    expect_order(number, id);
    wire::Encoder between = session_.begin("D");
    between.text(11, "written");
    EXPECT_TRUE(session_.commit(between).sent());
    expect_order(number + 1, "written");
  }
}

TEST_F(EnginePrepared, IsSentAgainAsItWasStored) {
  ASSERT_TRUE(send("id2").sent());
  ASSERT_TRUE(send("id3").sent());
  EXPECT_EQ(peer_->expect("D")[11], "id2");
  EXPECT_EQ(peer_->expect("D")[11], "id3");
  peer_->send("2", "7=2|16=2|");
  const RawMessage again = peer_->expect("D");
  EXPECT_EQ(again.number(), 2U);
  EXPECT_EQ(again[11], "id2");
  EXPECT_EQ(again[43], "Y");
}

TEST_F(EnginePrepared, AllocatesNothing) {
  ASSERT_TRUE(send("warm").sent());
  const std::uint64_t before = allocation_count();
  for (int time = 0; time < 100; ++time) {
    ASSERT_TRUE(send("many").sent());
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(session_.next_sender_seq(), 103U);
}

TEST_F(EnginePrepared, LeavesWithTheTurnsOtherMessages) {
  application_.when_message = [this](host::SessionHandle from, const wire::MessageView&,
                                     const host::Delivery&) {
    EXPECT_TRUE(send("one").sent());
    wire::Encoder message = from.begin("D");
    message.text(11, "two");
    EXPECT_TRUE(from.commit(message).sent());
    EXPECT_TRUE(send("three").sent());
  };
  peer_->send("D", "11=go|");
  for (const auto& [number, id] : {std::pair(2U, "one"), {3U, "two"}, {4U, "three"}}) {
    expect_order(number, id);
  }
}

TEST_F(EnginePrepared, ABadValueIsRefusedAndTakesNoNumber) {
  const host::SendResult bad = send(
      "a\x01"
      "b");
  EXPECT_EQ(bad.status, host::SendStatus::Invalid);
  EXPECT_EQ(bad.encode_error, wire::EncodeError::SohInValue);
  const host::SendResult no_slot = session_.send_prepared(*prepared_, sequence_slot, 9);
  EXPECT_EQ(no_slot.status, host::SendStatus::Invalid);
  EXPECT_EQ(no_slot.encode_error, wire::EncodeError::UnknownSlot);
  EXPECT_EQ(session_.next_sender_seq(), 2U);
  EXPECT_TRUE(send("good again").sent());
}

TEST_F(EnginePrepared, IsRefusedWhenNobodyIsThere) {
  peer_->close();
  ASSERT_TRUE(turn_until(Engines{venue_.get()}, [&] { return session_.disconnected(); }));
  EXPECT_EQ(send("late").status, host::SendStatus::NotLoggedOn);
  EXPECT_EQ(session_.next_sender_seq(), 2U);
}

}  // namespace
}  // namespace affix::support
