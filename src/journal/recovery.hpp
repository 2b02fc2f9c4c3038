// SPDX-License-Identifier: MIT
// What opening a journal finds out: where the records end, what the numbers are, what has to be
// cut. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/record.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>

namespace affix::inline v0::journal {

/// What follows from records read one after another. The writer keeps the same numbers as it
/// appends.
struct Standing {
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  std::int64_t last_utc_ns = 0;
  std::uint64_t records = 0;
  std::uint64_t unprocessed = 0;
  Position oldest_unprocessed;
  Position barrier;

  void apply(const Record& record) noexcept;
};

/// Whether a resend may not reach back past this event.
[[nodiscard]] constexpr bool is_barrier(EventType type, std::uint64_t next_outgoing_before,
                                        std::uint64_t next_outgoing_after) noexcept {
  return type == EventType::Reset || next_outgoing_after < next_outgoing_before;
}

struct Recovery {
  SegmentHandle
      segment;  ///< The one to go on with, mapped for writing; null when there is no journal yet.
  std::size_t end = 0;  ///< Where its records end. Behind it the file is zero.
  Standing standing;
  std::uint64_t reserved = 0;        ///< The durable reserve of outgoing numbers, 0 for none.
  std::uint64_t durable_offset = 0;  ///< Records before it are known to be on the disk.
  bool numbers_lost =
      false;  ///< Committed records may be gone: the outgoing number must skip to the reserve.
  Recovered report;
};

/// Reads the newest segment (more after a power loss), cuts what a crash left behind its records,
/// and refuses damage. On an error the disk is as it was.
[[nodiscard]] std::expected<Recovery, base::Error> recover(const SegmentFiles& files,
                                                           const Options& options,
                                                           const BootId& boot);

}  // namespace affix::inline v0::journal
