// SPDX-License-Identifier: MIT
// Copies of messages for the journal with the values of secret fields overwritten: passwords in
// Logon and UserRequest, and whatever fields a session's options name, in every message.
#pragma once

#include "affix/wire/index.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Tags whose values are secret in every message, beside those that always are in the types below;
/// views the caller's memory.
using SecretTags = std::span<const std::uint32_t>;

/// Logon and UserRequest (35=BE): their 554, 925, 96, 1402 and 1404 are secret.
[[nodiscard]] constexpr bool is_secret_type(const wire::MsgType& type) noexcept {
  return type == wire::MsgType("A") || type == wire::MsgType("BE");
}

/// Whether any field of the message is secret. O(fields), once for each tag.
[[nodiscard]] bool holds_secret(const wire::MessageView& message, SecretTags further) noexcept;

/// Copies a whole message into `copy` with the values of its secret fields overwritten by `*` and
/// the checksum made right again; a value that is a data field's is overwritten whole. Empty when
/// it does not fit or the index is not whole.
[[nodiscard]] std::string_view copy_without_secrets(const wire::MessageView& message,
                                                    std::span<char> copy,
                                                    SecretTags further) noexcept;

/// The same for a message without an index, which an encoder of ours or a framer has found whole.
[[nodiscard]] std::string_view copy_without_secrets(std::string_view message, std::span<char> copy,
                                                    SecretTags further,
                                                    const wire::DataFields& data_fields) noexcept;

}  // namespace affix::inline v0::session
