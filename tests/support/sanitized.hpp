// SPDX-License-Identifier: MIT
// Whether the address or the thread sanitizer watches this build: its own memory and its own page
// faults stand beside those that a test counts.
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
