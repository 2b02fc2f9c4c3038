// SPDX-License-Identifier: MIT
// A tag is a number; value and tag cannot be given in the wrong order.
// Expected: no

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.text("55", "IBM");
#else
  encoder.text(55, "IBM");
#endif
}
