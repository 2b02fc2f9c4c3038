// SPDX-License-Identifier: MIT
// The table of tags with secret values, and the mask for such a value. Used by the session, the
// journal, the log, the tools and the monitor's pages.
#pragma once

#include "affix/wire/msg_type.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Password, NewPassword, EncryptedPassword, EncryptedNewPassword: secret in every message
/// type.
inline constexpr std::array<std::uint32_t, 4> secret_tags{554, 925, 1402, 1404};

/// RawData: secret only in the types of carries_credentials(), where it has a signature or a
/// password.
inline constexpr std::uint32_t credential_data_tag = 96;

/// Replaces every secret value that is not empty. One character, like the shortest value, so that
/// it neither reveals the length nor makes a message longer.
inline constexpr std::string_view secret_mask = "*";

/// Logon (A) and UserRequest (BE): types for sending credentials.
[[nodiscard]] constexpr bool carries_credentials(const MsgType& type) noexcept {
  return type == MsgType("A") || type == MsgType("BE");
}

/// True if the value of `tag` is secret in a message of `type`.
[[nodiscard]] constexpr bool is_secret_tag(std::uint32_t tag, const MsgType& type) noexcept {
  return std::find(secret_tags.begin(), secret_tags.end(), tag) != secret_tags.end() ||
         (tag == credential_data_tag && carries_credentials(type));
}

}  // namespace affix::inline v0::wire
