// SPDX-License-Identifier: MIT
// Converts between receipts and positions of records in a session's journal, for programs that read
// the journal with journal::Reader.
#pragma once

#include "affix/host/receipt.hpp"
#include "affix/journal/record.hpp"

#include <cstdint>

namespace affix::inline v0::host {

/// The receipt of the message whose record is at `position`.
[[nodiscard]] constexpr Receipt receipt_of(journal::Position position) noexcept {
  return Receipt(std::uint64_t{position.segment} << 32 | position.offset);
}

/// The position of the message's record; for an empty receipt, a position without a record.
[[nodiscard]] constexpr journal::Position position_of(Receipt receipt) noexcept {
  return {static_cast<std::uint32_t>(receipt.value() >> 32),
          static_cast<std::uint32_t>(receipt.value())};
}

}  // namespace affix::inline v0::host
