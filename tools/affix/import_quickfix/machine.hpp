// SPDX-License-Identifier: MIT
// Facts of this machine that a translation depends on.
#pragma once

#include <string>

namespace affix::inline v0::tools::import_quickfix {

/// This machine's time zone by its name in the tz database; empty if unknown.
[[nodiscard]] std::string local_zone();

[[nodiscard]] bool is_folder(const std::string& path);

}  // namespace affix::inline v0::tools::import_quickfix
