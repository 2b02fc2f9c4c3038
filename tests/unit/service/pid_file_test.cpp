// SPDX-License-Identifier: MIT
// The file with a process id: its owner, a second process, and its remains.
#include "affix/service/pid_file.hpp"

#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace affix::service {
namespace {

TEST(PidFile, HoldsTheNumberWhileItLives) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("pid");
  {
    auto file = PidFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(support::read_file(path), std::to_string(::getpid()) + "\n");
    const PidFile moved = std::move(*file);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PidFile, TheSecondNamesTheOwnerAndLeavesTheFileAlone) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("pid");
  const auto first = PidFile::open(path);
  ASSERT_TRUE(first);
  const auto second = PidFile::open(path);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::Locked);
  EXPECT_TRUE(support::has_message(second.error().text(), "E110",
                                   {path, "process " + std::to_string(::getpid())}));
  EXPECT_EQ(support::read_file(path), std::to_string(::getpid()) + "\n");
}

TEST(PidFile, DigitsOfALongerNumberAreGone) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("pid");
  std::ofstream(path) << "12345678901234567890\nand more\n";
  const auto file = PidFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(support::read_file(path), std::to_string(::getpid()) + "\n");
}

TEST(PidFile, NoPathIsNoFileAndNoDirectoryAnError) {
  EXPECT_TRUE(PidFile::open({}));
  const support::TemporaryDirectory directory;
  const auto file = PidFile::open(directory.path("nowhere/pid"));
  ASSERT_FALSE(file);
  EXPECT_TRUE(support::has_message(file.error().text(), "O101", {"nowhere/pid"}));
}

}  // namespace
}  // namespace affix::service
