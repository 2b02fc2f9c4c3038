// SPDX-License-Identifier: MIT
// An integer field accepts only integers; nothing is truncated silently.
// Expected: constraint

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.integer(38, 100.5);
#else
  encoder.integer(38, 100);
#endif
}
