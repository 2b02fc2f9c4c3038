// SPDX-License-Identifier: MIT
// Which length field belongs to which data field, where a file does not say it.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <vector>

namespace affix::inline v0::dictionary {

/// The tag of each field's length field, in the order of `parts.fields`: 0 for what is no data
/// field and where none is found. In this order: FIX's own pairs, a field of the same name with Len
/// or Length behind it, a length field right before the data field where that is first used.
/// `parts` is arranged; what its fields say of pairs is not looked at.
[[nodiscard]] std::vector<std::uint32_t> find_length_tags(const Parts& parts);

/// A field of this type can say how many bytes follow.
[[nodiscard]] bool can_be_length(FieldType type) noexcept;

}  // namespace affix::inline v0::dictionary
