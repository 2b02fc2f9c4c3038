// SPDX-License-Identifier: MIT
// Profiles use known keys, and practices reach the session.
#include "affix/config/configuration.hpp"

#include "config/key_tables.hpp"
#include "config/session_options.hpp"

#include <gtest/gtest.h>
#include <string_view>
#include <variant>

namespace affix::config {
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
    EXPECT_EQ(value_text(key, *quickfix), name == "repeated_resend_request"
                                              ? base::choice_at(key.allowed, 0)
                                              : base::choice_at(key.allowed, 1))
        << key.name;
  }
  EXPECT_EQ(quickfix->validation_order, config::ValidationOrder::Quickfix);
  EXPECT_EQ(quickfix->max_resend_range, 0);
}

TEST(Profiles, EachPracticeHasAKeyOfItsOwn) {
  using session::Practice;
  const auto same = [](const Practice& left, const Practice& right) {
    return __builtin_memcmp(&left, &right, sizeof left) == 0;  // Bytes, no padding.
  };
  EXPECT_EQ(practice_keys().size(), sizeof(Practice)) << "each byte is one practice";
  Practice all;
  for (const auto& key : practice_keys()) {
    const auto& choice = std::get<ChoiceAccess<Practice>>(key.member);
    EXPECT_EQ(choice.place(Practice()), 0U) << key.name << ": the standard's word is the first";
    Practice one;
    choice.choose(one, 1);
    EXPECT_EQ(value_text(key, one), base::choice_at(key.allowed, 1));
    EXPECT_FALSE(same(one, Practice())) << key.name;
    EXPECT_FALSE(same(one, all)) << key.name;
    all = one;
  }
}

}  // namespace affix::config
