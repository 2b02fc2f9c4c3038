// SPDX-License-Identifier: MIT
// The cold path of a failed assertion.
#include "affix/base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace affix::inline v0::base {

void assertion_failed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "affix: assertion failed: %s (%s:%d) [P133]\n", condition, file, line);
  std::abort();
}

}  // namespace affix::inline v0::base
