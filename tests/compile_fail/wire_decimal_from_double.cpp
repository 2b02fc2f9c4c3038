// SPDX-License-Identifier: MIT
// Prices are exact decimals: a binary floating point number is not accepted.
// Expected: double

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.decimal(44, 1.5);
#else
  encoder.decimal(44, {15, -1});
#endif
}
