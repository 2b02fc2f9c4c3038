// SPDX-License-Identifier: MIT
// From a session group's settings to what the layers below take: protocol options and journal
// options.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/journal/options.hpp"
#include "affix/session/options.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::engine {

/// The text that session options view: the static header fields, encoded. Lives as long as they do.
struct SessionTexts {
  std::string static_header_fields;
};

/// `100=XNAS,1128=9` as `100=XNAS SOH 1128=9 SOH`. An error names the piece that is not tag=value.
[[nodiscard]] std::expected<std::string, base::Error> encode_static_header(
    const SessionSettings& settings);

/// The views go into `settings` and `texts`, which outlive the result.
[[nodiscard]] session::SessionOptions session_options(const SessionSettings& settings,
                                                      const SessionTexts& texts, session::Role role,
                                                      session::Validator validator = {}) noexcept;

[[nodiscard]] journal::Options journal_options(const SessionSettings& settings);

}  // namespace affix::inline v0::engine
