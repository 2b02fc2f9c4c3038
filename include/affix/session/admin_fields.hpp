// SPDX-License-Identifier: MIT
// The door through which an application adds fields to the session messages that the session
// writes: signatures in a Logon, texts in a Logout. A function pointer and its context.
#pragma once

#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <string_view>

namespace affix::inline v0::session {

/// What the fields added to one session message may have together. Together with the session's own
/// fields of a message this bounds what an input can make it send.
inline constexpr std::size_t admin_fields_bytes_max = 1024;

/// Adds fields behind those the session has written into a message of this MsgType. Calls nothing
/// of the session. Fields that cannot be encoded, or do not fit, are left out together, and the
/// message goes out without them.
using AddFieldsFunction = void (*)(void* context, std::string_view type,
                                   wire::Encoder& message) noexcept;

struct AdminFields {
  AddFieldsFunction function = nullptr;
  void* context = nullptr;

  [[nodiscard]] explicit operator bool() const noexcept { return function != nullptr; }
};

}  // namespace affix::inline v0::session
