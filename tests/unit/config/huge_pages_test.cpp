// SPDX-License-Identifier: MIT
// Warnings about missing huge pages.
#include "config/huge_pages.hpp"

#include <gtest/gtest.h>

namespace affix::config {
namespace {

TEST(HugePages, OnlyARequestForThemIsReported) {
  EngineSettings settings;
  EXPECT_EQ(pages_of(settings), os::Pages::Small);
  EXPECT_EQ(huge_page_warning(settings, "always madvise [never]"), "");
  EXPECT_EQ(huge_page_warning(settings), "");
}

TEST(HugePages, AModeThatGivesNoneIsNamed) {
  EngineSettings settings;
  settings.huge_pages = true;
  EXPECT_EQ(pages_of(settings), os::Pages::Huge);
  EXPECT_EQ(huge_page_warning(settings, "always [madvise] never"), "");
  EXPECT_EQ(huge_page_warning(settings, "[always] madvise never"), "");
  EXPECT_EQ(huge_page_warning(settings, "always madvise [never]"),
            "no huge pages, so small ones are used: transparent_hugepage of this kernel is 'always "
            "madvise [never]'");
  EXPECT_NE(huge_page_warning(settings, "").find("is not there"), std::string::npos);
}

}  // namespace
}  // namespace affix::config
