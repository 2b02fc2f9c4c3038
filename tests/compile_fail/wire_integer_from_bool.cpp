// SPDX-License-Identifier: MIT
// A flag is `Y` or `N`, never 1 or 0.
// Expected: constraint

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.integer(43, true);
#else
  encoder.boolean(43, true);
#endif
}
