// SPDX-License-Identifier: MIT
// When the session of a template leaves again: unproven ones soon, others after their time.
#include "engine/template_retirement.hpp"

#include <gtest/gtest.h>

namespace affix::engine {
namespace {

constexpr std::int64_t unproven_ns = TemplateRetirement::unproven_ns;
constexpr std::int64_t never_ns = TemplateRetirement::never_ns;

TEST(TemplateRetirement, ASessionOfTheConfigurationStays) {
  TemplateRetirement retirement;
  retirement.on_down(5);
  retirement.on_logged_on();
  retirement.on_down(6);
  EXPECT_EQ(retirement.due_ns(), never_ns);
  EXPECT_FALSE(retirement.take_due(1'000 * unproven_ns));
}

TEST(TemplateRetirement, OneThatNeverLogsOnLeavesSoonAfterItsLastConnection) {
  TemplateRetirement retirement(0, 100);
  EXPECT_EQ(retirement.due_ns(), 100 + unproven_ns);
  retirement.on_down(200);
  EXPECT_EQ(retirement.due_ns(), 200 + unproven_ns);
  EXPECT_FALSE(retirement.take_due(199 + unproven_ns));
  EXPECT_TRUE(retirement.take_due(200 + unproven_ns));
  EXPECT_FALSE(retirement.take_due(201 + unproven_ns)) << "once";
}

TEST(TemplateRetirement, OneThatHasLoggedOnLeavesAfterItsTime) {
  TemplateRetirement retirement(1'000, 100);
  retirement.on_logged_on();
  EXPECT_EQ(retirement.due_ns(), never_ns) << "it is logged on";
  retirement.on_down(500);
  EXPECT_EQ(retirement.due_ns(), 1'500);
  retirement.on_logged_on();
  EXPECT_EQ(retirement.due_ns(), never_ns);
  retirement.on_down(700);
  EXPECT_TRUE(retirement.take_due(1'700));
}

TEST(TemplateRetirement, WithoutATimeOneThatHasLoggedOnStays) {
  TemplateRetirement retirement(0, 100);
  retirement.on_logged_on();
  retirement.on_down(500);
  EXPECT_EQ(retirement.due_ns(), never_ns);
}

}  // namespace
}  // namespace affix::engine
