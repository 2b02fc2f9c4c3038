// SPDX-License-Identifier: MIT
// A lock of a whole file that belongs to an open descriptor: it ends with the process in any case,
// and works across process namespaces.
#pragma once

namespace affix::inline v0::os {

/// Locks the file of a descriptor that is open for writing. Returns 0 or an error number: EAGAIN if
/// another descriptor holds the lock.
[[nodiscard]] int lock_file(int file) noexcept;

/// True if another descriptor holds the lock. Any descriptor will do.
[[nodiscard]] bool is_locked(int file) noexcept;

}  // namespace affix::inline v0::os
