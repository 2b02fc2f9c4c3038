// SPDX-License-Identifier: MIT
// Header fields of one message in addition to those that the session writes: routing per message,
// PossResend and so on.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::session {

/// A view, valid until the message is begun. `value` must not be empty or contain SOH; `tag` must
/// be above 0 and none that the session writes (8, 9, 34, 35, 49, 52, 56, and those that the
/// options set), otherwise the message is refused.
struct ExtraHeaderField {
  std::uint32_t tag = 0;
  std::string_view value;
};

}  // namespace affix::inline v0::session
