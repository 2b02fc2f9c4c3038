// SPDX-License-Identifier: MIT
// What opening a journal finds out: where the records end, what the numbers are, what has to be
// cut. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/record.hpp"

#include "journal/judge.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>

namespace affix::inline v0::journal {

struct Recovery {
  SegmentHandle
      segment;  ///< The one to go on with, mapped for writing; null when there is no journal yet.
  std::size_t end = 0;  ///< Where its records end. Behind it the file is zero.
  Standing standing;
  std::uint64_t reserved = 0;        ///< The durable reserve of outgoing numbers, 0 for none.
  std::uint64_t durable_offset = 0;  ///< Records before it are known to be on the disk.
  bool numbers_lost =
      false;  ///< Committed records may be gone: the outgoing number must skip to the reserve.
  bool clean_on_disk =
      false;  ///< The state on the disk says closed: it has to be told there that this is over.
  Recovered report;
};

/// Judges what is there, cuts what a crash left behind the records, and refuses damage. On an error
/// the disk is as it was.
[[nodiscard]] std::expected<Recovery, base::Error> recover(const SegmentFiles& files,
                                                           const Options& options,
                                                           const BootId& boot);

}  // namespace affix::inline v0::journal
