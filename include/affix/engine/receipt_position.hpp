// SPDX-License-Identifier: MIT
// What a receipt names: where the record is in its session's journal, for whoever reads that with
// journal::Reader.
#pragma once

#include "affix/engine/receipt.hpp"
#include "affix/journal/record.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

[[nodiscard]] constexpr Receipt receipt_of(journal::Position position) noexcept {
  return Receipt(std::uint64_t{position.segment} << 32 | position.offset);
}

[[nodiscard]] constexpr journal::Position position_of(Receipt receipt) noexcept {
  return {static_cast<std::uint32_t>(receipt.value() >> 32),
          static_cast<std::uint32_t>(receipt.value())};
}

}  // namespace affix::inline v0::engine
