// SPDX-License-Identifier: MIT
// CRC-32C: known values, every version against the table, continuing, copying.
#include "affix/base/crc32c.hpp"

#include "base/crc32c_kernel.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix {
namespace {

namespace kernels = base::crc32c_kernels;

std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint64_t state = 0x9E3779B97F4A7C15ULL + size;
  for (char& byte : bytes) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    byte = static_cast<char>(state & 0xFFU);
  }
  return bytes;
}

std::vector<std::pair<std::string, kernels::Kernel>> usable_kernels() {
  std::vector<std::pair<std::string, kernels::Kernel>> usable = {{"table", &kernels::table}};
  if (kernels::has_sse42()) {
    usable.emplace_back("sse42", kernels::sse42);
  }
  if (kernels::has_avx512()) {
    usable.emplace_back("avx512", kernels::avx512);
  }
  if (kernels::has_armv8()) {
    usable.emplace_back("armv8", kernels::armv8);
  }
  return usable;
}

TEST(Crc32c, KnownValues) {
  // The check value of the CRC catalogue, and those of RFC 3720, B.4.
  for (const auto& [name, kernel] : usable_kernels()) {
    SCOPED_TRACE(name);
    EXPECT_EQ(kernel(nullptr, {}, "123456789", 0), 0xE3069283U);
    const std::string zeros(32, '\0');
    EXPECT_EQ(kernel(nullptr, {}, zeros, 0), 0x8A9136AAU);
    const std::string ones(32, '\xFF');
    EXPECT_EQ(kernel(nullptr, {}, ones, 0), 0x62A8AB43U);
    EXPECT_EQ(kernel(nullptr, {}, {}, 0), 0U);
    EXPECT_EQ(kernel(nullptr, {}, {}, 0x12345678U), 0x12345678U);
  }
}

TEST(Crc32c, EveryVersionEqualsTheTableAtEveryLength) {
  const std::string bytes = noise(8'000);
  for (const auto& [name, kernel] : usable_kernels()) {
    SCOPED_TRACE(name);
    for (std::size_t size = 0; size <= 1'300; ++size) {
      const std::string_view from = std::string_view(bytes).substr(size % 17, size);
      const std::uint32_t previous = static_cast<std::uint32_t>(size * 2'654'435'761U);
      ASSERT_EQ(kernel(nullptr, {}, from, previous), kernels::table(nullptr, {}, from, previous))
          << size;
    }
    // Lengths around the longest run of three chains, and several runs.
    for (std::size_t size = 3'000; size <= 7'900; size += 37) {
      const std::string_view from = std::string_view(bytes).substr(3, size);
      ASSERT_EQ(kernel(nullptr, {}, from, 7), kernels::table(nullptr, {}, from, 7)) << size;
    }
  }
}

TEST(Crc32c, CopiesItsInputAndNothingElse) {
  const std::string bytes = noise(700);
  for (const auto& [name, kernel] : usable_kernels()) {
    SCOPED_TRACE(name);
    for (std::size_t size = 0; size <= 600; ++size) {
      const std::size_t head_size = size % 47;
      const std::string_view from = std::string_view(bytes).substr(5, size);
      const std::string_view head = from.substr(0, head_size);
      const std::string_view rest = from.substr(head.size());
      std::string copy(size + 32, '#');
      ASSERT_EQ(kernel(copy.data() + 16, head, rest, 99), kernels::table(nullptr, {}, from, 99));
      ASSERT_EQ(copy, std::string(16, '#') + std::string(from) + std::string(16, '#')) << size;
      ASSERT_EQ(kernel(nullptr, head, rest, 99), kernels::table(nullptr, {}, from, 99));
    }
  }
}

TEST(Crc32c, ContinuesFromAnyCut) {
  const std::string bytes = noise(400);
  const std::string_view all = bytes;
  const std::uint32_t whole = base::crc32c(all);
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    ASSERT_EQ(base::crc32c(all.substr(cut), base::crc32c(all.substr(0, cut))), whole) << cut;
    std::string copy(all.size(), '\0');
    std::uint32_t crc = base::crc32c_copy(copy.data(), all.substr(0, cut));
    crc = base::crc32c_copy(copy.data() + cut, all.substr(cut), crc);
    ASSERT_EQ(crc, whole);
    ASSERT_EQ(copy, bytes);
  }
}

TEST(Crc32c, NamesTheVersionItUses) {
  EXPECT_EQ(usable_kernels().back().first, base::crc32c_kernel());
}

}  // namespace
}  // namespace affix
