// SPDX-License-Identifier: MIT
// Distinguishes session messages from application messages, and recognises rejects.
#pragma once

#include "affix/wire/msg_type.hpp"

#include <cstdint>

namespace affix::inline v0::session {

/// Heartbeat, TestRequest, ResendRequest, Reject, SequenceReset, Logout, Logon: `0` to `5` and `A`,
/// in every version. Gap-filled instead of resent, and delivered with `admin` set.
[[nodiscard]] constexpr bool is_admin(const wire::MsgType& type) noexcept {
  const std::uint64_t word = type.word();
  return type.packed() && ((word >= '0' && word <= '5') || word == 'A');
}

/// Reject (3) and BusinessMessageReject (j), in every version. Neither is answered by a reject: two
/// sides that reject each other's rejects would never end.
[[nodiscard]] constexpr bool is_reject(const wire::MsgType& type) noexcept {
  return type.packed() && (type.word() == '3' || type.word() == 'j');
}

}  // namespace affix::inline v0::session
