// SPDX-License-Identifier: MIT
// Whether a listed code can be a value of its field at all.
#pragma once

#include "affix/dictionary/field_type.hpp"

#include <string_view>

namespace affix::inline v0::dictionary {

/// For numbers, characters and lists; every other type takes any code. Not empty, no control
/// characters: that is checked elsewhere.
[[nodiscard]] bool code_fits(FieldType type, std::string_view code) noexcept;

}  // namespace affix::inline v0::dictionary
