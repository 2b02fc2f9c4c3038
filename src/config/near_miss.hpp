// SPDX-License-Identifier: MIT
// Finds the name that a misspelt word most likely means.
#pragma once

#include <span>
#include <string_view>

namespace affix::inline v0::config {

/// The name that differs from `word` by the fewest wrong, missing, added or exchanged letters, case
/// ignored; the first of several. Empty: none is near enough to suggest. Words of more than 64
/// letters are near nothing. Allocates nothing.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string_view> names) noexcept;

}  // namespace affix::inline v0::config
