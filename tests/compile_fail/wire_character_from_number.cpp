// SPDX-License-Identifier: MIT
// The number 2 is not the character '2'.
// Expected: constraint

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.character(40, 2);
#else
  encoder.character(40, '2');
#endif
}
