// SPDX-License-Identifier: MIT
// The encoder writes, so a constant buffer is refused.
// Expected: no

#include "affix/wire/encoder.hpp"

#include <array>

std::size_t size_in(std::array<char, 256>& buffer) {
#ifdef AFFIX_EXPECT_FAILURE
  const std::array<char, 256>& bytes = buffer;
#else
  std::array<char, 256>& bytes = buffer;
#endif
  return affix::wire::Encoder(bytes).size();
}
