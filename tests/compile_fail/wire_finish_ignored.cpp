// SPDX-License-Identifier: MIT
// finish() tells whether there is a message at all; its answer cannot be dropped.
// Expected: ignoring

#pragma GCC diagnostic error "-Wunused-result"

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.finish();
#else
  static_cast<void>(encoder.finish());
#endif
}
