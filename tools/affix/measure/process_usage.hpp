// SPDX-License-Identifier: MIT
// Processor time and memory that another process of this machine has used, according to the kernel.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <sys/types.h>

namespace affix::inline v0::tools {

struct ProcessUsage {
  /// Processor time of all living threads, user and system together, from the scheduler's account
  /// in nanoseconds. Excludes threads that have ended.
  std::int64_t cpu_ns = 0;
  /// The part used by an engine's threads that prepare and flush journals (by their names), for
  /// which no message waits.
  std::int64_t journal_ns = 0;
  /// User and system time in clock ticks (10 ms on most systems): only for long measurements.
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t anonymous_bytes = 0;  ///< Resident memory that belongs to no file: heap, stacks,
                                     ///< buffers.
  std::int64_t file_bytes = 0;       ///< Resident pages of files: program text, journals.
};

/// Reads /proc: tens of microseconds. NotFound: no such process. Io: not readable, or not in
/// Linux's format.
[[nodiscard]] std::expected<ProcessUsage, base::Error> read_process_usage(pid_t pid);

}  // namespace affix::inline v0::tools
