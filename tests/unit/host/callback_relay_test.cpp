// SPDX-License-Identifier: MIT
// The queue of callbacks to another thread, and the reports that come back, played by one thread.
#include "host/callback_relay.hpp"

#include "affix/host/receipt_position.hpp"
#include "affix/wire/index.hpp"

#include "host/hosted_session.hpp"

#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::host {
namespace {

constexpr std::size_t ring_bytes = 4'096;
constexpr std::size_t message_bytes = 512;

class CallbackRelayTest : public ::testing::Test {
 protected:
  using Kind = CallbackHead::Kind;
  using Report = CallbackReport::Kind;

  struct Record {
    CallbackHead head;
    std::string bytes;
  };

  CallbackRelayTest() {
    slot_.attach(session_);
    other_slot_.attach(other_);
  }

  [[nodiscard]] SessionHandle handle() noexcept { return slot_.handle(); }

  /// Relays a message of `size` bytes.
  void relay(std::size_t size, const Delivery& delivery = {}) {
    const std::string text = "8=FIX.4.4\x01" + std::string(size - 10, 'x');
    wire::FieldIndexOf<16> index;
    wire::index_message(std::string_view("8=FIX.4.4\x01"), index);
    relay_.on_message(handle(), wire::MessageView(text, index), delivery);
  }

  /// The oldest callback, as the callback thread takes it; its kind is Farewell if there is none.
  Record take() {
    Record record{.head = {.kind = Kind::Farewell}, .bytes = {}};
    if (const std::span<char> front = relay_.front(); front.data() != nullptr) {
      std::memcpy(&record.head, front.data(), sizeof record.head);
      record.bytes.assign(front.data() + sizeof record.head, record.head.size);
      relay_.begin(record.head);
      relay_.pop();
    }
    return record;
  }

  /// Kinds of the reports that the worker takes.
  std::vector<Report> reported() {
    std::vector<Report> kinds;
    relay_.take_reported(relay_.reported(),
                         [&kinds](const CallbackReport& report) { kinds.push_back(report.kind); });
    return kinds;
  }

  // Sessions that are compared, and never dereferenced.
  struct alignas(HostedSession) Place {
    std::byte first;
  };

