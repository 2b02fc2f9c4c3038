// SPDX-License-Identifier: MIT
// Plays one scenario on one stage.
#pragma once

#include "script.hpp"
#include "stage.hpp"

#include <optional>
#include <string>

namespace affix::conformance {

/// Whether a peer's bytes are sent at once, or in pieces of this size.
struct Pieces {
  std::size_t bytes = 0;  ///< 0: at once.
};

/// Failure: file, line, expected and received message, and everything sent before. Nullopt: the
/// scenario passed.
[[nodiscard]] std::optional<std::string> play(const Scenario& scenario, const Version& version,
                                              Role role, const Identity& identity, Pieces pieces,
                                              Stage& stage);

}  // namespace affix::conformance
