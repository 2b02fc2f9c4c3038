// SPDX-License-Identifier: MIT
// A peer that stops reading: its output is parked up to a limit, then refused, and room is
// reported; its input waits; other sessions are not affected; finally it is disconnected, and loses
// nothing.
#include "support/raw_peer.hpp"

namespace affix::support {
namespace {

class EngineSlowPeer : public testing::Test {
 protected:
  void SetUp() override {
    config::Configuration configuration = acceptor_configuration();
    configuration.servers.front().socket_tx_size = 8'192;
    configuration.servers.front().tx_encode_buffer_capacity = 64 * 1024;
    add_session(configuration, "VENUE", "SLOW", directory_.path()).output_timeout_seconds = 1;
    add_session(configuration, "VENUE", "QUICK", directory_.path());
    venue_ = open_engine(configuration, application_);
    ASSERT_TRUE(venue_);
    slow_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "SLOW", "VENUE");
    quick_ = std::make_unique<RawPeer>(Engines{venue_.get()}, "QUICK", "VENUE");
    slow_->connect(port_of(*venue_), 8'192);
    slow_->log_on();
    quick_->connect(port_of(*venue_));
    quick_->log_on();
  }

  /// Sends until refused; returns the number of accepted messages.
  int fill() {
    const std::string text(900, 't');
    for (int sent = 0;; ++sent) {
      const host::SendResult result = send_order(slow(), std::to_string(sent), text);
      if (!result.sent() || sent == 100'000) {
        EXPECT_EQ(result.status, host::SendStatus::Backlogged);
        EXPECT_EQ(slow().next_sender_seq(), static_cast<std::uint64_t>(sent) + 2);
        return sent;
      }
    }
  }

  [[nodiscard]] host::SessionHandle slow() const { return venue_->session("SLOW"); }

  TemporaryDirectory directory_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<RawPeer> slow_;
  std::unique_ptr<RawPeer> quick_;
};

TEST_F(EngineSlowPeer, OutputIsBoundedAndRoomIsReported) {
  const int taken = fill();
  // The outbox, the reactor's parked output, and the kernel's buffers.
  EXPECT_GT(taken, 1'000);
  EXPECT_LT(taken, 3'000);
  EXPECT_EQ(application_.rooms, 0);
  quick_->send("1", "112=meanwhile|");
  EXPECT_EQ(quick_->expect("0")[112], "meanwhile");

  int more = 0;
  application_.when_room = [&](host::SessionHandle session) {
    EXPECT_EQ(session.name(), "SLOW");
    more += send_order(session, "more").sent() ? 1 : 0;
  };
  for (int order = 0; order < taken; ++order) {
    const RawMessage message = slow_->expect("D");
    ASSERT_EQ(message[11], std::to_string(order));
    ASSERT_EQ(message.number(), static_cast<std::uint64_t>(order) + 2);
  }
  EXPECT_EQ(slow_->expect("D")[11], "more");
  EXPECT_EQ(more, 1);
  EXPECT_EQ(application_.rooms, 1);
  EXPECT_TRUE(application_.logouts.empty());
}

TEST_F(EngineSlowPeer, IsGivenUpInTimeAndLosesNothing) {
  const int taken = fill();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return !application_.logouts.empty(); }));
  EXPECT_EQ(application_.logouts[0].first, "SLOW");
  EXPECT_TRUE(application_.logged_out_by("S303")) << application_.all_events();
  quick_->send("1", "112=still|");
  EXPECT_EQ(quick_->expect("0")[112], "still");
  slow_->close();
  slow_->connect(port_of(*venue_));
  EXPECT_EQ(slow_->log_on().number(), static_cast<std::uint64_t>(taken) + 2);
  slow_->send("2", "7=2|16=0|");
  for (int order = 0; order < taken; ++order) {
    ASSERT_EQ(slow_->expect("D")[11], std::to_string(order));
  }
}

TEST_F(EngineSlowPeer, ItsInputWaitsToo) {
  // Every TestRequest is answered; while the answers are not read, no further ones are processed.
  std::string bytes;
  constexpr std::uint64_t count = 40'000;
  for (std::uint64_t sequence = 2; sequence < count + 2; ++sequence) {
    bytes += slow_->message("1", sequence, "112=" + std::to_string(sequence) + "|");
  }
  std::size_t sent = 0;
  std::size_t pushed = 1;
  while (pushed != 0 && sent < bytes.size()) {
    pushed = slow_->send_some(std::string_view(bytes).substr(sent));
    sent += pushed;
    for (int turns = 0; turns < 20; ++turns) {
      venue_->poll(0);
    }
  }
  EXPECT_LT(slow().next_target_seq(), count / 2);  // The rest waits in the kernel.
  std::uint64_t next = 2;
  while (next < count + 2) {
    if (sent < bytes.size()) {
      sent += slow_->send_some(std::string_view(bytes).substr(sent));
    }
    const RawMessage answer = slow_->expect("0");
    ASSERT_EQ(answer[112], std::to_string(next));
    ++next;
  }
}

TEST_F(EngineSlowPeer, ALogoutWaitsForRoom) {
  const int taken = fill();
  slow().logout("going home");
  for (int order = 0; order < taken; ++order) {
    ASSERT_EQ(slow_->expect("D")[11], std::to_string(order));
  }
  EXPECT_EQ(slow_->expect("5")[58], "going home");
}

}  // namespace
}  // namespace affix::support
