// SPDX-License-Identifier: MIT
// The preparation of a ring in memory, for tests in which the writer itself prepares.
#pragma once

#include "affix/journal/journal.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace affix::journal_test {

inline constexpr std::uint64_t kib = 1024;

inline void prepare(journal::Journal& journal) {
  if (journal.needs_preparation()) {
    ASSERT_TRUE(journal.prepare());
  }
}

}  // namespace affix::journal_test
