// SPDX-License-Identifier: MIT
// Answers as text and as JSON: aligned, bounded, and harmless to terminals and parsers.
#include "affix/admin/answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace affix::admin {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t much = 1 << 20;

Answer two_rows() {
  Answer answer = Answer::table({"name", "next", "up", "rate"});
  answer.add({"A", std::int64_t{1}, true, 0.25});
  answer.add({"LONGER", std::int64_t{12'345}, false, 1'000.0});
  return answer;
}

TEST(AnswerText, ColumnsStandUnderEachOther) {
  EXPECT_EQ(text_of(two_rows(), much),
            "name    next   up   rate\n"
            "A       1      yes  0.2\n"
            "LONGER  12345  no   1000.0\n"
            "done: 2 rows\n");
}

TEST(AnswerText, TheLastLineBeginsWithTheStatus) {
  EXPECT_EQ(text_of(Answer::done(), much), "done\n");
  EXPECT_EQ(text_of(Answer::done("so be it"), much), "done: so be it\n");
  EXPECT_EQ(text_of(Answer::refused("no"), much), "refused: no\n");
  EXPECT_EQ(text_of(Answer::refused("no", "A104"), much), "refused: no [A104]\n");
  EXPECT_EQ(text_of(Answer::busy("later"), much), "busy: later [A113]\n");
  EXPECT_EQ(text_of(Answer::begun("soon"), much), "begun: soon [A114]\n");
  EXPECT_EQ(text_of(Answer::table({"a"}), much), "a\ndone: 0 rows\n");
}

TEST(AnswerText, NothingInItMovesACursor) {
  Answer answer = Answer::table({"message"});
  answer.add(
      {std::string("8=FIX.4.4\x01"
                   "9=5\x01\x1b[2J\n\r\x7f")});
  answer.set_text("line\nline");
  EXPECT_EQ(text_of(answer, much), "message\n8=FIX.4.4|9=5|?[2J???\ndone: line?line\n");
}

TEST(AnswerText, WhatIsTooLongIsCutAndSaysSo) {
  Answer answer = Answer::table({"value"});
  for (int row = 0; row < 1'000; ++row) {
    answer.add({std::string(100, 'x')});
  }
  const std::string text = text_of(answer, 10'000);
  EXPECT_LE(text.size(), 10'000U);
  EXPECT_THAT(text, HasSubstr("[A120]\n"));
  EXPECT_THAT(text, HasSubstr("done: 1000 rows\n"));
  EXPECT_EQ(text_of(Answer::refused(std::string(5'000, 'y')), 1'000).size(), 1'000U);
}

TEST(AnswerJson, IsOneLineWithRowsAsObjects) {
  EXPECT_EQ(json_of(two_rows(), "7", much),
            R"({"id":7,"status":"done","text":"","columns":["name","next","up","rate"],"rows":[)"
            R"({"name":"A","next":1,"up":true,"rate":0.25},)"
            R"({"name":"LONGER","next":12345,"up":false,"rate":1000.0}],"cut":false})"
            "\n");
  EXPECT_EQ(json_of(Answer::refused("no \"x\"\n"), {}, much),
            R"({"status":"refused","text":"no \"x\"\n"})"
            "\n");
  EXPECT_EQ(
      json_of_rows(two_rows(), "\"a\""),
      "{\"id\":\"a\",\"row\":{\"name\":\"A\",\"next\":1,\"up\":true,\"rate\":0.25}}\n"
      "{\"id\":\"a\",\"row\":{\"name\":\"LONGER\",\"next\":12345,\"up\":false,\"rate\":1000.0}}\n");
}

TEST(AnswerJson, BytesThatAreNoTextAreReplacedAndLongAnswersAreCut) {
  Answer answer = Answer::table({"bytes"});
  for (int row = 0; row < 1'000; ++row) {
    answer.add({std::string("\xff\x01") + std::string(100, 'x')});
  }
  const std::string line = json_of(answer, "1", 10'000);
  EXPECT_LE(line.size(), 10'000U);
  EXPECT_THAT(line, HasSubstr("\"cut\":true}"));
  EXPECT_THAT(line, Not(HasSubstr("\xff")));
  EXPECT_THAT(line, HasSubstr("\\u0001"));
}

}  // namespace
}  // namespace affix::admin
