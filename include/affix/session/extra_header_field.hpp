// SPDX-License-Identifier: MIT
// Header fields of one message beyond those that the session writes: routing by message, PossResend
// and the like.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

/// A view; what it views lives until the message is begun. `value` is not empty and holds no SOH,
/// `tag` is above 0 and none that the session writes itself (8, 9, 34, 35, 49, 52, 56, and what the
/// options set), or the message is faulty.
struct ExtraHeaderField {
  std::uint32_t tag = 0;
  std::string_view value;
};

}  // namespace affix::inline v0::session
