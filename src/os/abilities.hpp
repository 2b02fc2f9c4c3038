// SPDX-License-Identifier: MIT
// The abilities that some systems lack, so that a configuration which asks for one is refused by
// name.
#pragma once

#include <string_view>

namespace affix::inline v0::os {

struct Abilities {
  std::string_view system;  ///< As its users call it.
  bool pins_threads = false;
  bool has_huge_pages = false;
  bool has_numa_nodes = false;
  /// A socket of this machine passes descriptors in whole messages, from a process that it names.
  bool passes_descriptors = false;
  /// The kernel tells when bytes came and left (SO_TIMESTAMPING).
  bool stamps_bytes = false;
  bool acknowledges_at_once = false;  ///< TCP_QUICKACK.
  bool polls_cards = false;           ///< SO_BUSY_POLL.
};

/// Of the system that this was compiled for.
[[nodiscard]] const Abilities& abilities() noexcept;

}  // namespace affix::inline v0::os
