// SPDX-License-Identifier: MIT
// Lines parsed into requests: words, quotes, JSON, and invalid lines.
#include "affix/admin/request.hpp"

#include "support/has_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace affix::admin {
namespace {

using support::has_message;
using testing::ElementsAre;
using testing::IsEmpty;

Request read(std::string_view line) {
  auto request = parse_request(line);
  EXPECT_TRUE(request) << request.error().text;
  return request.value_or(Request());
}

std::string refused(std::string_view line) {
  const auto request = parse_request(line);
  return request ? "accepted" : request.error().text + base::Error::suffix_of(request.error().code);
}

TEST(Request, WordsHaveSpacesBetween) {
  const Request request = read("  set_x \t S1   5 ");
  EXPECT_FALSE(request.json);
  EXPECT_EQ(request.command, "set_x");
  EXPECT_THAT(request.arguments, ElementsAre("S1", "5"));
  EXPECT_EQ(read("").command, "");
  EXPECT_EQ(read(" \t ").command, "");
}

TEST(Request, QuotesHoldSpacesTogether) {
  EXPECT_THAT(read(R"(logout S1 "good \"bye\" \\ now")").arguments,
              ElementsAre("S1", R"(good "bye" \ now)"));
  EXPECT_THAT(read(R"(add N path="a b"c ")"
                   R"(")")
                  .arguments,
              ElementsAre("N", "path=a bc", ""));
  EXPECT_TRUE(has_message(refused(R"(logout "S1)"), "A103", {"quote"}));
  EXPECT_TRUE(has_message(refused(R"(logout "S1\")"), "A103", {"quote"}));
}

TEST(Request, JsonIsReadWhereALineBeginsWithABrace) {
  const Request request =
      read(R"({"id":"a\"b","command":"kill","arguments":["S 1",5,true,false]})");
  EXPECT_TRUE(request.json);
  EXPECT_EQ(request.id, R"("a\"b")");
  EXPECT_EQ(request.command, "kill");
  EXPECT_THAT(request.arguments, ElementsAre("S 1", "5", "true", "false"));
  EXPECT_EQ(read(R"({"command":"x","id":-7})").id, "-7");
  EXPECT_THAT(read(R"({"command":"x"})").arguments, IsEmpty());
}

TEST(Request, WhatIsNoRequestIsReportedInItsOwnForm) {
  const auto fault = parse_request(R"({"id":3,"command":7})");
  ASSERT_FALSE(fault);
  EXPECT_TRUE(fault.error().json);
  EXPECT_EQ(fault.error().id, "3");
  EXPECT_TRUE(has_message(refused("{"), "A105", {"JSON"}));
  EXPECT_TRUE(has_message(refused("{}"), "A105", {"`command`"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x","arguments":{}})"), "A105", {"`arguments`"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x","arguments":[[]]})"), "A105", {"`arguments`"}));
  EXPECT_TRUE(
      has_message(refused(R"({"command":"x","arguments":[1.5]})"), "A105", {"`arguments`"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x","arguments":["a\nb"]})"), "A105",
                          {"`arguments`", "control"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x\u0000"})"), "A105", {"control", "`command`"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x","id":[]})"), "A105", {"`id`"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x","id":")" + std::string(200, 'i') + R"("})"),
                          "A105", {"`id`"}));
  EXPECT_TRUE(has_message(refused("get\x01uptime"), "A105", {"control"}));
  EXPECT_TRUE(has_message(refused(std::string_view("get\0uptime", 10)), "A105", {"control"}));
}

TEST(Request, SizesAreBounded) {
  EXPECT_EQ(refused(std::string(request_bytes_max, 'a')), "accepted");
  EXPECT_TRUE(has_message(refused(std::string(request_bytes_max + 1, 'a')), "A105",
                          {std::to_string(request_bytes_max)}));
  std::string words = "c";
  for (std::size_t at = 0; at < request_arguments_max; ++at) {
    words += " w";
  }
  EXPECT_EQ(refused(words), "accepted");
  EXPECT_TRUE(has_message(refused(words + " w"), "A103", {"too many"}));
  EXPECT_TRUE(has_message(refused(R"({"command":"x","arguments":)" + std::string(2'000, '[') +
                                  std::string(2'000, ']') + "}"),
                          "A105", {"`arguments`"}));
  std::string list = R"({"command":"x","arguments":[1)";
  for (std::size_t at = 0; at < request_arguments_max; ++at) {
    list += ",1";
  }
  EXPECT_TRUE(has_message(refused(list + "]}"), "A105", {"`arguments`", "64"}));
}

}  // namespace
}  // namespace affix::admin
