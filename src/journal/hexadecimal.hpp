// SPDX-License-Identifier: MIT
// Bytes from hexadecimal digits, as a system writes the id of its start. Private to journal.
#pragma once

#include "affix/base/text.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::journal {

/// Writes as many bytes as `text` has digits for; characters that are none are skipped. `bytes` are
/// zero before.
inline void read_hexadecimal(std::string_view text, std::span<std::uint8_t> bytes) noexcept {
  std::size_t nibble = 0;
  for (const char c : text) {
    const int value = base::hexadecimal_value(c);
    if (value < 0) {
      continue;
    }
    if (nibble == 2 * bytes.size()) {
      return;
    }
    std::uint8_t& byte = bytes[nibble / 2];
    byte = static_cast<std::uint8_t>(byte << 4 | value);
    ++nibble;
  }
}

}  // namespace affix::inline v0::journal
