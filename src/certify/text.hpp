// SPDX-License-Identifier: MIT
// Words, numbers and durations of scenarios.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::inline v0::certify {

/// Removes the first word, and the spaces after it, from `text`.
[[nodiscard]] std::string_view take_word(std::string_view& text) noexcept;

[[nodiscard]] std::optional<std::uint64_t> number_in(std::string_view text) noexcept;

/// "5s", "200ms", "-10s".
[[nodiscard]] std::optional<std::int64_t> duration_in(std::string_view text) noexcept;

/// A letter, then letters, digits and `_`.
[[nodiscard]] bool is_name(std::string_view text) noexcept;

/// Trimmed pieces between commas. None for an empty text.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text);

/// True if `text` is of the form of `pattern`: `*` stands for any text, `?` for one character,
/// `[A-Z0-9]` for one of these, `[!...]` for one that is none of them. Linear in practice,
/// quadratic at worst.
[[nodiscard]] bool is_like(std::string_view text, std::string_view pattern) noexcept;

}  // namespace affix::inline v0::certify
