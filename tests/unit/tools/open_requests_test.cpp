// SPDX-License-Identifier: MIT
#include "log/open_requests.hpp"

#include "affix/wire/index.hpp"

#include "support/fix_text.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace affix::tools::log {
namespace {

std::optional<std::int64_t> take(OpenRequests& requests, const std::string& session,
                                 const std::string& body, std::int64_t utc_ns) {
  const std::string message = support::make_message(body);
  wire::FieldIndexOf<32> index;
  wire::index_message(message, index);
  return requests.take(session, {message, index}, utc_ns);
}

TEST(OpenRequests, TheFirstReportWithItsNameAnswersARequest) {
  OpenRequests requests;
  EXPECT_EQ(take(requests, "A", "35=D|11=1|", 100), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=F|11=2|41=1|", 110), std::nullopt);
  EXPECT_EQ(requests.count(), 2U);
  EXPECT_EQ(take(requests, "A", "35=8|11=1|", 150), 50);
  EXPECT_EQ(take(requests, "A", "35=8|11=1|", 160), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=9|11=2|", 110), 0);
  EXPECT_EQ(requests.count(), 0U);
}

TEST(OpenRequests, AnAnswerIsOfItsSession) {
  OpenRequests requests;
  EXPECT_EQ(take(requests, "A", "35=D|11=1|", 100), std::nullopt);
  EXPECT_EQ(take(requests, "B", "35=8|11=1|", 150), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=8|11=1|", 90), -10);
}

TEST(OpenRequests, ARepeatedRequestCountsFromItsFirst) {
  OpenRequests requests;
  EXPECT_EQ(take(requests, "A", "35=D|11=1|", 100), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=D|11=1|", 140), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=8|11=1|", 150), 50);
}

TEST(OpenRequests, ReportsHowManyItDidNotFollow) {
  OpenRequests requests(1);
  EXPECT_EQ(take(requests, "A", "35=D|11=1|", 100), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=D|11=2|", 100), std::nullopt);
  EXPECT_EQ(requests.left_out(), 1U);
  EXPECT_EQ(take(requests, "A", "35=8|11=2|", 150), std::nullopt);
  EXPECT_EQ(take(requests, "A", "35=8|11=1|", 150), 50);
}

}  // namespace
}  // namespace affix::tools::log
