// SPDX-License-Identifier: MIT
// A tag known only at run time must be rendered, so it has its own function.
// Expected: constant

#include "affix/wire/encoder.hpp"

void write(affix::wire::Encoder& encoder, std::uint32_t tag) {
#ifdef AFFIX_EXPECT_FAILURE
  encoder.text(tag, "IBM");
#else
  encoder.text(affix::wire::Tag::of(tag), "IBM");
#endif
}
