// SPDX-License-Identifier: MIT
// huge_pages: working memory of a session and its connection uses huge pages if configured,
// otherwise never.
#include "support/engine_case.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace affix::support {
namespace {

/// The kernel's figures of this process's memory.
struct Memory {
  std::size_t asked_kib = 0;  ///< In mappings for which huge pages were requested.
  std::size_t huge_kib = 0;   ///< Actually in huge pages.
};

Memory memory_now() {
  std::ifstream maps("/proc/self/smaps");
  Memory memory;
  std::size_t size_kib = 0;
  std::string line;
  while (std::getline(maps, line)) {
    std::istringstream words(line);
    std::string name;
    std::size_t kib = 0;
    words >> name;
    if (name == "Size:" && words >> kib) {
      size_kib = kib;
    } else if (name == "AnonHugePages:" && words >> kib) {
      memory.huge_kib += kib;
    } else if (name == "VmFlags:" && (line + " ").find(" hg ") != std::string::npos) {
      memory.asked_kib += size_kib;
    }
  }
  return memory;
}

bool kernel_gives_some() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string mode;
  std::getline(file, mode);
  return mode.find("[always]") != std::string::npos || mode.find("[madvise]") != std::string::npos;
}

std::unique_ptr<Pair> pair_with(bool huge) {
  return std::make_unique<Pair>("FIX.4.4", [huge](config::Configuration& configuration) {
    configuration.engine.huge_pages = huge;
  });
}

void trade(Pair& pair) {
  ASSERT_TRUE(pair.log_on());
  for (int order = 0; order < 50; ++order) {
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(order)).sent());
  }
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.ids().size() == 50; }));
}

TEST(EngineHugePages, AreNotAskedForUnlessTheKeySaysSo) {
  const auto owned = pair_with(false);
  Pair& pair = *owned;
  trade(pair);
  EXPECT_EQ(memory_now().asked_kib, 0U);
  EXPECT_FALSE(pair.venue_application.heard_code("E105"));
}

TEST(EngineHugePages, AreUnderTheMemoryOfSessionsAtWork) {
  if (!kernel_gives_some()) {
    GTEST_SKIP() << "transparent_hugepage of this kernel is never, or not there";
  }
  const Memory before = memory_now();
  const auto owned = pair_with(true);
  Pair& pair = *owned;
  trade(pair);
  const Memory after = memory_now();
  EXPECT_GT(after.asked_kib, before.asked_kib);
  if (after.huge_kib == before.huge_kib) {
    GTEST_SKIP() << "the kernel has no huge page free";
  }
  // The buffers of both sides are.
  EXPECT_GE(after.huge_kib - before.huge_kib, 2U * 2'048);
}

TEST(EngineHugePages, WhereTheKernelGivesNoneTheLogSaysSoAndTradingGoesOn) {
  const auto owned = pair_with(true);
  Pair& pair = *owned;
  trade(pair);
  EXPECT_EQ(pair.venue_application.heard_code("E105"), !kernel_gives_some());
}

}  // namespace
}  // namespace affix::support
