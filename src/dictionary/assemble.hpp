// SPDX-License-Identifier: MIT
// From a draft to a dictionary, or to everything that is wrong with it. What QuickFIX reads is read
// here too, with a warning where it is sloppy; an error is where QuickFIX refuses or where two
// readers could understand two things.
#pragma once

#include "affix/dictionary/load.hpp"

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <optional>

namespace affix::inline v0::dictionary {

/// Nothing when an error was found, now or before. `draft`'s views are not used afterwards.
[[nodiscard]] std::optional<Dictionary> assemble(const Draft& draft, const LoadLimits& limits,
                                                 Problems& problems);

}  // namespace affix::inline v0::dictionary
