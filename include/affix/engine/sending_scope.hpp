// SPDX-License-Identifier: MIT
// Scope of a command to stop or resume sending: a session, an instance or the whole engine.
#pragma once

#include <string_view>

namespace affix::inline v0::engine {

/// One session, all sessions of an instance, or, if both are empty, the whole engine. Views.
struct SendingScope {
  std::string_view instance{};  ///< Name of a client or server group.
  std::string_view session{};   ///< Name of a session of that instance.
};

}  // namespace affix::inline v0::engine
