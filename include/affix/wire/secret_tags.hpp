// SPDX-License-Identifier: MIT
// The one table of tags whose values are secrets, and the text that stands for such a value. The
// session, the journal, the log, the tools and the monitor's pages all go by it.
#pragma once

#include "affix/wire/msg_type.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Password, NewPassword, EncryptedPassword, EncryptedNewPassword: secret in every message,
/// whatever its type.
inline constexpr std::array<std::uint32_t, 4> secret_tags{554, 925, 1402, 1404};

/// RawData: secret in the types of carries_credentials() only, where it holds a signature or a
/// password; elsewhere it is any data.
inline constexpr std::uint32_t credential_data_tag = 96;

/// Stands for every secret value that is not empty. It is one character long, as the shortest value
/// is, so that it neither tells the length of what it hides nor lengthens a message.
inline constexpr std::string_view secret_mask = "*";

/// Logon (A) and UserRequest (BE): the types that exist to carry credentials.
[[nodiscard]] constexpr bool carries_credentials(const MsgType& type) noexcept {
  return type == MsgType("A") || type == MsgType("BE");
}

/// Whether the value of `tag` is secret in a message of `type`.
[[nodiscard]] constexpr bool is_secret_tag(std::uint32_t tag, const MsgType& type) noexcept {
  return std::find(secret_tags.begin(), secret_tags.end(), tag) != secret_tags.end() ||
         (tag == credential_data_tag && carries_credentials(type));
}

}  // namespace affix::inline v0::wire
