// SPDX-License-Identifier: MIT
// The mappings of this process's journals and counters, for a signal handler to look an address up
// in. Private to journal. It is state of the process because signals are.
#pragma once

#include <atomic>
#include <cstddef>

namespace affix::inline v0::journal {

/// Enters a mapping; `lost` is set when one of its pages could not be had. Nothing happens when the
/// table is full: that mapping is not covered then. Any thread.
void enter_mapping(const char* base, std::size_t bytes, std::atomic<bool>* lost) noexcept;

/// Before it is unmapped. Any thread.
void leave_mapping(const char* base) noexcept;

}  // namespace affix::inline v0::journal
