// SPDX-License-Identifier: MIT
// Where a connection's output was left: every count of the kernel that a kill can leave leads to
// the bytes that are missing, and every other is refused.
#include "host/link_continuation.hpp"

#include "host/kept_link.hpp"
#include "support/fix_text.hpp"
#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace affix::host {
namespace {

const wire::DataFields& no_data_fields() {
  static const wire::DataFields fields;
  return fields;
}

/// A connection whose output is known byte for byte.
class LinkContinuationTest : public testing::Test {
 protected:
  LinkContinuationTest() {
    journal::Options options;
    options.directory = directory_.path("journal");
    options.identity = "FIX.4.4:A->B";
    options.sequence_reserve = 0;
    auto opened = journal::Journal::open(options);
    EXPECT_TRUE(opened) << opened.error().message;
    journal_ = std::move(*opened);
    state_.phase = session::Phase::Active;
    state_.heartbeat_interval_ns = 30;
    link_.begin(&row_);
    link_.note_logon(state_, 0, 0, 0);
  }

  /// A message of ours that is stored; returns it.
  std::string store(std::string_view type = "D", std::string_view more = {}) {
    const std::string message = support::make_message(
        "35=" + std::string(type) + "|49=A|56=B|34=" + std::to_string(state_.next_outgoing) +
        "|52=20261127-12:00:00|" + std::string(more));
    EXPECT_EQ(journal_->append_sent(state_.next_outgoing++, 1, message),
              journal::AppendResult::Appended);
    return message;
  }

  /// A message of the peer.
  std::string receive(std::string_view type, std::string_view more = {}) {
    const std::string message = support::make_message(
        "35=" + std::string(type) + "|49=B|56=A|34=" + std::to_string(state_.next_expected) +
        "|52=20261127-12:00:00|" + std::string(more));
    const std::uint64_t number = state_.next_expected++;
    EXPECT_EQ(journal_
                  ->append_received(number, state_.next_expected, 1, message,
                                    journal::Delivery::SessionOnly)
                  .result(),
              journal::AppendResult::Appended);
    return message;
  }

  void before_send(std::string_view outbox, std::size_t unstored = 0) {
    link_.before_send(state_, outbox.size(), unstored, journal_->end());
  }

  [[nodiscard]] auto find(std::uint64_t taken) const {
    return find_continuation(row_, taken, *journal_, directory_.path("journal"), {},
                             no_data_fields());
  }

  support::TemporaryDirectory directory_;
  std::unique_ptr<journal::Journal> journal_;
  session::SessionState state_;
  LinkRecord row_;
  KeptLink link_;
};

TEST_F(LinkContinuationTest, EveryCountLeadsToTheRest) {
  before_send({});
  std::mt19937_64 random(std::random_device{}());
  std::string stream;    // Everything that was, or is to be, sent.
  std::size_t sent = 0;  // What sends have been called for, and may have had no effect.
  std::size_t floor = 0;
  for (int turn = 0; turn < 200; ++turn) {
    std::string outbox;
    for (std::uint64_t messages = random() % 4; messages != 0; --messages) {
      outbox += store("D", "58=" + std::string(random() % 200, 'x') + "|");
    }
    stream += outbox;
    if (random() % 4 != 0) {  // Else killed before the send, or the outbox waits.
      before_send(std::string_view(stream).substr(sent));
      link_.on_sent(stream.size() - sent);
      sent = stream.size();
    }
    for (int look = 0; look < 5; ++look) {
      const std::size_t taken = floor + random() % (sent - floor + 1);
      const auto found = find(taken);
      ASSERT_TRUE(found) << found.error().text;
      ASSERT_EQ(found->rest, stream.substr(taken));
    }
    floor = sent > 3000 ? sent - 3000 : 0;
  }
  const auto beyond = find(stream.size() + 1);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, base::MessageCode("K301"));
}

TEST_F(LinkContinuationTest, WhatAnotherNodeHasPassedOnIsAsItLeftIt) {
  const std::string sent = store();
  receive("D");
  before_send(sent);
  link_.on_sent(sent.size());
  before_send({});
  ASSERT_EQ(journal_->append_epoch(2, 1, "b"), journal::AppendResult::Appended);
  const auto found = find_passed(row_, sent.size(), *journal_);
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_TRUE(found->rest.empty());
  EXPECT_EQ(found->state.heartbeat_interval_ns, 30);
  // Output of its that has not left, and more bytes than it had sent.
  for (const std::size_t taken : {sent.size() - 1, sent.size() + 1}) {
    EXPECT_FALSE(find_passed(row_, taken, *journal_)) << taken;
  }
  // It went on after all.
  store();
  EXPECT_FALSE(find_passed(row_, sent.size(), *journal_));
}

