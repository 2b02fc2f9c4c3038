// SPDX-License-Identifier: MIT
// A session group's `resend_policy` as the session layer's rules.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/session/resend_policy.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

struct ResendRules {
  std::vector<session::ResendRule>
      rules;  ///< Types of more than eight characters view the settings.
  session::ResendPolicy otherwise;
};

/// `D:GAP_FILL,8:REPLAY,F:YOUNGER_THAN_5s,*:REPLAY`: units ms, s, m and h; `*` is every type that
/// is not named, REPLAY when it is left out. An error names the piece that is not understood, or
/// comes twice.
[[nodiscard]] std::expected<ResendRules, std::string> resend_rules_of(
    const SessionSettings& settings);

}  // namespace affix::inline v0::engine
