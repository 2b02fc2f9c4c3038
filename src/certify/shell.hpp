// SPDX-License-Identifier: MIT
// Runs a command of the user.
#pragma once

#include <cstdint>
#include <string>

namespace affix::inline v0::certify {

/// Runs it by /bin/sh, and waits for its end. After `within_ns` it is killed, with what it started
/// in its process group. The error is a text: its exit code, or why it did not run. What it leaves
/// running must not hold on to its group if it is to outlive a failure.
[[nodiscard]] std::string run_command(const std::string& command, std::int64_t within_ns);

}  // namespace affix::inline v0::certify
