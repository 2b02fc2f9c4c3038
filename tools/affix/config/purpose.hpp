// SPDX-License-Identifier: MIT
// Determines the program that a configuration is for, and checks that program's needs beyond those
// of every engine.
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

/// The command with that purpose, as typed: "affix-lab trade". Empty for Engine.
[[nodiscard]] std::string_view command_of(Purpose purpose) noexcept;

/// `word` is one of purpose_words.
[[nodiscard]] Purpose purpose_of(std::string_view word) noexcept;

/// Derived from the groups: an application other than ECHO, or a route, is for `affix serve`.
[[nodiscard]] Purpose purpose_of(const affix::config::Configuration& configuration) noexcept;

[[nodiscard]] engine::FurtherCheck check_for(Purpose purpose) noexcept;

/// The check for the purpose that purpose_of() finds in the configuration.
[[nodiscard]] std::vector<affix::config::Finding> check_as_found(
    const affix::config::Configuration& configuration);

}  // namespace affix::inline v0::tools::config
