// SPDX-License-Identifier: MIT
// The client and server groups of a configuration, as what they ask of processors.
#pragma once

#include "affix/engine/configuration.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::doctor {

struct Instance {
  std::string name;
  std::string wait_mode;
  std::size_t workers = 1;
  std::vector<std::int64_t> pinned;  ///< A processor of each worker, or none at all.
  const engine::InstanceSettings* settings = nullptr;

  [[nodiscard]] bool spins() const noexcept { return wait_mode == "SPIN"; }
};

/// In the file's order, clients first. `configuration` outlives them. A group that has a worker for
/// each processor has as many as `allowed`.
[[nodiscard]] std::vector<Instance> instances_of(const engine::Configuration& configuration,
                                                 const std::vector<std::int64_t>& allowed);

}  // namespace affix::inline v0::tools::doctor
