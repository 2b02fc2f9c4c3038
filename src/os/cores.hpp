// SPDX-License-Identifier: MIT
// The processor cores that threads may be pinned to. Start-up only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace affix::inline v0::os {

/// Number of processors that the calling thread may run on; at least 1. A system call.
[[nodiscard]] std::size_t allowed_processors() noexcept;

/// One processor of each physical core that this process may run on, ascending: two threads that
/// share a core's execution units slow each other down. Never empty; processors of unknown topology
/// count as cores of their own. Reads system files.
[[nodiscard]] std::vector<std::int64_t> physical_cores();

/// Pins the calling thread to `core`; does nothing for -1. False: the process may not use that
/// core, or the system pins no threads, and the thread runs where it did.
bool pin_this_thread(std::int64_t core) noexcept;

/// True if pin_this_thread() would succeed. The calling thread may run on that core meanwhile.
[[nodiscard]] bool can_pin_to(std::int64_t core) noexcept;

}  // namespace affix::inline v0::os
