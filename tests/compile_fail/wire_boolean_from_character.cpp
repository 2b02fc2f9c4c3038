// SPDX-License-Identifier: MIT
// 'N' is not a bool: it would be true, and be sent as Y.
// Expected: constraint

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.boolean(43, 'N');
#else
  encoder.boolean(43, false);
#endif
}
