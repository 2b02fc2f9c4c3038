// SPDX-License-Identifier: MIT
// Tells that nodes are Linux's.
#include "os/numa.hpp"

namespace affix::inline v0::os {

std::expected<void, base::Error> bind_to_numa_node(std::int64_t node, bool /*allocates*/) {
  if (node < 0) {
    return {};
  }
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "NUMA nodes can be chosen on Linux only",
                                     "[ENGINE] numa_bind_node", "E102"});
}

}  // namespace affix::inline v0::os
