// SPDX-License-Identifier: MIT
// Writing headers: only new or different ones, each completely.
#include "codegen/output.hpp"

#include "support/temporary_directory.hpp"
#include "support/whole_file.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace affix::tools::codegen {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  [[nodiscard]] std::string text_of(const std::string& path) const {
    return support::read_file(folder_ / path);
  }

  support::TemporaryDirectory directory_;
  const fs::path folder_ = directory_.path();
};

TEST_F(Output, WritesChangedFilesAndLeavesTheRest) {
  const std::vector<GeneratedFile> files = {{"a/b/one.hpp", "1"}, {"two.hpp", "2"}};
  const std::string out = (folder_ / "made" / "here").string();
  auto written = write_files(out, files);
  ASSERT_TRUE(written.has_value()) << written.error().text();
  EXPECT_EQ(written->changed, 2U);
  EXPECT_EQ(text_of("made/here/a/b/one.hpp"), "1");

  const fs::path one = fs::path(out) / "a/b/one.hpp";
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(one, old);
  std::ofstream(fs::path(out) / "two.hpp") << "changed";
  std::ofstream(fs::path(out) / "foreign.hpp") << "stays";
  written = write_files(out, files);
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(written->changed, 1U);
  EXPECT_EQ(written->unchanged, 1U);
  EXPECT_EQ(text_of("made/here/two.hpp"), "2");
  EXPECT_EQ(text_of("made/here/foreign.hpp"), "stays");
  EXPECT_EQ(fs::last_write_time(one), old);
}

TEST_F(Output, SaysWhereItCannotWrite) {
  std::ofstream(folder_ / "file") << "in the way";
  const std::vector<GeneratedFile> files = {{"one.hpp", "1"}};
  const auto blocked = write_files((folder_ / "file").string(), files);
  ASSERT_FALSE(blocked.has_value());
  EXPECT_NE(blocked.error().text().find("file"), std::string::npos);
  fs::create_directories(folder_ / "out" / "one.hpp");
  const auto replaced = write_files((folder_ / "out").string(), files);
  ASSERT_FALSE(replaced.has_value());
  EXPECT_NE(replaced.error().text().find("one.hpp"), std::string::npos);
  // No other file is left.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "out"), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace affix::tools::codegen
