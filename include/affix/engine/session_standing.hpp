// SPDX-License-Identifier: MIT
// How a session stands, for those who are not on its worker's thread.
#pragma once

#include <cstdint>

namespace affix::inline v0::engine {

/// How a session stands: SessionHandle::standing(), and SessionCounter::State of its counters.
enum class SessionStanding : std::uint8_t {
  Disconnected,
  Connected,  ///< No Logon has been accepted yet.
  LoggedOn,
  LoggingOut,  ///< A Logout is on its way.
  Disabled,    ///< Disconnected, and to stay so until it is enabled.
};

/// In words: "logged on". Static storage.
[[nodiscard]] const char* to_text(SessionStanding standing) noexcept;

}  // namespace affix::inline v0::engine
