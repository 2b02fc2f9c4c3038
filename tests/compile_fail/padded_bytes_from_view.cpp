// SPDX-License-Identifier: MIT
// PaddedBytes needs readable memory after its end; a view has none, so the caller must state it.
// Expected: PaddedBytes

#include "affix/base/bytes.hpp"

#include <string_view>

int main() {
  constexpr std::string_view text = "8=FIX.4.4";
#ifdef AFFIX_EXPECT_FAILURE
  const affix::base::PaddedBytes bytes = text;
#else
  const affix::base::PaddedBytes bytes{text};
#endif
  return bytes.size == text.size() ? 0 : 1;
}
