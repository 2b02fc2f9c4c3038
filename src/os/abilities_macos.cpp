// SPDX-License-Identifier: MIT
// macOS pins no threads, has no advice about huge pages, and its local sockets have no messages
// that name their sender.
#include "os/abilities.hpp"

namespace affix::inline v0::os {

const Abilities& abilities() noexcept {
  static constexpr Abilities macos_abilities{.system = "macOS"};
  return macos_abilities;
}

}  // namespace affix::inline v0::os
