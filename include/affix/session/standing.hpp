// SPDX-License-Identifier: MIT
// The state of a session as seen by threads other than its worker's.
#pragma once

#include <cstdint>

namespace affix::inline v0::session {

/// State of a session: SessionHandle::standing(), and SessionCounter::State of its counters.
enum class SessionStanding : std::uint8_t {
  Disconnected,
  Connected,  ///< No Logon was accepted yet.
  LoggedOn,
  LoggingOut,  ///< A Logout is under way, or the connection closes.
  Disabled,    ///< Disconnected until it is enabled again.
};

/// Returns the state in words: "logged on". Static storage.
[[nodiscard]] const char* to_text(SessionStanding standing) noexcept;

}  // namespace affix::inline v0::session
