// SPDX-License-Identifier: MIT
// Which messages are the session's own, and not the application's.
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

}  // namespace affix::inline v0::session
