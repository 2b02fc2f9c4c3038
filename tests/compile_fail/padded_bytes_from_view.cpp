// SPDX-License-Identifier: MIT
// PaddedBytes promises readable memory behind its end; a view does not, so the caller must say it.
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
