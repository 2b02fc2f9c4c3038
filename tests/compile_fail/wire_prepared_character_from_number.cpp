// SPDX-License-Identifier: MIT
// In a prepared message, too, the number 2 is not the character '2'.
// Expected: constraint

#include "affix/wire/prepared.hpp"

void write(affix::wire::PreparedMessage& message) {
#ifdef AFFIX_EXPECT_FAILURE
  message.set_character(0, 2);
#else
  message.set_character(0, '2');
#endif
}
