// SPDX-License-Identifier: MIT
// Makes what logon_password_hash holds.
#pragma once

#include <cstdint>

namespace affix::inline v0::tools::config {

/// Reads a password, the first line of standard input, and prints its hash. A terminal shows
/// nothing of what is typed. Returns the exit code.
[[nodiscard]] int hash_password(std::uint32_t iterations);

}  // namespace affix::inline v0::tools::config
