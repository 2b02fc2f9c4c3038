// SPDX-License-Identifier: MIT
// Connections that one reactor releases and another adopts: with received bytes, without, with more
// than fit; and connections that cannot be released.
#include "affix/net/reactor.hpp"
#include "affix/net/stream_position.hpp"

#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace affix::net {
namespace {

using loopback::Peer;
using loopback::Rig;

/// An epoll reactor accepts, whichever reactor under test adopts.
class HandOver : public testing::Test {
 protected:
  HandOver() {
    from_ = std::move(*make_reactor("epoll", {}));
    auto listener = Listener::open(loopback::any_loopback(), {});
    address_ = listener->local_address();
    EXPECT_TRUE(from_->add_listener(std::move(*listener)));
    recorder_.when_bytes = [this](ConnectionId id, std::string_view bytes) -> std::size_t {
      if (bytes.size() < wanted_) {
        return 0;
      }
      auto released = from_->release(id, bytes.substr(consumed_));
      EXPECT_TRUE(released) << released.error().text();
      if (released) {
        detached_ = std::move(*released);
      }
      return bytes.size();
    };
  }

  template <typename Wanted>
  [[nodiscard]] bool turn_until(Wanted wanted) {
    const std::int64_t give_up_ns = os::now().steady_ns + loopback::patience_ns;
    while (!wanted()) {
      const base::Now reading = os::now();
      if (reading.steady_ns > give_up_ns) {
        return false;
      }
      static_cast<void>(
          from_->poll(reading, Wait::block_until(reading.steady_ns + base::ns_per_ms), recorder_));
    }
    return true;
  }

