// SPDX-License-Identifier: MIT
// A character is not a number: '1' would be written as 49.
// Expected: constraint

#include "affix/wire/view.hpp"

bool read(const affix::wire::MessageView& view) {
#ifdef AFFIX_EXPECT_FAILURE
  return view.integer<char>(54).has_value();
#else
  return view.character(54).has_value();
#endif
}
