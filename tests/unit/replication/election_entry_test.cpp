// SPDX-License-Identifier: MIT
// The text form of an entry.
#include "affix/replication/election_entry.hpp"

#include <gtest/gtest.h>

namespace affix::replication {
namespace {

TEST(ElectionEntry, HasOneTextAndIsReadFromIt) {
  const Entry entry{
      .epoch = 7, .primary = "london-1", .in_sync = {"london-1", "paris.2"}, .renewals = 12};
  const std::string text =
      "affix-election 1\nepoch=7\nprimary=london-1\nin_sync=london-1,paris.2\nrenewals=12\n";
  EXPECT_EQ(to_text(entry), text);
  EXPECT_EQ(parse_entry(text), entry);
  // As an operator's shell leaves it.
  EXPECT_EQ(parse_entry(text.substr(0, text.size() - 1)), entry);
  EXPECT_EQ(parse_entry(to_text(Entry{})), Entry{});
  EXPECT_TRUE(entry.has_in_sync("paris.2"));
  EXPECT_FALSE(entry.has_in_sync("paris"));
}

TEST(ElectionEntry, SaysWhatIsWrong) {
  struct Wrong {
    const char* text;
    const char* why;
  };

  const std::string many(entry_text_bytes_max + 1, 'x');
  const std::string long_name =
      "affix-election 1\nepoch=1\nprimary=a\nin_sync=a," + std::string(65, 'b') + "\nrenewals=0\n";
  for (const Wrong& wrong : std::initializer_list<Wrong>{
           {"", "its first line is not"},
           {"affix-election 2\n", "its version is not 1"},
           {"affix-election 1\n", "its lines are not"},
           {"affix-election 1\nprimary=a\nepoch=1\nin_sync=a\nrenewals=0\n", "its lines are not"},
           {"affix-election 1\nepoch=1\nepoch=1\nprimary=a\nin_sync=a\n", "its lines are not"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=a\nrenewals=0\nx", "something follows"},
           {"affix-election 1\nepoch=01\nprimary=a\nin_sync=a\nrenewals=0\n", "not a number"},
           {"affix-election 1\nepoch=-1\nprimary=a\nin_sync=a\nrenewals=0\n", "not a number"},
           {"affix-election 1\nepoch=\nprimary=a\nin_sync=a\nrenewals=0\n", "not a number"},
           {"affix-election 1\nepoch=18446744073709551616\nprimary=a\nin_sync=a\nrenewals=0\n",
            "not a number"},
           {"affix-election 1\nepoch=1\nprimary=\nin_sync=\nrenewals=0\n", "a primary exactly if"},
           {"affix-election 1\nepoch=0\nprimary=a\nin_sync=a\nrenewals=0\n",
            "a primary exactly if"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=b\nrenewals=0\n", "not one of in_sync"},
           {"affix-election 1\nepoch=0\nprimary=\nin_sync=b\nrenewals=0\n", "not one of in_sync"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=b,a\nrenewals=0\n", "not sorted"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=a,a\nrenewals=0\n", "not sorted"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=a,\nrenewals=0\n", "a name in in_sync"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=a, b\nrenewals=0\n",
            "a name in in_sync"},
           {"affix-election 1\nepoch=1\nprimary=a\nin_sync=-a\nrenewals=0\n", "a name in in_sync"},
           {long_name.c_str(), "a name in in_sync"},
           {many.c_str(), "it has more than"},
       }) {
    const auto read = parse_entry(wrong.text);
    ASSERT_FALSE(read.has_value()) << wrong.text;
    EXPECT_NE(read.error().message.find(wrong.why), std::string::npos)
        << wrong.text << read.error().message;
    EXPECT_EQ(read.error().code, base::ErrorCode::Damaged);
    EXPECT_EQ(read.error().message_code.text(), "R201");
  }
}

TEST(ElectionEntry, NamesArePartsOfPathsAndKeys) {
  EXPECT_TRUE(is_election_name("a"));
  EXPECT_TRUE(is_election_name("0.A_b-c"));
  EXPECT_TRUE(is_election_name(std::string(64, 'a')));
  for (const char* const name :
       {"", ".", "..", "-a", "_a", "a/b", "a b", "a,b", "a\n", "\xC3\xA4"}) {
    EXPECT_FALSE(is_election_name(name)) << name;
  }
  EXPECT_FALSE(is_election_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace affix::replication
