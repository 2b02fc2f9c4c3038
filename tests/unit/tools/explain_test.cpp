// SPDX-License-Identifier: MIT
// The table of messages, and how `affix explain` prints its rows.
#include "affix/host/application.hpp"
#include "affix/journal/journal.hpp"
#include "affix/net/handler.hpp"
#include "affix/replication/member.hpp"
#include "affix/session/events.hpp"
#include "affix/session/options.hpp"

#include "explain/message_table.hpp"
#include "explain/message_text.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace affix::tools::explain {
namespace {

TEST(MessageTable, EachCodeIsThereOnceAndHasAnAction) {
  std::set<std::string> codes;
  for (const MessageRow* const row : all_messages()) {
    EXPECT_TRUE(codes.emplace(row->code.text()).second) << row->code.text();
    EXPECT_FALSE(row->texts.empty()) << row->code.text();
    EXPECT_FALSE(row->meaning.empty()) << row->code.text();
    EXPECT_FALSE(row->cause.empty()) << row->code.text();
    EXPECT_FALSE(row->action.empty()) << row->code.text();
  }
  EXPECT_GT(codes.size(), 300U);
}

/// The row of an enumerator has its text.
template <typename Enum>
void expect_rows_of(Enum first, Enum last) {
  for (int value = static_cast<int>(first); value <= static_cast<int>(last); ++value) {
    const base::MessageCode code = code_of(static_cast<Enum>(value));
    const char* const text = to_text(static_cast<Enum>(value));
    const MessageRow* const row = find_message(code);
    ASSERT_NE(row, nullptr) << text;
    EXPECT_TRUE(row->texts.contains(text)) << code.text() << ": " << text;
  }
}

TEST(MessageTable, TheTextsOfTheLibrarysEnumerationsAreInTheRowsOfTheirCodes) {
  expect_rows_of(session::Event::LoggedOn, session::Event::ResentTooLarge);
  expect_rows_of(session::DisconnectReason::LogoutComplete,
                 session::DisconnectReason::NumbersExhausted);
  expect_rows_of(net::CloseReason::PeerClosed, net::CloseReason::Failed);
  expect_rows_of(net::ConnectFailure::Refused, net::ConnectFailure::Failed);
  expect_rows_of(net::AcceptPause::ConnectionLimit, net::AcceptPause::NoMemory);
  expect_rows_of(replication::AlarmKind::Alone, replication::AlarmKind::LossAccepted);
  expect_rows_of(replication::WishAnswer::LeadsAlready, replication::WishAnswer::Busy);
}

TEST(MessageTable, TheTextsOfFaultsOfOptionsAreInOneRow) {
  const MessageRow* const row = find_message("C242");
  ASSERT_NE(row, nullptr);
  for (int value = 1; value <= static_cast<int>(session::OptionFault::QueueHasNoRoom); ++value) {
    const char* const text = to_text(static_cast<session::OptionFault>(value));
    EXPECT_TRUE(row->texts.contains(text)) << text;
  }
}

TEST(MessageTable, AMisspeltCodeHasNeighbours) {
  EXPECT_EQ(nearest_codes("S147", 1), (std::vector<std::string>{"S146"}));
  EXPECT_EQ(nearest_codes("s0", 2), (std::vector<std::string>{"S101", "S102"}));
  EXPECT_EQ(nearest_codes("", 3).size(), 3U);
  EXPECT_EQ(nearest_codes("what is this", 3).size(), 3U);
}

TEST(MessageText, LinksAndQuotesBecomePlain) {
  EXPECT_EQ(plain_text("see [roles](admin.md#who-may) and `x` of [ENGINE]"),
            "see roles (docs/reference/admin.md) and x of [ENGINE]");
  EXPECT_EQ(plain_text("[full](../guide/operations.md#the-disk)"),
            "full (docs/guide/operations.md)");
  EXPECT_EQ(plain_text("[ENGINE] lock_pages (see below)"), "[ENGINE] lock_pages (see below)");
}

TEST(MessageText, AnExplanationHasCodeTextsMeaningCauseAndAction) {
  const MessageRow* const row = find_message("O105");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(explanation(*row),
            "O105, error\n"
            "  text:    Address already in use\n"
            "  meaning: The address is in use.\n"
            "  cause:   Another process listens at this address and port.\n"
            "  action:  stop the other process (ss -ltnp shows it), or use another port\n");
}

TEST(MessageText, JsonHasTheSame) {
  const auto json = nlohmann::json::parse(messages_json({find_message("O105")}));
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["code"], "O105");
  EXPECT_EQ(json[0]["kind"], "error");
  EXPECT_EQ(json[0]["texts"], (std::vector<std::string>{"Address already in use"}));
  EXPECT_EQ(json[0]["action"], "stop the other process (ss -ltnp shows it), or use another port");
}

}  // namespace
}  // namespace affix::tools::explain
