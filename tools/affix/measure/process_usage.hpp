// SPDX-License-Identifier: MIT
// What another process of this machine has used so far: processor time and memory, as the kernel
// accounts for it.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <sys/types.h>

namespace affix::inline v0::tools {

struct ProcessUsage {
  /// Processor time of all threads that live, user and system together, from the scheduler's
  /// account, which is in nanoseconds. A thread that has ended takes its share along.
  std::int64_t cpu_ns = 0;
  /// Of that, what an engine's threads took that prepare and flush journals (by their names),
  /// beside the threads that messages wait for.
  std::int64_t journal_ns = 0;
  /// The same in two parts, by the clock tick (10 ms on most systems): for long measurements only.
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t anonymous_bytes = 0;  ///< Resident memory that is no file's: heap, stacks, buffers.
  std::int64_t file_bytes = 0;       ///< Resident pages of files: program text, journals.
};

/// Reads /proc: tens of microseconds. NotFound: no such process. Io: not readable, or not in the
/// form that Linux gives it.
[[nodiscard]] std::expected<ProcessUsage, base::Error> read_process_usage(pid_t pid);

}  // namespace affix::inline v0::tools
