// SPDX-License-Identifier: MIT
// The number that marks a journal's segments as belonging together. Private to journal.
#pragma once

#include "affix/os/clock.hpp"

#include "os/random.hpp"

#include <cstdint>

namespace affix::inline v0::journal {

/// Only distinguishes two journals; without a random source, the time is enough.
[[nodiscard]] inline std::uint64_t fresh_id() noexcept {
  std::uint64_t id = 0;
  return os::fill_randomly(&id, sizeof(id))
             ? id
             : static_cast<std::uint64_t>(os::read_clock_ns(CLOCK_REALTIME));
}

}  // namespace affix::inline v0::journal
