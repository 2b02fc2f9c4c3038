// SPDX-License-Identifier: MIT
// Where the monitor reaches the administration port of an engine that it watches.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/management_settings.hpp"

#include "administration/admin_client.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Takes it from a configuration; `address` replaces the configured one, for a port that the kernel
/// chose. The error is the reason why no port can be reached.
[[nodiscard]] std::expected<AdminPlace, base::Error> admin_place_of(
    const affix::config::ManagementSettings& settings, const std::string& address);

}  // namespace affix::inline v0::tools::monitor
