// SPDX-License-Identifier: MIT
// What a callback thread costs: a message's way from a peer's write to the callback, on the worker
// and on a thread of the application's own.
#pragma once

#include "../harness.hpp"

namespace affix_bench {

/// Waits in the kernel everywhere, as three threads and two cores must; `core` is the worker's.
[[nodiscard]] Benchmark callbacks(int core);

}  // namespace affix_bench
