// SPDX-License-Identifier: MIT
// The file with a process id: its owner, a second process, and its remains.
#include "affix/service/pid_file.hpp"

#include "support/temporary_directory.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>
#include <utility>

namespace affix::service {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(PidFile, HoldsTheNumberWhileItLives) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("pid");
  {
    auto file = PidFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(text_of(path), std::to_string(::getpid()) + "\n");
    const PidFile moved = std::move(*file);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PidFile, TheSecondIsToldWhoHasItAndLeavesItAlone) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("pid");
  const auto first = PidFile::open(path);
  ASSERT_TRUE(first);
  const auto second = PidFile::open(path);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::Locked);
  EXPECT_NE(second.error().text().find("process " + std::to_string(::getpid())), std::string::npos);
  EXPECT_EQ(text_of(path), std::to_string(::getpid()) + "\n");
}

TEST(PidFile, WhatALongerNumberLeftBehindIsGone) {
  const support::TemporaryDirectory directory;
  const std::string path = directory.path("pid");
  std::ofstream(path) << "12345678901234567890\nand more\n";
  const auto file = PidFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(path), std::to_string(::getpid()) + "\n");
}

TEST(PidFile, NoPathIsNoFileAndNoDirectoryAnError) {
  EXPECT_TRUE(PidFile::open({}));
  const support::TemporaryDirectory directory;
  const auto file = PidFile::open(directory.path("nowhere/pid"));
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().text().find("nowhere/pid"), std::string::npos);
}

}  // namespace
}  // namespace affix::service
