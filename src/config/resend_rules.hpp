// SPDX-License-Identifier: MIT
// Translates a session group's `resend_policy` into rules of the session layer.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/session/resend_policy.hpp"

#include <expected>
#include <vector>

namespace affix::inline v0::config {

struct ResendRules {
  std::vector<session::ResendRule>
      rules;  ///< Types of more than eight characters are views of the settings.
  session::ResendPolicy otherwise;
};

/// `D:GAP_FILL,8:REPLAY,F:YOUNGER_THAN_5s,*:REPLAY`: units ms, s, m and h; `*` stands for every
/// type that is not named, and defaults to REPLAY. An error names the piece that is invalid or
/// occurs twice.
[[nodiscard]] std::expected<ResendRules, base::Error> resend_rules_of(
    const SessionSettings& settings);

}  // namespace affix::inline v0::config
