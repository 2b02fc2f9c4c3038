// SPDX-License-Identifier: MIT
#include "affix/wire/checksum.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace affix::wire {
namespace {

SumAndSoh sum_slowly(std::string_view bytes) {
  SumAndSoh result;
  for (const char byte : bytes) {
    result.sum += static_cast<unsigned char>(byte);
    result.soh_count += byte == '\x01' ? 1 : 0;
  }
  return result;
}

TEST(Checksum, IsTheSumModulo256) {
  EXPECT_EQ(checksum(""), 0U);
  EXPECT_EQ(checksum("A"), 65U);
  EXPECT_EQ(checksum(std::string(256, '\xff')), 0U);
  EXPECT_EQ(checksum("8=FIX.4.2\x01"
                     "9=5\x01"
                     "35=0\x01"),
            161U);
}

TEST(Checksum, EqualsTheByteLoopAtEverySizeAndAlignment) {
  std::mt19937 random(7);
  std::string bytes(2048, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(random() % 4 == 0 ? 1 : random());
  }
  for (std::size_t begin = 0; begin < 65; begin += 1 + begin / 8) {
    for (std::size_t size = 0; size < 400; ++size) {
      // An exact copy, so that the address sanitizer sees a read outside.
      const std::vector<char> exact(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                    bytes.begin() + static_cast<std::ptrdiff_t>(begin + size));
      const std::string_view view(exact.data(), exact.size());
      ASSERT_EQ(sum_and_soh(view), sum_slowly(view)) << begin << " " << size;
    }
  }
}

TEST(Checksum, DoesNotOverflowItsLanes) {
  const std::string high(1 << 20, '\xff');
  EXPECT_EQ(sum_and_soh(high), (SumAndSoh{255U << 20, 0}));
  const std::string all_soh((1 << 20) + 7, '\x01');
  EXPECT_EQ(sum_and_soh(all_soh), (SumAndSoh{(1U << 20) + 7, (1U << 20) + 7}));
}

TEST(Checksum, CountsOnlySoh) {
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(sum_and_soh(std::string(9, static_cast<char>(byte))).soh_count, byte == 1 ? 9U : 0U);
  }
}

}  // namespace
}  // namespace affix::wire
