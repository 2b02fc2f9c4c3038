// SPDX-License-Identifier: MIT
// Whole files: read up to a limit, and replaced.
#include "affix/os/read_file.hpp"

#include "affix/os/replace_file.hpp"

#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"

#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::os {
namespace {

class WholeFile : public testing::Test {
 protected:
  void write(const std::string& text) { ASSERT_TRUE(replace_file(path_, text, 0640).has_value()); }

  const support::TemporaryDirectory directory_;
  const std::string path_ = directory_.path("file");
};

TEST_F(WholeFile, AMissingOneIsNotFound) {
  const auto text = read_file(path_, 10);
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, base::ErrorCode::NotFound);
  EXPECT_TRUE(support::has_message(text.error().text(), "O101", {path_, "open"}));
}

TEST_F(WholeFile, ADirectoryIsNone) {
  const auto text = read_file(directory_.path(), 10);
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, base::ErrorCode::Io);
  EXPECT_TRUE(support::has_message(text.error().text(), "O199", {directory_.path(), "read"}));
}

TEST_F(WholeFile, TheLimitIsExact) {
  write("0123456789");
  EXPECT_EQ(read_file(path_, 10).value(), "0123456789");
  const auto text = read_file(path_, 9);
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code, base::ErrorCode::Limit);
  EXPECT_TRUE(support::has_message(text.error().text(), "O114", {path_, "read"}));
  const std::string large(1'000'000, 'x');
  write(large);
  EXPECT_EQ(read_file(path_, large.size()).value(), large);
  EXPECT_FALSE(read_file(path_, large.size() - 1).has_value());
}

TEST_F(WholeFile, AnEmptyOneIsEmpty) {
  write("");
  EXPECT_EQ(read_file(path_, 0).value(), "");
}

TEST_F(WholeFile, AFileWithoutASizeIsReadToItsEnd) {
  EXPECT_FALSE(read_file("/proc/self/status", 1 << 20).value().empty());
  EXPECT_EQ(read_file("/dev/zero", 100'000).error().code, base::ErrorCode::Limit);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const FileDescriptor reading(ends[0]);
  const std::string text(10'000, 'p');  // More than the room to begin with.
  {
    const FileDescriptor writing(ends[1]);
    ASSERT_EQ(::write(writing.number(), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  EXPECT_EQ(read_open_file(reading, 100'000).value(), text);
}

TEST_F(WholeFile, ReplacingLeavesNothingBeside) {
  write("old");
  write("new");
  EXPECT_EQ(read_file(path_, 10).value(), "new");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
  struct stat status{};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07137U, 0U) << "no more permissions than asked for";
}

TEST_F(WholeFile, AFileThatCannotBeReplacedStays) {
  const std::string inside = directory_.path("missing/file");
  const auto replaced = replace_file(inside, "new", 0640);
  ASSERT_FALSE(replaced.has_value());
  EXPECT_TRUE(support::has_message(replaced.error().text(), "O101", {inside, "open"}));
  std::filesystem::create_directories(path_ + "/full");
  EXPECT_FALSE(replace_file(path_, "new", 0640).has_value());
  EXPECT_TRUE(std::filesystem::is_directory(path_));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(WholeFile, ADescriptorIsClosedByItsLastOwner) {
  write("");
  FileDescriptor one(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  const int number = one.number();
  ASSERT_GE(number, 0);
  FileDescriptor other(std::move(one));
  EXPECT_EQ(other.number(), number);
  EXPECT_NE(::fcntl(number, F_GETFD), -1);
  other = FileDescriptor();
  EXPECT_FALSE(other.is_open());
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

}  // namespace
}  // namespace affix::os
