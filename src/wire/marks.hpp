// SPDX-License-Identifier: MIT
// The marks of an index's tags, for kernels that do not make them along with the tags. Baseline
// code that is always inlined, so that no kernel's instructions leak into another.
#pragma once

#include "affix/wire/index.hpp"

#include <cstdint>
#include <cstring>

namespace affix::inline v0::wire {

/// Fills FieldIndex::marks for `count` fields whose tags are stored.
[[gnu::always_inline]] inline void mark_each_tag(const FieldIndex& index,
                                                 std::uint32_t count) noexcept {
  for (std::uint32_t position = 0; position < count; ++position) {
    index.marks[position] = static_cast<std::uint8_t>(index.tags[position]);
  }
  std::memset(index.marks + count, 0, FieldIndex::mark_step);
}

}  // namespace affix::inline v0::wire
