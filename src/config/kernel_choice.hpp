// SPDX-License-Identifier: MIT
// Selects the codec kernel that the configuration asks for.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/finding.hpp"

#include <optional>

namespace affix::inline v0::config {

/// Reason why this build or this machine cannot run the kernel that `kernel` names; nothing if it
/// can. Changes nothing.
[[nodiscard]] std::optional<Finding> kernel_fault(const EngineSettings& settings);

/// Applies `kernel` and `enable_simd_avx2` to the whole process from now on. Returns warnings for
/// the log. Must not be called if there is a kernel_fault().
[[nodiscard]] Problems choose_kernel(const Configuration& configuration);

}  // namespace affix::inline v0::config
