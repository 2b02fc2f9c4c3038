// SPDX-License-Identifier: MIT
// Memory in pages: zeroed, aligned, and marked for the kernel as requested.
#include "affix/os/pages.hpp"

#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace affix::os {
namespace {

/// Flags of the mapping that contains `address`, in the kernel's text.
std::string flags_of(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool found = false;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    if (std::istringstream range(line); range >> std::hex >> begin >> dash >> end && dash == '-') {
      found = begin <= wanted && wanted < end;
    } else if (found && line.starts_with("VmFlags:")) {
      return line + " ";
    }
  }
  return {};
}

TEST(Pages, SizesAreWholePages) {
  EXPECT_EQ(whole_pages(1), 4096U);
  EXPECT_EQ(whole_pages(4096), 4096U);
  EXPECT_EQ(whole_pages(4097), 8192U);
  EXPECT_EQ(whole_pages(1, Pages::Huge), 2U * 1024 * 1024);
  EXPECT_EQ(whole_pages(2 * 1024 * 1024 + 1, Pages::Huge), 4U * 1024 * 1024);
  EXPECT_EQ(whole_pages(SIZE_MAX - 10), 0U);
  EXPECT_EQ(whole_pages(SIZE_MAX - 10, Pages::Huge), 0U);
}

TEST(Pages, SmallOnesAreNeverMadeHuge) {
  void* const memory = map_pages(8192, Pages::Small);
  ASSERT_NE(memory, nullptr);
  const std::string flags = flags_of(memory);
  static_cast<char*>(memory)[8191] = 'x';
  EXPECT_EQ(static_cast<char*>(memory)[0], 0);
  unmap_pages(memory, 8192);
  ASSERT_FALSE(flags.empty());
  EXPECT_EQ(flags.find(" hg "), std::string::npos) << flags;
}

TEST(Pages, HugeOnesBeginAtAMultipleAndAreAskedFor) {
  constexpr std::size_t bytes = 4 * 1024 * 1024;
  // Several, since the system's choice of a mapping's address varies.
  for (int round = 0; round < 5; ++round) {
    auto* const memory = static_cast<char*>(map_pages(bytes, Pages::Huge));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % bytes_of(Pages::Huge), 0U);
    memory[0] = 'a';
    memory[bytes - 1] = 'z';
    EXPECT_EQ(memory[bytes / 2], 0);
    const std::string flags = flags_of(memory);
    std::ifstream mode("/sys/kernel/mm/transparent_hugepage/enabled");
    if (mode.good()) {
      EXPECT_NE(flags.find(" hg "), std::string::npos) << flags;
    }
    unmap_pages(memory, bytes);
    EXPECT_TRUE(flags_of(memory).empty() || flags_of(memory).find(" hg ") == std::string::npos);
  }
}

TEST(Pages, MoreThanThereIsIsRefused) {
  EXPECT_EQ(
      map_pages(SIZE_MAX - SIZE_MAX % bytes_of(Pages::Huge) - bytes_of(Pages::Huge), Pages::Huge),
      nullptr);
  EXPECT_EQ(map_pages(std::size_t{1} << 60U, Pages::Small), nullptr);
}

}  // namespace
}  // namespace affix::os
