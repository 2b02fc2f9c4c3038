// SPDX-License-Identifier: MIT
// Waits for a signal that the calling thread blocks.
#pragma once

#include <csignal>
#include <cstdint>

namespace affix::inline v0::os {

/// Takes one of `signals`, and says in `taken` which and from whom; where the system does not say
/// from whom, it is from process 0. Waits for it at most `wait_ns`; 0: not at all. False: none
/// came.
[[nodiscard]] bool await_signal(const sigset_t& signals, siginfo_t& taken,
                                std::int64_t wait_ns) noexcept;

}  // namespace affix::inline v0::os
