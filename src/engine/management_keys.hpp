// SPDX-License-Identifier: MIT
// Keys of the administration port, and what they must not be together.
#pragma once

#include "affix/engine/management_settings.hpp"

#include "engine/configuration_keys.hpp"

#include <span>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

[[nodiscard]] std::span<const ConfigurationKey<ManagementSettings>> management_keys() noexcept;

/// A key and what is wrong with its value beside the others'.
struct ManagementFault {
  std::string_view key;
  std::string text;
};

/// Reads no file. Beyond loopback there is no port without TLS and a token.
[[nodiscard]] std::vector<ManagementFault> check_management(const ManagementSettings& settings);

}  // namespace affix::inline v0::engine
