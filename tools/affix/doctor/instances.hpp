// SPDX-License-Identifier: MIT
// The client and server groups of a configuration with the processors that they need.
#pragma once

#include "affix/config/configuration.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::doctor {

struct Instance {
  std::string name;
  affix::config::WaitMode wait_mode = affix::config::WaitMode::Block;
  std::size_t workers = 1;
  std::vector<std::int64_t> pinned;  ///< Processor of each worker, or empty.
  const affix::config::InstanceSettings* settings = nullptr;

  [[nodiscard]] bool spins() const noexcept { return wait_mode == affix::config::WaitMode::Spin; }
};

/// In the file's order, clients first. `configuration` outlives them. A group with one worker per
/// processor has `allowed` workers.
[[nodiscard]] std::vector<Instance> instances_of(const affix::config::Configuration& configuration,
                                                 const std::vector<std::int64_t>& allowed);

}  // namespace affix::inline v0::tools::doctor
