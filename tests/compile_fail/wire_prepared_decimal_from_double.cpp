// SPDX-License-Identifier: MIT
// A patched price is an exact decimal.
// Expected: double

#include "affix/wire/prepared.hpp"

void write(affix::wire::PreparedMessage& message) {
#ifdef AFFIX_EXPECT_FAILURE
  message.set_decimal(0, {10.5, -1});
#else
  message.set_decimal(0, {105, -1});
#endif
}
