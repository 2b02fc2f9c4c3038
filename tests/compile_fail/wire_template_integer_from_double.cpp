// SPDX-License-Identifier: MIT
// A constant header field is an integer, not a truncated floating point number.
// Expected: constraint

#include "affix/wire/encoder.hpp"

void write(affix::wire::HeaderTemplate& header) {
#ifdef AFFIX_EXPECT_FAILURE
  header.integer(369, 1.5);
#else
  header.integer(369, 1);
#endif
}
