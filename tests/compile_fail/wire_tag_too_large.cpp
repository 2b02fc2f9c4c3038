// SPDX-License-Identifier: MIT
// Tags are limited to FIX's int.
// Expected: invalid

#include "affix/wire/tag.hpp"

#ifdef AFFIX_EXPECT_FAILURE
constexpr affix::wire::Tag tag = 2'147'483'648U;
#else
constexpr affix::wire::Tag tag = 2'147'483'647U;
#endif

int main() {
  return static_cast<int>(tag.text_size() & 1);
}
