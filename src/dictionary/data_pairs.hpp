// SPDX-License-Identifier: MIT
// Finds the length field of a data field where a file does not name it.
#pragma once

#include "affix/dictionary/model.hpp"

#include <cstdint>
#include <vector>

namespace affix::inline v0::dictionary {

/// Tag of each field's length field, in the order of `parts.fields`: 0 for other fields and where
/// none is found. Tries in this order: FIX's own pairs, a field of the same name with Len or Length
/// appended, a length field right before the data field at its first use. `parts` is arranged;
/// pairs that its fields name are ignored.
[[nodiscard]] std::vector<std::uint32_t> find_length_tags(const Parts& parts);

/// True if a field of this type can hold the number of bytes that follow.
[[nodiscard]] bool can_be_length(FieldType type) noexcept;

}  // namespace affix::inline v0::dictionary
