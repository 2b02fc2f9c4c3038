// SPDX-License-Identifier: MIT
// A disk is measured once, for the first journal on it.
#include "engine/page_choices.hpp"

#include "support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::engine_test {

namespace {

using engine::PageChoices;

TEST(PageChoices, EachDiskIsMeasuredOnceAndNoted) {
  const support::TemporaryDirectory directory;
  PageChoices choices;
  const journal::NewPages first = choices.for_directory(directory.path() + "/not/there/yet");
  const std::vector<std::string> notes = choices.take_notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes.front().find(directory.path() + ": a new page costs "), std::string::npos);
  EXPECT_EQ(choices.for_directory(directory.path()), first);
  EXPECT_TRUE(choices.take_notes().empty());
}

TEST(PageChoices, WithoutAMeasurementZerosAreWritten) {
  PageChoices choices;
  EXPECT_EQ(choices.for_directory("/proc/affix"), journal::NewPages::Written);
  EXPECT_TRUE(choices.take_notes().empty());
}

}  // namespace

}  // namespace affix::engine_test
