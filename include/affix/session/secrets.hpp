// SPDX-License-Identifier: MIT
// Copies of messages with a mask in the place of every secret value: of the tags in the wire
// layer's table (affix/wire/secret_tags.hpp), in every type of message, and of whatever fields a
// session's options name.
#pragma once

#include "affix/wire/index.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/secret_tags.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

/// Tags whose values are secret in every message, beside those of the wire layer's table; views the
/// caller's memory.
using SecretTags = std::span<const std::uint32_t>;

/// Whether a type of message has something that the journal may not have.
enum class TypeSecrets : std::uint8_t {
  None,
  Possible,  ///< Its fields say.
  Expected,
};

/// Whether any field of the message is secret. A comparison of its tags with each secret tag.
[[nodiscard]] bool holds_secret(const wire::MessageView& message, SecretTags further) noexcept;

/// The same for a message without an index, or a run of fields, and the tags of the table only.
/// What stands inside a data field counts as a field. One pass.
[[nodiscard]] bool holds_secret(std::string_view message) noexcept;

/// Copies a whole message into `copy` with wire::secret_mask for each of its secret values, and
/// BodyLength, CheckSum and the length fields of masked data fields made right again: the copy is a
/// whole message that tells neither a secret nor its length, and no longer than its message. Empty
/// when `copy` is smaller than the message or the index is not whole. No allocation; `copy` does
/// not overlap the message.
[[nodiscard]] std::string_view copy_without_secrets(
    const wire::MessageView& message, std::span<char> copy, SecretTags further,
    const wire::DataFields& data_fields = wire::DataFields::standard()) noexcept;

/// The same for a message without an index, which an encoder of ours or a framer has found whole.
[[nodiscard]] std::string_view copy_without_secrets(std::string_view message, std::span<char> copy,
                                                    SecretTags further,
                                                    const wire::DataFields& data_fields) noexcept;

}  // namespace affix::inline v0::session
