// SPDX-License-Identifier: MIT
// Which of the application's messages are looked through for secrets, since only these are stored
// without them.
#pragma once

#include "affix/session/secrets.hpp"
#include "affix/wire/secret_tags.hpp"

#include <string_view>

namespace affix::inline v0::session {

/// Types that the specification leaves to counterparties begin with U: what is in them nobody
/// knows. No other type but a UserRequest has a password among its fields.
[[nodiscard]] inline TypeSecrets secrets_of(std::string_view type) noexcept {
  if (wire::carries_credentials(type)) {
    return TypeSecrets::Expected;
  }
  return type.starts_with('U') ? TypeSecrets::Possible : TypeSecrets::None;
}

}  // namespace affix::inline v0::session
