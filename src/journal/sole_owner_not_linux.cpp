// SPDX-License-Identifier: MIT
// No other system tells who has a file open: each segment gets a new one.
#include "journal/sole_owner.hpp"

namespace affix::inline v0::journal {

bool is_ours_alone(int /*file*/, std::size_t /*bytes*/) noexcept {
  return false;
}

}  // namespace affix::inline v0::journal
