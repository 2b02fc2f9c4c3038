// SPDX-License-Identifier: MIT
// Which sessions a word about sending is for: one, those of an instance, or all of an engine.
#pragma once

#include <string_view>

namespace affix::inline v0::engine {

/// A session, all of an instance, or with neither the whole engine. Views.
struct SendingScope {
  std::string_view instance{};  ///< A client's or server's group.
  std::string_view session{};   ///< Of that instance.
};

}  // namespace affix::inline v0::engine
