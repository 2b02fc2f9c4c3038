// SPDX-License-Identifier: MIT
// Which of several names a wrong one was most likely meant to be.
#pragma once

#include <span>
#include <string_view>

namespace affix::inline v0::engine {

/// The name that `word` is nearest to in letters that are wrong, missing, too many or exchanged,
/// capitals aside; the first of several. Empty: none is so near that it is worth a suggestion.
/// Words of more than 64 letters are near nothing. Allocates nothing.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string_view> names) noexcept;

}  // namespace affix::inline v0::engine
