// SPDX-License-Identifier: MIT
// Assertions for faults of affix itself: broken invariants, never anything a peer, an operator or a
// file can cause. AFFIX_ASSERT is active in release builds; AFFIX_DEBUG_ASSERT is for byte loops
// and is removed with NDEBUG.
#pragma once

namespace affix::inline v0::base {

/// Writes the failed condition and its place to standard error and aborts. Never returns or
/// allocates.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace affix::inline v0::base

#define AFFIX_ASSERT(condition)                      \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::affix::base::assertion_failed(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define AFFIX_DEBUG_ASSERT(condition) static_cast<void>(0)
#else
#define AFFIX_DEBUG_ASSERT(condition) AFFIX_ASSERT(condition)
#endif