  std::unique_ptr<Reactor> from_;
  loopback::Recorder recorder_;
  Address address_;
  std::size_t wanted_ = 1;
  std::size_t consumed_ = 0;  ///< Of the delivery that is released.
  std::optional<DetachedConnection> detached_;
};

TEST_F(HandOver, ReceivedBytesComeFirstAndThenTheRest) {
  wanted_ = 9;
  const Peer peer = Peer::to(address_);
  peer.send("first");
  ASSERT_TRUE(turn_until([&] { return recorder_.deliveries == 1; }));
  peer.send("+second");
  ASSERT_TRUE(turn_until([&] { return detached_.has_value(); }));
  EXPECT_EQ(detached_->input, "first+second");
  EXPECT_EQ(from_->connection_count(), 0U);
  EXPECT_TRUE(recorder_.closed.empty());
  peer.send("+third");
  Rig to;
  const auto id = to.reactor->adopt(std::move(*detached_));
  ASSERT_TRUE(id) << id.error().text();
  ASSERT_TRUE(to.turn_until([&] { return to.recorder.bytes_of(*id) == "first+second+third"; }));
  EXPECT_EQ(to.reactor->send(*id, "answer"), SendResult::Sent);
  to.reactor->submit();
  std::string answer;
  ASSERT_TRUE(to.turn_until([&] { return (answer += peer.receive_now()) == "answer"; }));
}

TEST_F(HandOver, AnotherThreadsReactorAdopts) {
  const Peer peer = Peer::to(address_);
  peer.send("hello");
  ASSERT_TRUE(turn_until([&] { return detached_.has_value(); }));
  std::thread other([&] {
    Rig to;
    const auto id = to.reactor->adopt(std::move(*detached_));
    ASSERT_TRUE(id);
    ASSERT_TRUE(to.turn_until([&] { return to.recorder.bytes_of(*id) == "hello"; }));
  });
  other.join();
}

// A worker's thread has ended when its engine is destroyed.
TEST(HandOverOfShared, AReactorThatAnotherThreadDestroysLeavesNothingInFlight) {
  Rig rig({}, loopback::small_buffers());
  Socket duplicate;
  Peer peer;
  std::string sent;
  std::thread worker([&] {
    auto [joined, id] = rig.join();
    peer = std::move(joined);
    duplicate = std::move(*rig.reactor->share(id));
    sent = loopback::park(rig, id, loopback::pattern(9'999));
    rig.settle();
  });
  worker.join();
  rig.reactor.reset();
  const auto at = stream_position(duplicate.fd(), Opened::ByPeer);
  ASSERT_TRUE(at);
  std::string got(at->written, '\0');
  ASSERT_EQ(::recv(peer.fd(), got.data(), got.size(), MSG_WAITALL),
            static_cast<ssize_t>(got.size()));
  EXPECT_EQ(peer.receive_now(), "");
  EXPECT_EQ(stream_position(duplicate.fd(), Opened::ByPeer)->written, at->written);
  Rig next;
  const auto id = next.reactor->adopt({.socket = std::move(duplicate), .shared = true});
  ASSERT_TRUE(id);
  static_cast<void>(next.reactor->send(*id, std::string_view(sent).substr(got.size())));
  ASSERT_TRUE(next.turn_until([&] { return (got += peer.receive_now()).size() >= sent.size(); }));
  EXPECT_EQ(got, sent);
}

TEST_F(HandOver, TheOldIdIsDead) {
  const Peer peer = Peer::to(address_);
  peer.send("hello");
  ASSERT_TRUE(turn_until([&] { return detached_.has_value(); }));
  const ConnectionId old = recorder_.accepted.front();
  EXPECT_EQ(from_->send(old, "lost"), SendResult::Closed);
  EXPECT_FALSE(from_->close(old));
  EXPECT_FALSE(from_->release(old, {}));
  // A later peer may have the slot, under another generation.
  const Peer next = Peer::to(address_);
  ASSERT_TRUE(turn_until([&] { return recorder_.accepted.size() == 2; }));
  EXPECT_NE(recorder_.accepted.back(), old);
}

TEST_F(HandOver, DroppingItClosesTheConnection) {
  const Peer peer = Peer::to(address_);
  peer.send("hello");
  ASSERT_TRUE(turn_until([&] { return detached_.has_value(); }));
  detached_.reset();
  ASSERT_TRUE(turn_until([&] {
    static_cast<void>(peer.receive_now());
    return peer.at_end();
  }));
}

TEST_F(HandOver, BytesThatAreKeptMayNotBeLost) {
  wanted_ = 100;
  const Peer peer = Peer::to(address_);
  peer.send("kept");
  ASSERT_TRUE(turn_until([&] { return recorder_.deliveries == 1; }));
  const auto released = from_->release(recorder_.accepted.front(), {});
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().code, base::ErrorCode::InvalidArgument);
  EXPECT_EQ(from_->connection_count(), 1U);
}

TEST_F(HandOver, BytesKeptBeforeMayBeConsumedByTheReleasingDelivery) {
  const std::string header = loopback::pattern(216);
  const std::string logon(120, 'L');
  wanted_ = header.size() + logon.size();
  consumed_ = header.size();
  const Peer peer = Peer::to(address_);
  peer.send(std::string_view(header).substr(0, 200));
  ASSERT_TRUE(turn_until([&] { return recorder_.deliveries == 1; }));
  peer.send(header.substr(200) + logon);
  ASSERT_TRUE(turn_until([&] { return recorder_.deliveries == 2; }));
  ASSERT_TRUE(detached_);
  Rig to;
  const auto id = to.reactor->adopt(std::move(*detached_));
  ASSERT_TRUE(id) << id.error().text();
  ASSERT_TRUE(to.turn_until([&] { return to.recorder.bytes_of(*id) == logon; }));
}

TEST_F(HandOver, AFullReactorAndTooMuchInputAreRefusedAndCloseIt) {
  const Peer peer = Peer::to(address_);
  peer.send(std::string(1000, 'x'));
  wanted_ = 1000;
  ASSERT_TRUE(turn_until([&] { return detached_.has_value(); }));
  ReactorOptions small;
  small.rx_buffer_capacity = 1000;
  Rig to(small);
  const auto refused = to.reactor->adopt(std::move(*detached_));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::Limit);
  ASSERT_TRUE(turn_until([&] {
    static_cast<void>(peer.receive_now());
    return peer.at_end() || peer.was_reset();
  }));
}

TEST(HandOverOfIoUring, CannotLeave) {
  if (!loopback::collects_output()) {
    GTEST_SKIP() << "epoll's can";
  }
  Rig rig;
  const auto released = rig.reactor->release({}, {});
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().code, base::ErrorCode::Unsupported);
}

}  // namespace
}  // namespace affix::net
