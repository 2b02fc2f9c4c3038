// SPDX-License-Identifier: MIT
// The system's view of this process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::os {

/// Path of the running program; empty if the system does not say. Allocates.
[[nodiscard]] std::string own_program();

/// The words that this process was started with. Empty if the system does not say. Allocates.
[[nodiscard]] std::vector<std::string> own_arguments();

/// Number of descriptors that are open, without what the question itself needs; nothing if the
/// system does not say. System calls.
[[nodiscard]] std::optional<std::size_t> open_descriptors();

/// Number of descriptors that may be open at a time; nothing if the system does not say.
[[nodiscard]] std::optional<std::size_t> descriptors_max() noexcept;

/// The value of an environment variable; null if there is none, or if the process runs with another
/// user's rights than its caller's.
[[nodiscard]] const char* trusted_variable(const char* name) noexcept;

}  // namespace affix::inline v0::os
