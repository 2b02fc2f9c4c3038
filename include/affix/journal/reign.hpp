// SPDX-License-Identifier: MIT
// The failover group's leaders as a journal has recorded them. Decides nothing.
#pragma once

#include "affix/journal/record.hpp"

#include <cstdint>

namespace affix::inline v0::journal {

/// A journal's knowledge of the nodes that led its session's failover group.
struct Reign {
  std::uint64_t epoch = 0;    ///< The last one with a record here; 0: none.
  Position at;                ///< Of that record; not valid if there is none.
  std::uint64_t skip_to = 0;  ///< For Journal::skip_to_reserve(), since lead(); 0: no reserve.

  /// `record`, which is stored at `place`, begins an epoch if it is an event that says so, and that
  /// epoch is greater than the present one.
  void note(const Record& record, Position place) noexcept {
    if (const auto begun = epoch_of(record); begun && *begun > epoch) {
      epoch = *begun;
      at = place;
    }
  }
};

}  // namespace affix::inline v0::journal
