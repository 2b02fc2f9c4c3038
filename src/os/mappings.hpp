// SPDX-License-Identifier: MIT
// The mappings of this process's journals and counters, for look-ups by a signal handler.
// Process-wide state because signals are process-wide.
#pragma once

#include <atomic>
#include <cstddef>

namespace affix::inline v0::os {

/// Adds a mapping; `lost` is set when one of its pages could not be read. Does nothing when
/// there is no memory for its entry: that mapping is then not protected. Any thread.
void enter_mapping(const char* base, std::size_t bytes, std::atomic<bool>* lost) noexcept;

/// Call before unmapping. Any thread.
void leave_mapping(const char* base) noexcept;

}  // namespace affix::inline v0::os
