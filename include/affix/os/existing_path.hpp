// SPDX-License-Identifier: MIT
// Where a file would be made whose directories may be missing.
#pragma once

#include <string>

namespace affix::inline v0::os {

/// The path, made absolute and normal, or its nearest parent that exists, which need not be a
/// directory. Empty for an empty path. One system call a part that is missing; any thread.
[[nodiscard]] std::string existing_path(const std::string& path);

}  // namespace affix::inline v0::os
