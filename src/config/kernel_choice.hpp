// SPDX-License-Identifier: MIT
// Selects the codec kernel that the configuration asks for.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::config {

/// Applies `kernel` and `enable_simd_avx2` to the whole process from now on. Unsupported: this CPU
/// or this build cannot run the named kernel. Returns warnings for the log.
[[nodiscard]] std::expected<Problems, base::Error> choose_kernel(
    const Configuration& configuration);

}  // namespace affix::inline v0::config
