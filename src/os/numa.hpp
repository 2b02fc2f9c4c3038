// SPDX-License-Identifier: MIT
// Binds the process to one NUMA node: its threads to the node's cores and, if configured, its
// memory to the node. Start-up only; before other threads are made.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>

namespace affix::inline v0::os {

/// Does nothing for -1. Otherwise restricts every thread of the process, and those made later, to
/// the cores of `node` on which they may run; with `allocates` the calling thread and those that it
/// makes later allocate only from that node. InvalidArgument: no such node, or none of its cores is
/// allowed; Unsupported: the kernel has no such policies.
[[nodiscard]] std::expected<void, base::Error> bind_to_numa_node(std::int64_t node, bool allocates);

}  // namespace affix::inline v0::os
