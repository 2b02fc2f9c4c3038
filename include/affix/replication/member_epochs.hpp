// SPDX-License-Identifier: MIT
// The epochs that a member has promised, tried and seen, and the rule for the next one.
#pragma once

#include <algorithm>
#include <cstdint>

namespace affix::inline v0::replication {

/// The epochs that a Member knows of. A value without a lock; 0 stands for none.
struct MemberEpochs {
  /// The promise that is being written to the disk.
  struct Promising {
    std::uint64_t epoch = 0;     ///< 0: none.
    std::uint64_t revision = 0;  ///< Of the store's entry for which it is made.
  };

  std::uint64_t promised = 0;   ///< The node refuses every primary of a lower epoch.
  Promising promising;          ///< Not on the disk yet.
  std::uint64_t attempted = 0;  ///< The last that this process tried to lead in.
  std::uint64_t last = 0;       ///< The highest that the store's entry had.
  std::uint64_t seen = 0;       ///< The highest that other nodes have shown.
  std::uint64_t recorded = 0;   ///< The highest that the journals may have a record of.

  /// A promise is being written.
  [[nodiscard]] bool is_promising() const noexcept { return promising.epoch != 0; }

  /// The epoch to ask for next, above all of these and `others`. A promise that led to no reign may
  /// be used: the node that first writes its epoch to the store has that epoch.
  [[nodiscard]] std::uint64_t next(std::uint64_t others) const noexcept {
    return std::max(promised, 1 + std::max({last, seen, others}));
  }
};

}  // namespace affix::inline v0::replication
