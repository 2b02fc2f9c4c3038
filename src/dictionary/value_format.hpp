// SPDX-License-Identifier: MIT
// The form of numbers, and whether a listed code can be a value of its field at all. Of any size:
// whether a number fits a type of C++ is no matter of form.
#pragma once

#include "affix/dictionary/field_type.hpp"

#include <string_view>

namespace affix::inline v0::dictionary {

/// One digit or more, and nothing else.
[[nodiscard]] bool is_digits(std::string_view text) noexcept;

/// Without a leading `-`.
[[nodiscard]] std::string_view without_sign(std::string_view text) noexcept;

/// An optional `-`, then digits with at most one point before, among or behind them.
[[nodiscard]] bool is_decimal(std::string_view text) noexcept;

/// For numbers, characters and lists; every other type takes any code. Not empty, no control
/// characters: that is checked elsewhere.
[[nodiscard]] bool code_fits(FieldType type, std::string_view code) noexcept;

}  // namespace affix::inline v0::dictionary
