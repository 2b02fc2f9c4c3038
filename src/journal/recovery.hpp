// SPDX-License-Identifier: MIT
// Results of opening a journal: the end of its records, its numbers, and the parts to cut. Private
// to journal.
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
      segment;  ///< Segment to continue in, mapped for writing; null: there is no journal yet.
  std::size_t end = 0;  ///< End of its records. The file is zero after it.
  Standing standing;
  std::uint64_t reserved = 0;        ///< The durable reserve of outgoing numbers, 0 for none.
  std::uint64_t durable_offset = 0;  ///< Records before it are known to be on the disk.
  bool numbers_lost =
      false;  ///< Committed records may be missing: the outgoing number must skip to the reserve.
  bool clean_on_disk = false;  ///< The state on the disk says closed: this must be revoked there.
  Recovered report;
};

/// Judges the files, cuts the remains of a crash after the records, and refuses damage. On an error
/// the disk is unchanged.
[[nodiscard]] std::expected<Recovery, base::Error> recover(const SegmentFiles& files,
                                                           const Options& options,
                                                           const BootId& boot);

}  // namespace affix::inline v0::journal
