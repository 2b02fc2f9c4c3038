// SPDX-License-Identifier: MIT
// Signals between two processes of one program while one succeeds the other: values of
// SIGUSR2, which the kernel lets only processes of the same user send.
#pragma once

#include "affix/journal/format.hpp"

#include "host/link_record.hpp"
#include "service/other_process.hpp"

#include <csignal>

namespace affix::inline v0::service {

enum class HandOverWord : unsigned {
  InLine = 1,    ///< To the running one: the sender waits in line for its connections.
  Answered = 2,  ///< To the one that has handed over: the sender serves them.
};

/// With the versions of what one process leaves to the other: different ones are not understood.
[[nodiscard]] constexpr int value_of(HandOverWord word) noexcept {
  return static_cast<int>(0x41000000U | (journal::format::version & 0xFFU) << 16 |
                          (host::link_table_version & 0xFFU) << 8 | static_cast<unsigned>(word));
}

/// Ignored if it has ended, or if it is another user's.
inline void say(const OtherProcess& process, HandOverWord word) noexcept {
  process.signal(SIGUSR2, value_of(word));
}

/// True if the signal says so.
[[nodiscard]] inline bool says(const siginfo_t& signal, HandOverWord word) noexcept {
  return signal.si_signo == SIGUSR2 && signal.si_code == SI_QUEUE &&
         signal.si_value.sival_int == value_of(word);
}

/// True if the signal says so in another version of the program.
[[nodiscard]] inline bool says_otherwise(const siginfo_t& signal, HandOverWord word) noexcept {
  return signal.si_signo == SIGUSR2 && signal.si_code == SI_QUEUE && !says(signal, word) &&
         (static_cast<unsigned>(signal.si_value.sival_int) & 0xFF0000FFU) ==
             (0x41000000U | static_cast<unsigned>(word));
}

}  // namespace affix::inline v0::service
