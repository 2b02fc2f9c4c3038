// SPDX-License-Identifier: MIT
// Whether what a program printed has arrived where it was sent.
#pragma once

namespace affix::inline v0::tools {

/// The exit code of a program whose standard output took less than it printed, as sysexits.h has it
/// for input and output.
inline constexpr int output_status = 74;

/// Flushes standard output. The status, or output_status in place of 0 when something could not be
/// written (a full disk), which is told on standard error. A closed standard output is nobody's.
[[nodiscard]] int status_with_output(int status, const char* program) noexcept;

}  // namespace affix::inline v0::tools