TEST_F(LinkContinuationTest, ResentMessagesAreACutOnlyWhereOneIs) {
  const std::string first = store();
  before_send(first);
  link_.on_sent(first.size());
  // An answer to a ResendRequest, and a new message after it.
  const std::string resent(150, 'r');
  state_.replay = {.from = 1, .to = 1, .next = 2};
  const std::string second = store();
  const std::size_t all = first.size() + resent.size() + second.size();
  before_send(resent + second, resent.size());
  // The send has not begun: the new message follows, and the resend begins again where it was.
  auto found = find(first.size());
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->rest, second);
  EXPECT_EQ(found->state.replay.to, 0U);
  for (const std::size_t within : {std::size_t{1}, std::size_t{149}}) {
    EXPECT_FALSE(find(first.size() + within));
  }
  for (const std::size_t left : {second.size(), std::size_t{1}, std::size_t{0}}) {
    found = find(all - left);
    ASSERT_TRUE(found) << found.error().text;
    EXPECT_EQ(found->rest, second.substr(second.size() - left));
    EXPECT_EQ(found->state.replay.next, 2U);
  }
}

TEST_F(LinkContinuationTest, BeforeTheFirstPlaceThereIsNone) {
  const std::string resent(50, 'r');
  before_send(resent, resent.size());  // In answer to the peer's Logon.
  const auto found = find(0);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text, "the connection ends within a resent message");
}

TEST_F(LinkContinuationTest, OurOwnRequestIsNotForgotten) {
  state_.gap = {.highest = 9, .asked_from = 1, .asked_to = 8};
  const std::string request = store("2", "7=1|16=8|");
  before_send(request);
  const auto found = find(0);
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->state.gap.highest, 9U);
  EXPECT_EQ(found->state.gap.asked_from, 1U);
  EXPECT_EQ(found->state.gap.asked_to, 8U);
}

TEST_F(LinkContinuationTest, SessionMessagesSinceTheLastSendAreAnsweredAgain) {
  const std::string first = store();
  receive("1", "112=answered|");
  before_send(first);
  link_.on_sent(first.size());
  const std::string test = receive("1", "112=open|");
  receive("D");
  const std::string request = receive("2", "7=1|16=0|");
  const std::string logout = receive("5");
  const auto found = find(first.size());
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->unanswered, (std::vector<std::string>{test, request, logout}));
}

TEST_F(LinkContinuationTest, WhatContradictsTheJournalIsRefused) {
  const std::string first = store();
  before_send(first);
  link_.on_sent(first.size());
  ASSERT_TRUE(find(first.size()));
  ASSERT_TRUE(find(0));
  // A number that was never stored.
  ++state_.next_outgoing;
  before_send({});
  EXPECT_FALSE(find(first.size()));
  --state_.next_outgoing;
  before_send({});
  ASSERT_TRUE(find(first.size()));
  // A logout under way.
  state_.phase = session::Phase::LogoutSent;
  before_send({});
  EXPECT_FALSE(find(first.size()));
  state_.phase = session::Phase::Active;
  before_send({});
  ASSERT_TRUE(find(first.size()));
  // A reset after the last send.
  EXPECT_EQ(journal_->append_event(journal::EventType::Reset, 1, 1, 1, "reset"),
            journal::AppendResult::Appended);
  EXPECT_FALSE(find(first.size()));
}

