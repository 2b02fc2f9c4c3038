// SPDX-License-Identifier: MIT
// Gives worker threads precedence over others on a shared processor, and names threads for tools.
#pragma once

namespace affix::inline v0::os {

/// Names the calling thread for tools (`top -H`, /proc/PID/task/TID/comm): at most 15 characters.
/// One system call.
void name_this_thread(const char* name) noexcept;

/// Makes the calling thread preempt no other thread when it wakes: it continues when the workers on
/// its processor sleep or have used their share. For work that a caller waits for. One system call.
void wake_behind_workers() noexcept;

/// Undoes wake_behind_workers().
void wake_at_once() noexcept;

/// Makes the calling thread wake when a wait ends, where the system would otherwise let several
/// waits end together, some tens of microseconds late. One system call.
void wake_on_time() noexcept;

/// Makes the calling thread yield to workers on a shared processor: it gets about a quarter of a
/// processor that they keep busy, and a waking worker preempts it. For work that no message waits
/// for. Cannot be undone without a privilege. Threads that it starts inherit this. Two system
/// calls.
void give_way_to_workers() noexcept;

}  // namespace affix::inline v0::os
