// SPDX-License-Identifier: MIT
// Linux has all of them.
#include "os/abilities.hpp"

namespace affix::inline v0::os {

const Abilities& abilities() noexcept {
  static constexpr Abilities linux_abilities{.system = "Linux",
                                             .pins_threads = true,
                                             .has_huge_pages = true,
                                             .has_numa_nodes = true,
                                             .passes_descriptors = true,
                                             .stamps_bytes = true,
                                             .acknowledges_at_once = true,
                                             .polls_cards = true};
  return linux_abilities;
}

}  // namespace affix::inline v0::os
