// SPDX-License-Identifier: MIT
// Checks of the combinations of the administration port's keys.
#pragma once

#include "affix/config/management_settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// A key whose value is wrong together with others, and the fault.
struct ManagementFault {
  std::string_view key;
  std::string text;
};

/// Reads no file. Beyond loopback the port needs TLS and a token.
[[nodiscard]] std::vector<ManagementFault> check_management(const ManagementSettings& settings);

}  // namespace affix::inline v0::config
