// SPDX-License-Identifier: MIT
// The processor cores that threads may be pinned to. Start-up only.
#pragma once

#include <cstdint>
#include <vector>

namespace affix::inline v0::engine {

/// One processor of each physical core that this process may run on, ascending: two threads that
/// share a core's execution units slow each other down. Never empty; processors of unknown topology
/// count as cores of their own. Reads the system's files.
[[nodiscard]] std::vector<std::int64_t> physical_cores();

/// Pins the calling thread to `core`; nothing happens with -1. False: the process may not use that
/// core, and the thread runs where it did.
bool pin_this_thread(std::int64_t core) noexcept;

/// Whether pin_this_thread() would do it. The calling thread may have run on that core meanwhile.
[[nodiscard]] bool can_pin_to(std::int64_t core) noexcept;

/// What tools show for the calling thread; at most 15 characters.
void name_this_thread(const char* name) noexcept;

/// Has the calling thread take its processor from nobody when it is woken: it goes on once those
/// that trade sleep, or have had their share.
void wake_behind_workers() noexcept;

/// Undoes that.
void wake_at_once() noexcept;

/// Has the calling thread give way to those that trade where they share a processor: it goes on
/// with a quarter of it while they want all.
void give_way_to_workers() noexcept;

}  // namespace affix::inline v0::engine
