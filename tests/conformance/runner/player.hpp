// SPDX-License-Identifier: MIT
// Plays one scenario on one stage.
#pragma once

#include "script.hpp"
#include "stage.hpp"

#include <optional>
#include <string>

namespace affix::conformance {

/// How a peer's bytes go out: whole, or in pieces of so many bytes.
struct Pieces {
  std::size_t bytes = 0;  ///< 0: whole.
};

/// What went wrong: file, line, what was expected, what came, and all that was said until then.
/// Nothing: the scenario passed.
[[nodiscard]] std::optional<std::string> play(const Scenario& scenario, const Version& version,
                                              Role role, const Identity& identity, Pieces pieces,
                                              Stage& stage);

}  // namespace affix::conformance