  Place place_{};
  Place other_place_{};
  HostedSession& session_ = reinterpret_cast<HostedSession&>(place_);
  HostedSession& other_ = reinterpret_cast<HostedSession&>(other_place_);
  SessionSlot slot_{SeatNames{}};
  SessionSlot other_slot_{SeatNames{}};
  DelayedMarks marks_;
  net::Waker waker_;
  CallbackRelay relay_{ring_bytes, message_bytes, 2, marks_, waker_};
};

TEST_F(CallbackRelayTest, CallbacksArriveInTheirOrderWithWhatTheyNeed) {
  slot_.begin_logon();
  const SessionHandle with_logon(slot_, 1, 1);
  wire::FieldIndexOf<16> index;
  const std::string_view logon = "8=FIX.4.4\x01";
  wire::index_message(logon, index);
  EXPECT_EQ(relay_.on_logon_request(with_logon, wire::MessageView(logon, index)).decision,
            LogonAnswer::Decision::Later);
  relay_.on_logon(handle());
  marks_.note_refusal();
  relay_.set_received_at({3, 64});
  relay(100, {.sequence = 7});
  relay_.on_logout(handle(), "the reason");
  relay_.say_farewell(handle(), true);
  relay_.say_farewell(handle(), false);

  Record record = take();
  EXPECT_EQ(record.head.kind, Kind::LogonRequest);
  EXPECT_EQ(record.head.logon, 1U);
  EXPECT_EQ(record.bytes, logon);
  EXPECT_EQ(take().head.kind, Kind::Logon);
  record = take();
  EXPECT_EQ(record.head.kind, Kind::Message);
  EXPECT_EQ(record.head.session, &session_);
  EXPECT_EQ(record.head.delivery.sequence, 7U);
  EXPECT_EQ(record.head.received_at, (journal::Position{3, 64}));
  EXPECT_EQ(record.head.refusals, 1U);
  EXPECT_EQ(record.bytes.size(), 100U);
  EXPECT_EQ(record.bytes.substr(0, 10), logon);
  record = take();
  EXPECT_EQ(record.head.kind, Kind::Logout);
  EXPECT_EQ(record.bytes, "the reason");
  EXPECT_EQ(take().head.kind, Kind::Removed);
  ASSERT_NE(relay_.front().data(), nullptr);
  EXPECT_EQ(take().head.kind, Kind::Farewell);
  EXPECT_EQ(relay_.front().data(), nullptr);
}

TEST_F(CallbackRelayTest, ALongReasonIsCut) {
  relay_.on_logout(handle(), std::string(10'000, 'r'));
  const Record record = take();
  EXPECT_EQ(record.head.kind, Kind::Logout);
  EXPECT_LT(record.bytes.size(), 1'000U);
  EXPECT_GT(record.bytes.size(), 100U);
}

TEST_F(CallbackRelayTest, AFullQueueTakesNoMessageAndStillOtherCallbacks) {
  std::size_t relayed = 0;
  for (; relay_.has_room(); ++relayed) {
    relay(message_bytes);
    ASSERT_LT(relayed, 1'000U);
  }
  EXPECT_GE(relayed, 2U);
  wire::FieldIndexOf<16> index;
  const std::string_view logon = "8=FIX.4.4\x01";
  wire::index_message(logon, index);
  EXPECT_EQ(relay_.on_logon_request(handle(), wire::MessageView(logon, index)).decision,
            LogonAnswer::Decision::Refuse);
  EXPECT_EQ(relay_.on_logon_answer(handle(), wire::MessageView(logon, index)).decision,
            LogonAnswer::Decision::Refuse);
  // Those that may follow without a question, of both sessions.
  for (SessionSlot* slot : {&slot_, &other_slot_}) {
    relay_.on_session_added(slot->handle());
    relay_.on_logon(slot->handle());
    relay_.on_output_room(slot->handle());
    relay_.on_logout(slot->handle(), std::string(1'000, 'r'));
    relay_.on_cancel_orders(slot->handle());
  }
  for (std::size_t count = 0; count < relayed; ++count) {
    EXPECT_EQ(take().head.kind, Kind::Message);
  }
  EXPECT_EQ(take().head.kind, Kind::Added);
  while (relay_.front().data() != nullptr) {
    take();
  }
  EXPECT_TRUE(relay_.has_room());
}

TEST_F(CallbackRelayTest, SessionsThatWaitAreTakenWhenThereIsRoom) {
  while (relay_.has_room()) {
    relay(message_bytes);
  }
  relay_.await_room(session_);
  relay_.await_room(session_);
  relay_.await_room(other_);
  EXPECT_EQ(relay_.take_waiting(), nullptr) << "there is no room yet";
  take();
  take();
  relay_.forget(other_);
  EXPECT_EQ(relay_.take_waiting(), &session_);
  EXPECT_EQ(relay_.take_waiting(), nullptr) << "each waits once";
}

TEST_F(CallbackRelayTest, TheThreadIsWokenOnceForAllOfATurn) {
  relay_.wake_if_relayed();
  EXPECT_FALSE(waker_.take());
  relay_.on_logon(handle());
  relay_.on_output_room(handle());
  EXPECT_FALSE(waker_.take()) << "not for each";
  relay_.wake_if_relayed();
  EXPECT_TRUE(waker_.take());
  relay_.wake_if_relayed();
  EXPECT_FALSE(waker_.take());
}

TEST_F(CallbackRelayTest, AProcessedMessageIsReportedWithItsRecord) {
  relay_.set_received_at({3, 64});
  relay(100);
  relay_.report_processed(take().head);
  ASSERT_EQ(relay_.reported(), 1U);
  relay_.take_reported(1, [this](const CallbackReport& report) {
    EXPECT_EQ(report.kind, Report::Processed);
    EXPECT_EQ(report.session, &session_);
    EXPECT_EQ(report.position, (journal::Position{3, 64}));
  });
  EXPECT_EQ(relay_.reported(), 0U);
  relay_.say_farewell(handle(), false);
  relay_.report_processed(take().head);
  EXPECT_EQ(reported(), std::vector{Report::Drained});
}

TEST_F(CallbackRelayTest, OnlyTheGivenNumberOfReportsIsTaken) {
  relay_.ask_for_redelivery(handle());
  relay_.ask_for_redelivery(handle());
  int taken = 0;
  relay_.take_reported(1, [&taken](const CallbackReport&) { ++taken; });
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(relay_.reported(), 1U);
}

TEST_F(CallbackRelayTest, AMessageWhoseAnswerMayBeLostStaysUnprocessed) {
  relay_.set_received_at({3, 64});
  relay(100);
  const CallbackHead head = take().head;
  relay_.report_processed(head);
  EXPECT_TRUE(relay_.finish_message(handle(), receipt_of({3, 64})));
  relay_.ask_for_redelivery(handle());
  relay_.report_processed({.session = &session_});
  marks_.note_refusal();
  EXPECT_EQ(reported(), (std::vector{Report::Redeliver, Report::Drained}));
}

TEST_F(CallbackRelayTest, TheMessageAtHandCanBeKept) {
  EXPECT_FALSE(relay_.keep_message(handle())) << "no callback runs";
  relay_.begin_message(handle());
  EXPECT_FALSE(relay_.keep_message(other_slot_.handle()));
  EXPECT_FALSE(relay_.end_message());
  relay_.begin_message(handle());
  EXPECT_TRUE(relay_.keep_message(handle()));
  EXPECT_TRUE(relay_.end_message());
  EXPECT_FALSE(relay_.keep_message(handle()));
}

TEST_F(CallbackRelayTest, OnlyAMessageOfAPresentSessionCanBeFinished) {
  EXPECT_FALSE(relay_.finish_message(handle(), Receipt()));
  const SessionHandle gone = handle();
  slot_.detach();
  EXPECT_FALSE(relay_.finish_message(gone, receipt_of({3, 64})));
  EXPECT_EQ(relay_.reported(), 0U);
}

TEST_F(CallbackRelayTest, ReportsThatFindNoRoomKeepTheirOrder) {
  constexpr std::uint32_t reports = 5'000;
  std::vector<std::uint32_t> taken;
  const auto keep = [&taken](const CallbackReport& report) {
    taken.push_back(report.position.segment);
  };
  for (std::uint32_t number = 1; number <= reports; ++number) {
    relay_.report_processed({.session = &session_, .received_at = {number, 8}});
  }
  const std::size_t there_at_first = relay_.reported();
  ASSERT_LT(there_at_first, reports);
  EXPECT_FALSE(relay_.report_late()) << "the worker has taken nothing";
  relay_.take_reported(there_at_first / 2, keep);
  EXPECT_FALSE(relay_.report_late());
  EXPECT_GT(relay_.reported(), there_at_first / 2);
  relay_.report_processed({.session = &session_, .received_at = {reports + 1, 8}});
  relay_.take_last(keep);
  ASSERT_EQ(taken.size(), reports + 1);
  for (std::uint32_t number = 1; number <= reports + 1; ++number) {
    ASSERT_EQ(taken[number - 1], number);
  }
  EXPECT_TRUE(relay_.report_late());
}

}  // namespace
}  // namespace affix::host
