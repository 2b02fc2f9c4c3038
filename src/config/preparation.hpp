// SPDX-License-Identifier: MIT
// Derives from a configuration everything that an engine needs before it opens, and reports all
// problems that prevent opening at once.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/finding.hpp"

#include "config/tls_groups.hpp"
#include "config/worker_plan.hpp"

#include <expected>
#include <memory>
#include <vector>

namespace affix::inline v0::config {

/// Parts that are ready before the engine opens.
struct Preparation {
  WorkerPlan plan;  ///< For the cores that the process may use now.
  std::unique_ptr<TlsGroups> encryption;
};

/// Plans the workers, reads the TLS files and asks whether the machine has the kernel; changes
/// nothing. The error has every finding of these and, first, the problems among `findings`, which
/// are those of check_configuration(): a part that they make meaningless is left out.
[[nodiscard]] std::expected<Preparation, std::vector<Finding>> prepare(
    const Configuration& configuration, const std::vector<Finding>& findings = {});

}  // namespace affix::inline v0::config
