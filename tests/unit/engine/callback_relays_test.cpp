// SPDX-License-Identifier: MIT
// A worker's relays: which one a session gets, and reports and waiting sessions of all of them.
#include "engine/callback_relays.hpp"

#include "host/hosted_session.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace affix::engine {
namespace {

class CallbackRelaysTest : public ::testing::Test {
 protected:
  host::CallbackRelay& add(std::int64_t thread, std::int64_t message_bytes) {
    return relays_.add(thread, message_bytes,
                       std::make_unique<host::CallbackRelay>(
                           4'096, static_cast<std::size_t>(message_bytes), 4, marks_, waker_));
  }

  /// Sessions that are compared, and never dereferenced.
  host::HostedSession& relayed(std::size_t number) {
    return reinterpret_cast<host::HostedSession&>(places_.at(number));
  }

  /// Numbers of the segments in what take_noted() passes.
  std::vector<std::uint32_t> noted() {
    std::vector<std::uint32_t> segments;
    relays_.take_noted(
        [&](const host::CallbackReport& report) { segments.push_back(report.position.segment); });
    return segments;
  }

  struct alignas(host::HostedSession) Place {
    std::byte first;
  };

  std::array<Place, 4> places_;
  host::DelayedMarks marks_;
  net::Waker waker_;
  CallbackRelays relays_;
};

TEST_F(CallbackRelaysTest, ASessionGetsTheRelayOfItsThreadForItsMessages) {
  EXPECT_TRUE(relays_.empty());
  host::CallbackRelay& first = add(1, 1'000);
  host::CallbackRelay& second = add(2, 2'000);
  EXPECT_FALSE(relays_.empty());
  EXPECT_EQ(relays_.to(1, 1'000), &first);
  EXPECT_EQ(relays_.to(2, 1'500), &second);
  EXPECT_EQ(relays_.to(1, 1'001), nullptr) << "made for shorter messages";
  EXPECT_EQ(relays_.to(3, 1), nullptr);
}

TEST_F(CallbackRelaysTest, OnlyNotedReportsAreTaken) {
  host::CallbackRelay& first = add(1, 1'000);
  host::CallbackRelay& second = add(2, 1'000);
  EXPECT_FALSE(relays_.note_reports());
  first.report_processed({.received_at = {1, 8}});
  second.report_processed({.received_at = {2, 8}});
  EXPECT_TRUE(relays_.note_reports());
  first.report_processed({.received_at = {3, 8}});  // What it sent before is not stored yet.
  EXPECT_EQ(noted(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(relays_.note_reports());
  EXPECT_EQ(noted(), (std::vector<std::uint32_t>{3}));
  EXPECT_FALSE(relays_.note_reports());
}

TEST_F(CallbackRelaysTest, TheLastReportsAreTakenWithoutANote) {
  add(1, 1'000).report_processed({.received_at = {1, 8}});
  add(2, 1'000).report_processed({.received_at = {2, 8}});
  std::vector<std::uint32_t> segments;
  relays_.take_last(
      [&](const host::CallbackReport& report) { segments.push_back(report.position.segment); });
  EXPECT_EQ(segments, (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(CallbackRelaysTest, WaitingSessionsOfEveryRelayAreResumedUpToALimit) {
  host::CallbackRelay& first = add(1, 1'000);
  host::CallbackRelay& second = add(2, 1'000);
  first.await_room(relayed(0));
  first.await_room(relayed(1));
  first.await_room(relayed(2));
  second.await_room(relayed(3));
  relays_.forget(relayed(1));
  std::vector<host::HostedSession*> resumed;
  const auto keep = [&](host::HostedSession& session) { resumed.push_back(&session); };
  relays_.take_waiting(1, keep);
  EXPECT_EQ(resumed, (std::vector<host::HostedSession*>{&relayed(2), &relayed(3)}));
  resumed.clear();
  relays_.take_waiting(4, keep);
  EXPECT_EQ(resumed, (std::vector<host::HostedSession*>{&relayed(0)}));
}

TEST_F(CallbackRelaysTest, AThreadIsWokenForCallbacksOnly) {
  host::CallbackRelay& relay = add(1, 1'000);
  relays_.wake_threads();
  EXPECT_FALSE(waker_.take());
  host::SessionSlot slot(host::SeatNames{});
  relay.on_logon(slot.handle());
  relays_.wake_threads();
  EXPECT_TRUE(waker_.take());
  relays_.wake_threads();
  EXPECT_FALSE(waker_.take());
}

}  // namespace
}  // namespace affix::engine
