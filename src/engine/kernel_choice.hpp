// SPDX-License-Identifier: MIT
// Which of the codec's kernels the process uses, as the configuration wishes.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/configuration.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// Carries `kernel` and `enable_simd_avx2` out, for the whole process and from now on. Unsupported:
/// this CPU, or this build, cannot run the kernel that is named. The warnings are for the log.
[[nodiscard]] std::expected<std::vector<std::string>, base::Error> choose_kernel(
    const Configuration& configuration);

}  // namespace affix::inline v0::engine
