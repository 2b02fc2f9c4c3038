// SPDX-License-Identifier: MIT
// Closed segments moved out of journals into an archive, packed or as they are, also beside live
// writers.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::journal {

enum class Packing : std::uint8_t { None, Gzip, Zstd };

struct ArchiveOptions {
  std::string source;   ///< A journal's directory.
  std::string archive;  ///< The directory that segments go to; made when missing.
  Packing packing = Packing::Zstd;

  // What is taken: the oldest segments, as long as one of these says so.
  std::optional<std::int64_t> closed_before_utc_ns;  ///< The segment was left before this time.
  std::optional<std::uint64_t> keep_bytes;  ///< What stays has at most so many bytes of files.
  std::optional<std::uint32_t> keep_trading_days;  ///< Days begin at trading day and reset events.

  bool dry_run = false;
};

struct ArchivedSegment {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;         ///< Of the segment's file.
  std::uint64_t packed_bytes = 0;  ///< Of the archive's; 0 in a dry run.
  std::string path;                ///< Where it is now, or would be.
};

/// Takes a prefix of the segments. Never the newest in use, the one before it (its writer may still
/// set processed marks there), one that received messages not yet processed may lie in, nor one
/// that was prepared. A segment leaves its journal when its copy is on the disk and was read back.
/// Errors: NotFound, Damaged (a segment that does not verify stays, and all behind it),
/// AlreadyExists (another file has the archive's name), NoSpace, Io, Denied; what was moved before
/// stays moved.
[[nodiscard]] std::expected<std::vector<ArchivedSegment>, base::Error> archive(
    const ArchiveOptions& options);

}  // namespace affix::inline v0::tools::journal
