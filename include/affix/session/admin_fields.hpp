// SPDX-License-Identifier: MIT
// Interface by which an application adds fields to the session messages that the session writes:
// signatures in a Logon, texts in a Logout. A function pointer and its context.
#pragma once

#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <string_view>

namespace affix::inline v0::session {

/// Maximum total size of the fields added to one session message. With the session's own fields it
/// bounds the bytes that one input can produce.
inline constexpr std::size_t admin_fields_bytes_max = 1024;

/// Adds fields after the session's own in a message of this MsgType. Must not call the session. If
/// a field cannot be encoded or does not fit, all added fields are left out, and the message is
/// sent without them.
using AddFieldsFunction = void (*)(void* context, std::string_view type,
                                   wire::Encoder& message) noexcept;

struct AdminFields {
  AddFieldsFunction function = nullptr;
  void* context = nullptr;

  [[nodiscard]] explicit operator bool() const noexcept { return function != nullptr; }
};

}  // namespace affix::inline v0::session
