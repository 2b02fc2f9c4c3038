// SPDX-License-Identifier: MIT
// Moves closed segments from journals to an archive, packed or not, also while writers are active.
#pragma once

#include "affix/base/error.hpp"

#include "journal/packing.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::journal {

struct ArchiveOptions {
  std::string source;   ///< A journal's directory.
  std::string archive;  ///< Destination directory; created if missing.
  Packing packing = Packing::Zstd;

  // Condition: the oldest segments, as long as one of these requires it.
  std::optional<std::int64_t> closed_before_utc_ns;  ///< The segment was left before this time.
  std::optional<std::uint64_t> keep_bytes;           ///< Maximum bytes of files that stay.
  std::optional<std::uint32_t> keep_trading_days;  ///< Days begin at trading day and reset events.

  bool dry_run = false;
};

struct ArchivedSegment {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;         ///< Of the segment's file.
  std::uint64_t packed_bytes = 0;  ///< Of the archive's; 0 in a dry run.
  std::string path;                ///< Its present or future path.
};

/// Takes a prefix of the segments. Never the newest in use, the one before it (its writer may still
/// set processed marks there), one that may have unprocessed received messages, or a prepared one.
/// A segment is removed from its journal when its copy is on the disk and was read back. Errors:
/// NotFound, Damaged (a segment that does not verify stays, and all after it), AlreadyExists (a
/// different file has the name in the archive), NoSpace, Io, Denied; segments moved before stay
/// moved.
[[nodiscard]] std::expected<std::vector<ArchivedSegment>, base::Error> archive(
    const ArchiveOptions& options);

}  // namespace affix::inline v0::tools::journal
