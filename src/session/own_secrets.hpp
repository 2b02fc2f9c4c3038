// SPDX-License-Identifier: MIT
// Decides which application messages are searched for secrets; all others are stored as they
// are.
#pragma once

#include "affix/session/secrets.hpp"
#include "affix/wire/secret_tags.hpp"

#include <string_view>

namespace affix::inline v0::session {

/// Types that begin with U are defined by counterparties, so any of their fields may be secret. Of
/// the other types only UserRequest has a password field.
[[nodiscard]] inline TypeSecrets secrets_of(std::string_view type) noexcept {
  if (wire::carries_credentials(type)) {
    return TypeSecrets::Expected;
  }
  return type.starts_with('U') ? TypeSecrets::Possible : TypeSecrets::None;
}

}  // namespace affix::inline v0::session
