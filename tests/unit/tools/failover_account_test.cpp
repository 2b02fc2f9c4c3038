// SPDX-License-Identifier: MIT
// The failover demonstration's account: whatever is missing, doubled or changed in anyone's records
// is found, by made-up records and by journals.
#include "affix/journal/journal.hpp"

#include "demo/account.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace affix::tools::demo {
namespace {

KeptMessage request(std::uint64_t number, const std::string& order) {
  return {.number = number, .type = "D", .id = order, .order = order, .content = "11=" + order};
}

KeptMessage fill(std::uint64_t number, const std::string& exec, const std::string& order,
                 const std::string& price = "10") {
  return {.number = number,
          .type = "8",
          .id = exec,
          .order = order,
          .content = "11=" + order + "|17=" + exec + "|31=" + price};
}

/// A trader that has sent two orders and has a report about each, and the other side of its
/// session.
struct Sides {
  SessionRecords trader{.name = "TRADER",
                        .sent = {request(2, "A"), request(3, "B")},
                        .received = {fill(2, "E1", "A"), fill(3, "E2", "B")},
                        .next_sent = 4,
                        .next_received = 4};
  SessionRecords exchange{.name = "EXCHANGE",
                          .sent = trader.received,
                          .received = trader.sent,
                          .next_sent = 4,
                          .next_received = 4};

  [[nodiscard]] Account along_session() const {
    Account account;
    account.compare_sides(trader, exchange);
    return account;
  }

  [[nodiscard]] Account end_to_end() const {
    Account account;
    account.compare_ends(trader, exchange);
    return account;
  }
};

TEST(FailoverAccount, RecordsThatAgreeHaveNoDifference) {
  const Sides sides;
  EXPECT_EQ(sides.along_session().difference_count(), 0U);
  EXPECT_EQ(sides.along_session().numbers, 2U);
  const Account ends = sides.end_to_end();
  EXPECT_EQ(ends.difference_count(), 0U);
  EXPECT_EQ(ends.requests, 2U);
  EXPECT_EQ(ends.reports, 2U);
}

TEST(FailoverAccount, AMissingExecutionIsLost) {
  Sides sides;
  sides.trader.received.pop_back();
  EXPECT_EQ(sides.along_session().other, 1U);
  const Account ends = sides.end_to_end();
  EXPECT_EQ(ends.lost, 1U);
  EXPECT_EQ(ends.unanswered, 1U);
  ASSERT_EQ(ends.differences.size(), 2U);
  EXPECT_EQ(ends.differences[0], "TRADER lacks what EXCHANGE has sent: 35=8 11=B 17=E2 (34=3)");
  EXPECT_EQ(ends.differences[1], "TRADER has no answer to 35=D 11=B (34=3)");
}

TEST(FailoverAccount, AnOrderThatDidNotArriveIsLost) {
  Sides sides;
  sides.exchange.received.erase(sides.exchange.received.begin());
  EXPECT_EQ(sides.along_session().other, 1U);
  EXPECT_EQ(sides.end_to_end().lost, 1U);
}

TEST(FailoverAccount, AnOrderThatArrivedTwiceIsADifference) {
  Sides sides;
  sides.exchange.received.push_back(request(4, "B"));
  EXPECT_EQ(sides.along_session().other, 1U);
  EXPECT_EQ(sides.end_to_end().other, 1U);
  EXPECT_EQ(sides.end_to_end().lost, 0U);
  sides.exchange.received.back().number = 3;
  EXPECT_EQ(sides.along_session().other, 1U);
}

TEST(FailoverAccount, AnExecutionWithTwoContentsIsADifference) {
  Sides sides;
  sides.exchange.sent.push_back(fill(4, "E2", "B", "11"));
  sides.trader.received.push_back(fill(4, "E2", "B", "11"));
  const Account ends = sides.end_to_end();
  EXPECT_EQ(ends.other, 1U);
  EXPECT_NE(ends.differences.at(0).find("two contents with one id"), std::string::npos);
}

TEST(FailoverAccount, ReportsOfNoExecutionMayBeAlike) {
  Sides sides;
  for (const std::uint64_t number : {4U, 5U}) {
    sides.exchange.sent.push_back(fill(number, "0", "A"));
    sides.trader.received.push_back(fill(number, "0", "A"));
  }
  EXPECT_EQ(sides.end_to_end().difference_count(), 0U);
}

TEST(FailoverAccount, ANumberWithTwoContentsIsADifference) {
  Sides sides;
  sides.trader.received[1].content += "|58=other";
  EXPECT_EQ(sides.along_session().other, 1U);
  sides = {};
  sides.exchange.sent.push_back(fill(3, "E3", "B"));
  EXPECT_EQ(sides.along_session().other, 1U);
}

TEST(FailoverAccount, WhatWasMadeUpIsADifference) {
  Sides sides;
  sides.trader.received.push_back(fill(4, "E9", "B"));
  EXPECT_EQ(sides.along_session().other, 1U);
  EXPECT_EQ(sides.end_to_end().other, 1U);
}

TEST(FailoverAccount, SidesThatGoOnWithOtherNumbersDiffer) {
  Sides sides;
  sides.exchange.next_received = 5;
  const Account account = sides.along_session();
  EXPECT_EQ(account.other, 1U);
  EXPECT_EQ(account.numbers, 1U);
}

TEST(FailoverAccount, OfManyDifferencesTheFirstAreTold) {
  Sides sides;
  for (std::uint64_t number = 4; number < 104; ++number) {
    sides.trader.sent.push_back(request(number, "N" + std::to_string(number)));
  }
  const Account ends = sides.end_to_end();
  EXPECT_EQ(ends.lost, 100U);
  EXPECT_EQ(ends.unanswered, 100U);
  EXPECT_EQ(ends.differences.size(), 2 * Account::told_max);
}

// --- Journals ---

std::string soh(std::string text) {
  std::ranges::replace(text, '|', '\x01');
  return text;
}

std::string order_text(std::uint64_t number, const std::string& order) {
  return soh("8=FIX.4.4|9=1|35=D|49=T|56=X|34=" + std::to_string(number) +
             "|52=20260101-00:00:00|115=DESK|11=" + order + "|38=5|10=000|");
}

class FailoverAccountJournals : public ::testing::Test {
 protected:
  std::unique_ptr<affix::journal::Journal> open(const std::string& name) {
    affix::journal::Options options;
    options.directory = directory.path(name);
    options.identity = "FIX.4.4:T->X";
    options.sequence_reserve = 0;
    auto opened = affix::journal::Journal::open(options);
    EXPECT_TRUE(opened);
    return opened ? std::move(*opened) : nullptr;
  }

