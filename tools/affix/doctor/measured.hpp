// SPDX-License-Identifier: MIT
// What probes of this machine measured, in nanoseconds. What is not there was not measured.
#pragma once

#include <cstdint>
#include <optional>

namespace affix::inline v0::tools::doctor {

/// Of several tries.
struct Spread {
  std::int64_t median_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t largest_ns = 0;
};

/// A loop that does nothing but read the clock, for a second or so.
struct SpinGaps {
  std::int64_t largest_ns = 0;
  std::int64_t over_10_us = 0;  ///< How many gaps were longer than 10 us.
};

/// New pages of a file that is mapped, as journals are, for each 4 KiB.
struct PageCosts {
  std::int64_t fault_ns = 0;   ///< The first write to a file, with what the system brings along.
  std::int64_t pieces_ns = 0;  ///< Written and made present in pieces of 64 KiB.
  std::int64_t single_ns = 0;  ///< Each made by the write that needs it.
  std::int64_t large_ns = 0;   ///< Made in pieces of 2 MiB.
  std::int64_t large_piece_ns = 0;  ///< What such a piece took at most.
};

struct Measured {
  std::optional<std::int64_t> clock_read_ns;
  std::optional<Spread> wake_up;  ///< From one thread's write to the other's return from its sleep.
  std::optional<SpinGaps> gaps;
  std::optional<PageCosts> pages;
  std::optional<Spread> flush;  ///< fdatasync of a record of 256 bytes.
};

}  // namespace affix::inline v0::tools::doctor
