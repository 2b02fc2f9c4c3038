// SPDX-License-Identifier: MIT
// An array whose last character is a digit is no literal: the digit would be lost.
// Expected: text_is_no_decimal

#include "affix/messages/strong_types.hpp"

affix::messages::Price make() {
#ifdef AFFIX_EXPECT_FAILURE
  constexpr char text[2] = {'1', '5'};
#else
  constexpr char text[3] = {'1', '5', '\0'};
#endif
  return affix::messages::Price(text);
}