  /// A journal with a message of each number from 1 on.
  void write(const std::string& name, const std::vector<std::string>& messages) {
    const auto journal = open(name);
    std::uint64_t number = 0;
    for (const std::string& message : messages) {
      ASSERT_EQ(journal->append_sent(++number, 1, message), AppendResult::Appended);
    }
  }

  Account compare(const std::string& one, const std::string& other) const {
    Account account;
    account.compare_copies(directory.path(one), directory.path(other), "T");
    return account;
  }

  using AppendResult = affix::journal::AppendResult;
  support::TemporaryDirectory directory;
};

TEST_F(FailoverAccountJournals, RecordsAreReadWithoutWhatSessionsChange) {
  {
    const auto journal = open("one");
    ASSERT_EQ(journal->append_sent(1, 1, soh("8=FIX.4.4|9=1|35=A|34=1|10=000|")),
              AppendResult::Appended);
    ASSERT_EQ(journal->append_sent(2, 1, order_text(2, "A")), AppendResult::Appended);
    ASSERT_EQ(journal->append_received(1, 2, 1, soh("8=FIX.4.4|9=1|35=8|34=1|11=A|17=E|10=000|"))
                  .result(),
              AppendResult::Appended);
  }
  const auto records = read_records(directory.path("one"), "T");
  ASSERT_TRUE(records) << records.error().text();
  ASSERT_EQ(records->sent.size(), 1U);  // The Logon is the session's own.
  EXPECT_EQ(records->sent[0].number, 2U);
  EXPECT_EQ(records->sent[0].id, "A");
  EXPECT_EQ(records->sent[0].content, "11=A|38=5|");
  ASSERT_EQ(records->received.size(), 1U);
  EXPECT_EQ(records->received[0].id, "E");
  EXPECT_EQ(records->received[0].order, "A");
  EXPECT_EQ(records->next_sent, 3U);
  EXPECT_EQ(records->next_received, 2U);
}

TEST_F(FailoverAccountJournals, AMessageThatWasHeldCountsWhenItsTurnHasCome) {
  const auto journal = open("one");
  ASSERT_EQ(journal->append_held(2, 1, order_text(2, "B")), AppendResult::Appended);
  EXPECT_TRUE(read_records(directory.path("one"), "T")->received.empty());
  ASSERT_EQ(journal->append_received(1, 2, 1, order_text(1, "A")).result(), AppendResult::Appended);
  ASSERT_EQ(journal->append_received(2, 3, 1, {}).result(), AppendResult::Appended);
  const auto records = read_records(directory.path("one"), "T");
  ASSERT_EQ(records->received.size(), 2U);
  EXPECT_EQ(records->received[1].order, "B");
}

TEST_F(FailoverAccountJournals, CopiesWithTheSameRecordsAreTheSame) {
  write("one", {order_text(1, "A"), order_text(2, "B")});
  write("other", {order_text(1, "A"), order_text(2, "B")});
  const Account account = compare("one", "other");
  EXPECT_EQ(account.difference_count(), 0U);
  EXPECT_EQ(account.copies, 1U);
  EXPECT_EQ(account.copied_records, 2U);
}

TEST_F(FailoverAccountJournals, ACopyThatLacksARecordOrHasAnotherIsADifference) {
  write("one", {order_text(1, "A"), order_text(2, "B")});
  write("shorter", {order_text(1, "A")});
  write("changed", {order_text(1, "A"), order_text(2, "C")});
  for (const char* const other : {"shorter", "changed"}) {
    const Account account = compare("one", other);
    EXPECT_EQ(account.other, 1U) << other;
    EXPECT_EQ(account.copies, 0U) << other;
    ASSERT_EQ(account.differences.size(), 1U) << other;
    EXPECT_NE(account.differences[0].find("from record 2 on"), std::string::npos);
  }
  EXPECT_EQ(compare("one", "absent").other, 1U);
}

}  // namespace
}  // namespace affix::tools::demo
