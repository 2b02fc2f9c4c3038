// SPDX-License-Identifier: MIT
// Advice of Linux 5.14, which older C libraries do not name: makes pages present at once.
#pragma once

#include <sys/mman.h>

namespace affix::inline v0::journal {

/// For madvise(): reads the pages from the disk.
inline constexpr int advice_populate_read = 22;

/// For madvise(): makes the pages writable without a fault.
inline constexpr int advice_populate_write = 23;

#ifdef MADV_POPULATE_READ
static_assert(advice_populate_read == MADV_POPULATE_READ);
static_assert(advice_populate_write == MADV_POPULATE_WRITE);
#endif

}  // namespace affix::inline v0::journal
