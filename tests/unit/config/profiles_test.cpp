// SPDX-License-Identifier: MIT
// Profiles use known keys, and practices reach the session.
#include "affix/config/configuration.hpp"

#include "config/practice_keys.hpp"
#include "config/session_options.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

std::string_view second_word(std::string_view allowed) {
  return allowed.substr(allowed.find('|') + 1);
}

}  // namespace

TEST(Profiles, StandardIsTheDefault) {
  const auto standard = settings_of_profile("standard");
  ASSERT_TRUE(standard);
  EXPECT_EQ(standard->validation_place, SessionSettings().validation_place);
  EXPECT_EQ(standard->gap_request, SessionSettings().gap_request);
}

TEST(Profiles, QuickfixChoosesEveryPractice) {
  const auto quickfix = settings_of_profile("quickfix");
  ASSERT_TRUE(quickfix);
  for (const auto& key : practice_keys()) {
    const std::string_view name = key.name;
    if (name == "test_request_after" || name == "next_expected_rule") {
      continue;  // Expectations of that engine's testers, not its behaviour.
    }
    EXPECT_EQ((*quickfix).*std::get<std::string PracticeSettings::*>(key.member),
              second_word(key.allowed))
        << key.name;
  }
  EXPECT_EQ(quickfix->validation_order, "QUICKFIX");
  EXPECT_EQ(quickfix->max_resend_range, 0);
}

TEST(Profiles, EachPracticeHasAKeyOfItsOwn) {
  using session::Practice;
  const auto same = [](const Practice& left, const Practice& right) {
    return __builtin_memcmp(&left, &right, sizeof left) == 0;  // Bytes, no padding.
  };
  static_assert(sizeof(Practice) == 30);
  EXPECT_TRUE(same(practice_of({}), Practice()));
  Practice all;
  for (const auto& key : practice_keys()) {
    PracticeSettings one;
    one.*std::get<std::string PracticeSettings::*>(key.member) = second_word(key.allowed);
    const Practice practice = practice_of(one);
    EXPECT_FALSE(same(practice, Practice())) << key.name;
    EXPECT_FALSE(same(practice, all)) << key.name;
    all = practice;
  }
}

}  // namespace affix::config
