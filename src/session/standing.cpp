// SPDX-License-Identifier: MIT
// Names of a session's states.
#include "affix/session/standing.hpp"

namespace affix::inline v0::session {

const char* to_text(SessionStanding standing) noexcept {
  switch (standing) {
    case SessionStanding::Disconnected:
      return "disconnected";
    case SessionStanding::Connected:
      return "connected";
    case SessionStanding::LoggedOn:
      return "logged on";
    case SessionStanding::LoggingOut:
      return "logging out";
    case SessionStanding::Disabled:
      return "disabled";
  }
  return "unknown";
}

}  // namespace affix::inline v0::session
