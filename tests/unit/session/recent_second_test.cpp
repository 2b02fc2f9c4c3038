// SPDX-License-Identifier: MIT
#include "affix/session/recent_second.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::session {
namespace {

constexpr std::string_view stamp = "20251231-18:21:36.457";
constexpr std::int64_t stamp_ns = 1'767'205'296'457'000'000;

RecentSecond of_stamp() {
  RecentSecond second;
  second.remember(stamp, {stamp_ns, 0});
  return second;
}

TEST(RecentSecond, HoldsItsOwnTimesOfEveryPrecision) {
  const RecentSecond second = of_stamp();
  EXPECT_EQ(second.begin_ns(), stamp_ns / base::ns_per_second * base::ns_per_second);
  for (const char* fraction : {"", ".000", ".457", ".999", ".123456", ".123456789"}) {
    EXPECT_TRUE(second.holds(std::string(stamp.substr(0, 17)) + fraction)) << fraction;
  }
}

TEST(RecentSecond, KnowsNoOtherForm) {
  const RecentSecond second = of_stamp();
  for (const char* fraction :
       {".", ".4", ".45", ".4577", ".45x", ".x57", "x457", ".12345x", ".x23456", "x123456",
        ".12345678x", ".x23456789", "x123456789", ".123456789012", " "}) {
    EXPECT_FALSE(second.holds(std::string(stamp.substr(0, 17)) + fraction)) << fraction;
  }
  EXPECT_FALSE(second.holds(""));
  EXPECT_FALSE(second.holds(stamp.substr(0, 16)));
}

TEST(RecentSecond, HoldsNoTimeThatDiffersInOneByte) {
  const RecentSecond second = of_stamp();
  for (const std::size_t size : {17U, 21U, 24U, 27U}) {
    const std::string same = (std::string(stamp) + "123456").substr(0, size);
    ASSERT_TRUE(second.holds(same)) << same;
    for (std::size_t at = 0; at < 17; ++at) {
      std::string other = same;
      other[at] = other[at] == '9' ? '8' : '9';
      EXPECT_FALSE(second.holds(other)) << other;
    }
  }
}

TEST(RecentSecond, HoldsNothingBeforeTheFirst) {
  const RecentSecond second;
  for (const std::size_t size : {17U, 21U, 24U, 27U}) {
    for (const char byte : {'\0', '\x01', '0', '\xFF'}) {
      std::string text(size, byte);
      EXPECT_FALSE(second.holds(text));
      if (size > 17) {
        text.replace(17, size - 17, ".123456789", size - 17);
        EXPECT_FALSE(second.holds(text));
      }
      text[13] = '\x01';
      EXPECT_FALSE(second.holds(text));
    }
  }
}

}  // namespace
}  // namespace affix::session
