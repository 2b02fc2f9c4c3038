// SPDX-License-Identifier: MIT
// Results of the probes of this machine, in nanoseconds. Missing values were not measured.
#pragma once

#include <cstdint>
#include <optional>

namespace affix::inline v0::tools::doctor {

/// Of several attempts.
struct Spread {
  std::int64_t median_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t largest_ns = 0;
};

/// Gaps in a loop that only reads the clock, for about a second.
struct SpinGaps {
  std::int64_t largest_ns = 0;
  std::int64_t over_10_us = 0;  ///< Number of gaps longer than 10 us.
};

/// New pages of a mapped file, as for journals, per 4 KiB.
struct PageCosts {
  std::int64_t fault_ns = 0;   ///< The first write to a file, including pages that the system adds.
  std::int64_t pieces_ns = 0;  ///< Written in pieces of 64 KiB and made present.
  std::int64_t single_ns = 0;  ///< Each made present by the write that needs it.
  std::int64_t large_ns = 0;   ///< Made present in pieces of 2 MiB.
  std::int64_t large_piece_ns = 0;  ///< Maximum time for such a piece.
};

struct Measured {
  std::optional<std::int64_t> clock_read_ns;
  std::optional<Spread> wake_up;  ///< From one thread's write to the other's return from its sleep.
  std::optional<SpinGaps> gaps;
  std::optional<PageCosts> pages;
  std::optional<Spread> flush;  ///< fdatasync of a record of 256 bytes.
};

}  // namespace affix::inline v0::tools::doctor
