// SPDX-License-Identifier: MIT
// A FixedVector is a value that may be copied as bytes; an element that owns memory is refused.
// Expected: constraint

#include "affix/base/fixed_vector.hpp"

#include <string>

int main() {
#ifdef AFFIX_EXPECT_FAILURE
  const affix::base::FixedVector<std::string, 4> texts;
#else
  const affix::base::FixedVector<int, 4> texts;
#endif
  return static_cast<int>(texts.size());
}
