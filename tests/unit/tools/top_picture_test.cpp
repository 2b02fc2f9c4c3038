// SPDX-License-Identifier: MIT
// The picture of `affix top` in any space, and the keys of control sequences.
#include "top/screen.hpp"
#include "top/terminal.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::top {

namespace {

std::vector<Line> picture_in(TerminalSize space, std::size_t sessions) {
  std::vector<SessionRow> rows(sessions);
  for (std::size_t row = 0; row < sessions; ++row) {
    rows[row].now.name = "S" + std::to_string(row);
  }
  const View view{.sort = find_column("session")};
  return picture_of({"above"}, rows, 0, view, "a note", space);
}

}  // namespace

TEST(TopPicture, HasAsManyLinesAsTheSpaceHasRows) {
  for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U, 24U}) {
    for (const std::size_t sessions : {0U, 1U, 100U}) {
      const std::vector<Line> picture = picture_in({.rows = rows, .columns = 60}, sessions);
      ASSERT_EQ(picture.size(), rows);
      EXPECT_NE(picture.back().text.find("q quit"), std::string::npos);
    }
  }
}

TEST(TopPicture, ShowsTheHeadInReverseAndTheSessionsBelow) {
  const std::vector<Line> picture = picture_in({.rows = 6, .columns = 60}, 3);
  EXPECT_EQ(picture[0].text, "above");
  EXPECT_EQ(picture[1].text, "sorted by session; a note");
  EXPECT_TRUE(picture[2].reversed);
  EXPECT_EQ(picture[2].text.size(), 60U);
  EXPECT_TRUE(picture[3].text.starts_with("S0"));
  EXPECT_TRUE(picture[4].text.starts_with("S1"));
}

TEST(TopKeys, AreThoseOfTheUsualTerminals) {
  EXPECT_EQ(key_of('A', 0), keys::up);
  EXPECT_EQ(key_of('B', 0), keys::down);
  EXPECT_EQ(key_of('C', 0), keys::right);
  EXPECT_EQ(key_of('D', 0), keys::left);
  EXPECT_EQ(key_of('H', 0), keys::home);
  EXPECT_EQ(key_of('~', 1), keys::home);
  EXPECT_EQ(key_of('~', 5), keys::other);
  EXPECT_EQ(key_of('Z', 0), keys::other);
}

}  // namespace affix::tools::top
