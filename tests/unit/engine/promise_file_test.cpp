// SPDX-License-Identifier: MIT
// A node's memory of its failover groups: read back as it was written, and never guessed.
#include "engine/promise_file.hpp"

#include "support/temporary_directory.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace affix::engine {
namespace {

Remembered sample() {
  Remembered remembered{.promised = 7, .held = 6, .led = 5, .boot = {}, .closed = true};
  for (std::size_t at = 0; at < sizeof(remembered.boot.bytes); ++at) {
    remembered.boot.bytes[at] = static_cast<std::uint8_t>(17 * at);
  }
  return remembered;
}

TEST(PromiseFiles, AreReadAsTheyWereWritten) {
  const support::TemporaryDirectory directory;
  const auto files = PromiseFiles::open(directory.path("promises"));
  ASSERT_TRUE(files);
  ASSERT_EQ(files->read("venue").value(), Remembered{});
  ASSERT_TRUE(files->write("venue", sample()));
  EXPECT_EQ(files->read("venue").value(), sample());
  EXPECT_EQ(files->read("other").value(), Remembered{});
  Remembered later = sample();
  later.promised = UINT64_MAX;
  later.closed = false;
  ASSERT_TRUE(files->write("venue", later));
  EXPECT_EQ(files->read("venue").value(), later);
}

TEST(PromiseFiles, BelongToOneProcess) {
  const support::TemporaryDirectory directory;
  {
    const auto first = PromiseFiles::open(directory.path("promises"));
    ASSERT_TRUE(first);
    const auto second = PromiseFiles::open(directory.path("promises"));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, base::ErrorCode::Locked);
  }
  EXPECT_TRUE(PromiseFiles::open(directory.path("promises")));
}

TEST(PromiseFiles, EveryChangedOrMissingByteIsDamage) {
  const std::string whole = to_text(sample());
  ASSERT_EQ(parse_remembered(whole).value(), sample());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_remembered(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_FALSE(parse_remembered(whole + "\n"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = '\x7f';
    EXPECT_FALSE(parse_remembered(changed)) << at;
  }
}

TEST(PromiseFiles, AnEmptyFileIsNoPromiseOfNothing) {
  const support::TemporaryDirectory directory;
  const auto files = PromiseFiles::open(directory.path("promises"));
  ASSERT_TRUE(files);
  std::ofstream(directory.path("promises/venue.promise")).flush();
  const auto read = files->read("venue");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, base::ErrorCode::Damaged);
}

}  // namespace
}  // namespace affix::engine
