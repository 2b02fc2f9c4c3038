// SPDX-License-Identifier: MIT
// Copies messages with a mask in place of every secret value: of the tags in the wire layer's table
// (affix/wire/secret_tags.hpp), in every message type, and of further fields that a session's
// options name.
#pragma once

#include "affix/wire/index.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/secret_tags.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Tags with secret values in every message, in addition to the wire layer's table. A view of the
/// caller's memory.
using SecretTags = std::span<const std::uint32_t>;

/// Shows whether a message type can contain values that must not be stored in the journal.
enum class TypeSecrets : std::uint8_t {
  None,
  Possible,  ///< Depends on its fields.
  Expected,
};

/// True if any field is secret. Compares the message's tags with each secret tag.
[[nodiscard]] bool holds_secret(const wire::MessageView& message, SecretTags further) noexcept;

/// True if any secret field has a mask in place of its value, as in a copy without secrets.
[[nodiscard]] bool holds_mask(const wire::MessageView& message, SecretTags further) noexcept;

/// Does the same as holds_secret() for a message without an index, or a run of fields, with the
/// table's tags only. Fields inside a data field count. One pass.
[[nodiscard]] bool holds_secret(std::string_view message) noexcept;

/// Copies a message into `copy` with wire::secret_mask in place of secret values, and corrects
/// BodyLength, CheckSum and the length fields of masked data fields: the copy is a valid message,
/// shows neither a secret nor its length, and is no longer than the original. Empty if `copy` is
/// smaller than the message or the index is incomplete. No allocation. `copy` must not overlap the
/// message.
[[nodiscard]] std::string_view copy_without_secrets(
    const wire::MessageView& message, std::span<char> copy, SecretTags further,
    const wire::DataFields& data_fields = wire::DataFields::standard()) noexcept;

/// Does the same for a message without an index that our encoder or a framer found complete.
[[nodiscard]] std::string_view copy_without_secrets(std::string_view message, std::span<char> copy,
                                                    SecretTags further,
                                                    const wire::DataFields& data_fields) noexcept;

}  // namespace affix::inline v0::session
