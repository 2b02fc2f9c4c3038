// SPDX-License-Identifier: MIT
// Shows whether the address or the thread sanitizer is in this build: its own memory and page
// faults add to those that a test counts.
#pragma once

namespace affix::support {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace affix::support
