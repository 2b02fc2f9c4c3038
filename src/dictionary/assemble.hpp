// SPDX-License-Identifier: MIT
// Makes a dictionary from a draft, or reports every fault in it. Accepts everything that QuickFIX
// reads, with a warning where it is sloppy; an error is where QuickFIX refuses or where two readers
// could understand different things.
#pragma once

#include "affix/dictionary/load_limits.hpp"
#include "affix/dictionary/model.hpp"

#include "dictionary/draft.hpp"
#include "dictionary/problems.hpp"

#include <optional>

namespace affix::inline v0::dictionary {

/// Nullopt when an error was found, now or before. `draft`'s views are not used afterwards.
[[nodiscard]] std::optional<Dictionary> assemble(const Draft& draft, const LoadLimits& limits,
                                                 Problems& problems);

}  // namespace affix::inline v0::dictionary
