// SPDX-License-Identifier: MIT
// The process on one NUMA node: its threads on the node's cores, and its memory there if wished.
// Start-up only; before other threads are made.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>

namespace affix::inline v0::engine {

/// Nothing for -1. Else every thread of the process, and those it makes later, run on the cores of
/// `node` that they might have run on anyway; with `allocates` the calling thread and those that it
/// makes later have memory from that node alone. InvalidArgument: there is no such node, or none of
/// its cores may be used; Unsupported: a kernel without such policies.
[[nodiscard]] std::expected<void, base::Error> bind_to_numa_node(std::int64_t node, bool allocates);

}  // namespace affix::inline v0::engine
