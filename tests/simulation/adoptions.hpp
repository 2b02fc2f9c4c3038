// SPDX-License-Identifier: MIT
// Connections that killed processes left, and what became of them: continued, or closed for a
// reason that is allowed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace affix::simulation {

/// Of one history, or of many.
struct Adoptions {
  std::uint64_t continued = 0;
  std::map<std::string, std::uint64_t> refused;  ///< By reason.
  std::uint64_t ended = 0;  ///< Processes killed with their keeper, or none: ended as ever.

  void add(const Adoptions& other) {
    continued += other.continued;
    ended += other.ended;
    for (const auto& [reason, count] : other.refused) {
      refused[reason] += count;
    }
  }
};

}  // namespace affix::simulation
