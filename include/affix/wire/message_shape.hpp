// SPDX-License-Identifier: MIT
// The tags of one message, in order: what tells a message that is built as that one was. The
// messages of a session are built in few ways, so what was worked out for one holds for the next.
#pragma once

#include "affix/wire/index.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace affix::inline v0::wire {

/// Holds the tags of a message of up to `FieldsMax` fields, and of none at first. A value of 4
/// bytes a field; for one thread while it is changed.
template <std::uint32_t FieldsMax>
class MessageShape {
 public:
  /// Longer messages have no shape.
  static constexpr std::uint32_t fields_max = FieldsMax;
  static_assert(FieldsMax % 16 == 0);  // has_tags_and_values() reads so far.

  /// Whether the fields of `index` have these tags, in this order, and each a value. About 2 ns.
  [[nodiscard]] bool is_of(const FieldIndex& index) const noexcept {
    return count_ == index.count && has_tags_and_values(index, tags_.data());
  }

  /// Takes the tags of `index`, or those of no message if it has none or too many fields.
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
