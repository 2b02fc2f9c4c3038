// SPDX-License-Identifier: MIT
// Output of `affix config` as JSON: one object or array, on one line.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/configuration_catalogue.hpp"
#include "affix/config/effective_configuration.hpp"

#include <string>
#include <vector>

namespace affix::inline v0::tools::config {

/// Faults of a file, or, if there are none (`configuration` not null), its number of groups.
[[nodiscard]] std::string check_json(const std::string& path,
                                     const affix::config::Problems& problems,
                                     const affix::config::Problems& warnings,
                                     const affix::config::Configuration* configuration);

/// The word for where a value is from.
[[nodiscard]] const char* name_of(affix::config::Origin origin) noexcept;

/// With `only_said`, only values that are set explicitly.
[[nodiscard]] std::string show_json(const std::vector<affix::config::EffectiveGroup>& groups,
                                    bool only_said);

[[nodiscard]] std::string keys_json(const std::vector<affix::config::KeyDescription>& keys);

}  // namespace affix::inline v0::tools::config
