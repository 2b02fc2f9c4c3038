// SPDX-License-Identifier: MIT
// What a receipt names: where the record is in its session's journal, for whoever reads that with
// journal::Reader.
#pragma once

#include "affix/engine/receipt.hpp"
#include "affix/journal/record.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

/// The receipt of the message whose record is at `position`.
[[nodiscard]] constexpr Receipt receipt_of(journal::Position position) noexcept {
  return Receipt(std::uint64_t{position.segment} << 32 | position.offset);
}

/// Where the record of that message is; of a receipt of no message, where none can be.
[[nodiscard]] constexpr journal::Position position_of(Receipt receipt) noexcept {
  return {static_cast<std::uint32_t>(receipt.value() >> 32),
          static_cast<std::uint32_t>(receipt.value())};
}

}  // namespace affix::inline v0::engine
