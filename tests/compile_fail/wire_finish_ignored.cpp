// SPDX-License-Identifier: MIT
// finish() reports whether there is a message; its result cannot be ignored.
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
