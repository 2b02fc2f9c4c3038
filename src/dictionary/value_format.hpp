// SPDX-License-Identifier: MIT
// Checks the form of numbers, and if a listed code can be a value of its field at all. Of any size:
// the range of a C++ type is no matter of form.
#pragma once

#include "affix/dictionary/field_type.hpp"

#include <string_view>

namespace affix::inline v0::dictionary {

/// True for one or more digits, and nothing else.
[[nodiscard]] bool is_digits(std::string_view text) noexcept;

/// Without a leading `-`.
[[nodiscard]] std::string_view without_sign(std::string_view text) noexcept;

/// An optional `-`, then digits with at most one point before, among or after them.
[[nodiscard]] bool is_decimal(std::string_view text) noexcept;

/// For numbers, characters and lists; every other type allows any code. Not empty, no control
/// characters: those are checked elsewhere.
[[nodiscard]] bool code_fits(FieldType type, std::string_view code) noexcept;

}  // namespace affix::inline v0::dictionary
