// SPDX-License-Identifier: MIT
// The sequence of tags of one message, for detecting messages with the same structure. A session
// receives few structures, so that results computed for one message hold for the next.
#pragma once

#include "affix/wire/index.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace affix::inline v0::wire {

/// Holds the tags of a message of up to `FieldsMax` fields; initially empty. A value type of 4
/// bytes per field; only one thread may change it.
template <std::uint32_t FieldsMax>
class MessageShape {
 public:
  /// Longer messages match no shape.
  static constexpr std::uint32_t fields_max = FieldsMax;
  static_assert(FieldsMax % 16 == 0);  // has_tags_and_values() reads up to a multiple of sixteen.

  /// True if `index` has exactly these tags in this order, each with a value. About 2 ns.
  [[nodiscard]] bool is_of(const FieldIndex& index) const noexcept {
    return count_ == index.count && has_tags_and_values(index, tags_.data());
  }

  /// Stores the tags of `index`; matches nothing if it has no fields or too many.
  void remember(const FieldIndex& index) noexcept {
    count_ = index.count == 0 || index.count > FieldsMax ? no_count : index.count;
    if (count_ != no_count) {
      std::memcpy(tags_.data(), index.tags, count_ * sizeof(std::uint32_t));
    }
  }

 private:
  static constexpr std::uint32_t no_count = 0xFFFF'FFFF;

  std::uint32_t count_ = no_count;
  alignas(16) std::array<std::uint32_t, FieldsMax> tags_{};
};

}  // namespace affix::inline v0::wire
