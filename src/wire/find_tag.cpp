// SPDX-License-Identifier: MIT
// Look-up of a tag beyond the inline part: after the first fields, and past another tag with the
// same mark.
#include "affix/wire/detail/find_tag.hpp"

namespace affix::inline v0::wire::detail {

std::uint32_t find_tag_from(const FieldIndex& index, std::uint32_t from,
                            std::uint32_t tag) noexcept {
  for (std::uint32_t at = from; at < index.count; at += mark_half_step) {
    for (std::uint64_t matches = matches_of_half_step(index.marks + at, mark_of(tag)); matches != 0;
         matches &= matches - 1) {
      const std::uint32_t found = at + static_cast<std::uint32_t>(std::countr_zero(matches));
      if (index.tags[found] == tag && found < index.count) {
        return found;
      }
    }
  }
  return no_position;
}

std::uint32_t find_tag_anew(const FieldIndex& index, std::uint32_t tag) noexcept {
  const std::uint8_t mark = mark_of(tag);
  std::uint32_t matches = matches_of_half_step(index.marks, mark);
  if (matches == 0) {
    matches = matches_of_half_step(index.marks + mark_half_step, mark) << mark_half_step;
    if (matches == 0) {
      return index.count <= FieldIndex::mark_step
                 ? no_position
                 : find_tag_from(index, FieldIndex::mark_step, tag);
    }
  }
  const auto found = static_cast<std::uint32_t>(std::countr_zero(matches));
  // After the last field are marks of zero, and tags of older messages.
  if (index.tags[found] == tag && mark != 0) [[likely]] {
    return found;
  }
  return find_tag_from(index, 0, tag);
}

}  // namespace affix::inline v0::wire::detail
