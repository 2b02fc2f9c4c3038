// SPDX-License-Identifier: MIT
// Makes a value for logon_password_hash.
#pragma once

#include <cstdint>

namespace affix::inline v0::tools::config {

/// Reads a password, the first line of standard input, and prints its hash. A terminal does not
/// show the typed characters. Returns the exit code.
[[nodiscard]] int hash_password(std::uint32_t iterations);

}  // namespace affix::inline v0::tools::config
