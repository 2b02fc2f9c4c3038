// SPDX-License-Identifier: MIT
// A tag that only running knows costs its rendering, so it is asked for by name.
// Expected: constant

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder, std::uint32_t tag) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.text(tag, "IBM");
#else
  encoder.text(affix::wire::Tag::of(tag), "IBM");
#endif
}
