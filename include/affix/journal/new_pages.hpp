// SPDX-License-Identifier: MIT
// How the pages of new segments are made present.
#pragma once

#include <cstdint>

namespace affix::inline v0::journal {

/// How the preparing thread makes pages of a new segment present and writable. Segments with
/// Durability::Group always use page faults, those with Sync and Memory have no such pages.
enum class NewPages : std::uint8_t {
  Written,  ///< Zeros are written to the file first, so that the system allocates memory in blocks.
  Faulted,  ///< By page faults alone.
};

}  // namespace affix::inline v0::journal
