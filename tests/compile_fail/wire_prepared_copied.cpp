// SPDX-License-Identifier: MIT
// Two patchers of one storage would undo each other's checksums.
// Expected: deleted

#include "affix/wire/prepared.hpp"

#include <utility>

void take(affix::wire::PreparedMessage prepared) {
#ifdef AFFIX_EXPECT_FAILURE
  affix::wire::PreparedMessage other = prepared;
#else
  affix::wire::PreparedMessage other = std::move(prepared);
#endif
  other.set_integer(0, 1);
}
