// SPDX-License-Identifier: MIT
// The nearest parent that exists.
#include "affix/os/existing_path.hpp"

#include "affix/os/replace_file.hpp"

#include "support/temporary_directory.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace affix::os {
namespace {

TEST(ExistingPath, EndsAtThePathOrAboveWhatIsMissing) {
  const support::TemporaryDirectory directory;
  ASSERT_TRUE(replace_file(directory.path("file"), "", 0640).has_value());
  EXPECT_EQ(existing_path(directory.path()), directory.path());
  EXPECT_EQ(existing_path(directory.path("not/there/yet/")), directory.path());
  EXPECT_EQ(existing_path(directory.path("not/../file")), directory.path("file"));
  EXPECT_EQ(existing_path(directory.path("file/below")), directory.path("file"));
  EXPECT_EQ(existing_path("/affix-not-there"), "/");
  EXPECT_EQ(existing_path(""), "");
  EXPECT_EQ(existing_path("affix-not-there"), std::filesystem::current_path().string());
}

}  // namespace
}  // namespace affix::os
