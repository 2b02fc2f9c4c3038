// SPDX-License-Identifier: MIT
// Detects whether a program's output was written completely.
#pragma once

namespace affix::inline v0::tools {

/// Exit code of a program whose standard output could not be written completely: EX_IOERR of
/// sysexits.h.
inline constexpr int output_status = 74;

/// Flushes standard output. Returns the status, or output_status instead of 0 if a write failed (a
/// full disk), which it reports on standard error. Ignores a closed standard output.
[[nodiscard]] int status_with_output(int status, const char* program) noexcept;

}  // namespace affix::inline v0::tools
