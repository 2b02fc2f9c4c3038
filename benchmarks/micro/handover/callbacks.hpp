// SPDX-License-Identifier: MIT
// Cost of a callback thread: a message's time from a peer's write to the callback, on the worker
// and on an application thread.
#pragma once

#include "../harness.hpp"

namespace affix_bench {

/// All threads wait in the kernel, as three threads on two cores must; `core` is the worker's.
[[nodiscard]] Benchmark callbacks(int core);

}  // namespace affix_bench
