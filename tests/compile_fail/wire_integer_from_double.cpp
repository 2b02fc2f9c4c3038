// SPDX-License-Identifier: MIT
// An integer field takes integers only; nothing is cut off in silence.
// Expected: constraint

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.integer(38, 100.5);
#else
  encoder.integer(38, 100);
#endif
}