TEST_F(LinkContinuationTest, ARowOfAnythingIsRefusedOrSound) {
  std::string stream;
  for (int messages = 0; messages < 20; ++messages) {
    stream += store();
    receive("D");
  }
  before_send(stream);
  link_.on_sent(stream.size());
  std::mt19937_64 random(std::random_device{}());
  const OutputPlace sound = row_.place();
  for (int round = 0; round < 3'000; ++round) {
    OutputPlace place = sound;
    std::uint64_t* const numbers[]{&place.next_outgoing, &place.position,    &place.unstored_until,
                                   &place.next_expected, &place.journal_end, &place.replay_from,
                                   &place.replay_next,   &place.replay_to,   &place.waiting_from,
                                   &place.waiting_to,    &place.gap_highest, &place.gap_asked_from,
                                   &place.gap_asked_to};
    for (std::uint64_t* const number : numbers) {
      switch (random() % 6) {
        case 0:
          *number = random();
          break;
        case 1:
          *number += random() % 7 - 3;
          break;
        case 2:
          *number = ~std::uint64_t{0} - random() % 3;
          break;
        default:
          break;
      }
    }
    row_.set_place(place);
    row_.heartbeat_interval_ns = random() % 4 == 0 ? static_cast<std::int64_t>(random()) : 30;
    row_.name_size = static_cast<std::uint32_t>(random());
    row_.appl_ver_id_size = static_cast<std::uint8_t>(random());
    EXPECT_LE(row_.name().size(), LinkRecord::name_bytes_max);
    if (const auto found = find(random() % (stream.size() + 2))) {
      EXPECT_LE(found->rest.size(), stream.size());
      EXPECT_LE(found->state.appl_ver_id.view().size(), found->state.appl_ver_id.bytes.size());
      EXPECT_LT(found->state.replay.to, journal_->next_outgoing());
    }
  }
}

TEST_F(LinkContinuationTest, AContinuedConnectionIsContinuedAgain) {
  const std::string first = store();
  before_send(first);
  const auto found = find(3);
  ASSERT_TRUE(found) << found.error().text;
  // Of the rest, the kernel takes only a part before the second process is killed.
  link_.begin_at(&row_, 0, found->place, 3 + found->rest.size());
  const std::string second = store();
  before_send(second);
  for (const std::size_t taken : {std::size_t{3}, first.size() - 1, first.size() + 1}) {
    const auto again = find(taken);
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(again->rest, (first + second).substr(taken));
  }
}

TEST_F(LinkContinuationTest, ASendThatDidNotBeginIsNotCountedAfterTheRest) {
  const std::string first = store();
  before_send(first);
  link_.on_sent(first.size());
  const std::string resent(50, 'r');
  const std::string second = store("D", "58=" + std::string(200, 'x') + "|");
  before_send(resent + second, resent.size());
  // Killed before that send: the new message goes out, the resend begins anew.
  const auto found = find(first.size());
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->rest, second);
  EXPECT_EQ(found->place, row_.place_before());
  link_.begin_at(&row_, 0, found->place, first.size() + second.size());
  // Killed again after a part of it, which may be longer than the resend.
  for (const std::size_t part : {std::size_t{10}, std::size_t{60}, second.size()}) {
    const auto again = find(first.size() + part);
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(again->rest, second.substr(part));
  }
}

TEST_F(LinkContinuationTest, WhatWasQueuedSinceIsSentInItsPlace) {
  const std::string first = store();
  before_send(first);
  link_.on_sent(first.size());
  const std::string stored = store();
  ASSERT_EQ(find(first.size())->state.queued_from, 0U);
  // The next process's application sends before that has continued the connection.
  std::string queued;
  const std::uint64_t queued_from = state_.next_outgoing;
  for (int count = 0; count < 2; ++count) {
    const std::string message = support::make_message(
        "35=D|49=A|56=B|34=" + std::to_string(state_.next_outgoing) + "|52=20261127-12:00:00|");
    ASSERT_EQ(journal_->append_queued(state_.next_outgoing++, 1, message),
              journal::AppendResult::Appended);
    queued += message;
  }
  const auto found = find(first.size());
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->rest, stored + queued);
  EXPECT_EQ(found->state.queued_from, queued_from);
}

TEST_F(LinkContinuationTest, AMaskedMessageIsNotSentInPlaceOfTheSecret) {
  const std::string user = store("BE", "553=me|554=*|");
  before_send(user);
  EXPECT_FALSE(find(3));
  EXPECT_FALSE(find(0));
  link_.on_sent(user.size());
  EXPECT_TRUE(find(user.size()));
}

TEST_F(LinkContinuationTest, AKillBetweenTwoStoresOfARowLeavesThePlaceBefore) {
  OutputPlace place;
  place.next_outgoing = 7;
  row_.set_place(place);
  const OutputPlace before = row_.place();
  // The state that set_place() leaves when it is killed before its last store.
  row_.places[(row_.current.load() & 1) ^ 1].next_outgoing = 99;
  EXPECT_EQ(row_.place(), before);
}

}  // namespace
}  // namespace affix::host
