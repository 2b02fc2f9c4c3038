// SPDX-License-Identifier: MIT
// The FIX versions whose typed messages the exchange and the trade client use, and which sessions
// use which.
#pragma once

#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools {

enum class FixVersion : std::uint8_t { Fix42, Fix44, Fix50Sp2 };

/// FIX.4.2's messages up to that version, FIX.5.0 SP2's over FIXT, else FIX.4.4's.
[[nodiscard]] constexpr FixVersion fix_version_of(std::string_view begin_string) noexcept {
  if (begin_string == "FIXT.1.1") {
    return FixVersion::Fix50Sp2;
  }
  const bool old =
      begin_string == "FIX.4.0" || begin_string == "FIX.4.1" || begin_string == "FIX.4.2";
  return old ? FixVersion::Fix42 : FixVersion::Fix44;
}

}  // namespace affix::inline v0::tools
