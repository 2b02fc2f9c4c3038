// SPDX-License-Identifier: MIT
// No FIX tag is 0: a constant one does not compile.
// Expected: invalid

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.text(0, "IBM");
#else
  encoder.text(1, "IBM");
#endif
}
