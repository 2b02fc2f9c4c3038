// SPDX-License-Identifier: MIT
// Which of the programs a configuration is for, and what that program asks of it beyond what every
// engine does.
#pragma once

#include "affix/engine/checked_configuration.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools::config {

enum class Purpose : std::uint8_t {
  Engine,  ///< Any program that opens an engine with it.
  Serve,
  Exchange,
  Trade,
  Monitor,
};

/// The words of `--for`, in the order of the purposes.
inline constexpr std::string_view purpose_words[] = {"engine", "serve", "exchange", "trade",
                                                     "monitor"};

[[nodiscard]] std::string_view to_text(Purpose purpose) noexcept;

/// `word` is one of purpose_words.
[[nodiscard]] Purpose purpose_of(std::string_view word) noexcept;

/// What the groups alone say: an application other than ECHO, or a route, is for `affix serve`.
[[nodiscard]] Purpose purpose_of(const engine::Configuration& configuration) noexcept;

[[nodiscard]] engine::FurtherCheck check_for(Purpose purpose) noexcept;

/// The check for what purpose_of() finds in the configuration.
[[nodiscard]] engine::Problems check_as_found(const engine::Configuration& configuration);

}  // namespace affix::inline v0::tools::config
