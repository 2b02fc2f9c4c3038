// SPDX-License-Identifier: MIT
// Which messages are the session's own and not the application's, and which are rejects.
#pragma once

#include "affix/wire/msg_type.hpp"

#include <cstdint>

namespace affix::inline v0::session {

/// Heartbeat, TestRequest, ResendRequest, Reject, SequenceReset, Logout, Logon: `0` to `5` and `A`,
/// in every version. Never resent but gap-filled, and delivered marked `admin`.
[[nodiscard]] constexpr bool is_admin(const wire::MsgType& type) noexcept {
  const std::uint64_t word = type.word();
  return type.packed() && ((word >= '0' && word <= '5') || word == 'A');
}

/// Reject (3) and BusinessMessageReject (j), in every version. No reject answers one of them: two
/// sides that refuse each other's rejects would never end.
[[nodiscard]] constexpr bool is_reject(const wire::MsgType& type) noexcept {
  return type.packed() && (type.word() == '3' || type.word() == 'j');
}

}  // namespace affix::inline v0::session
