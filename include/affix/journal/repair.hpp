// SPDX-License-Identifier: MIT
// Repairs a journal that fails to open, and reports exactly what was lost. Deletes nothing: the old
// version of every changed file stays beside the new one, under another name.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/repaired_segment.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::journal {

struct RepairOptions {
  std::string directory;

  /// False: only reports the repairs, and needs no lock.
  bool apply = false;

  /// Outgoing number to continue from if the last ones may be lost; refused if a record already has
  /// it or a higher one. Default: the end of the journal's reserve.
  std::optional<std::uint64_t> next_outgoing;

  /// Identity of the session. Required only if no segment has a readable header.
  std::string identity;

  std::int64_t now_utc_ns = 0;
};

struct Repair {
  std::vector<RepairedSegment> segments;  ///< Empty: nothing can be repaired.
  std::vector<std::string> remaining;     ///< Faults that remain, one sentence each.
  std::uint64_t next_outgoing = 1;        ///< Numbers as the next opening finds them.
  std::uint64_t next_expected = 1;
  std::uint64_t skipped_from =
      0;  ///< The outgoing number before the journal skipped ahead; 0: no skip.
};

/// Replaces holes between whole records by one event that describes them, so that every other
/// record stays in place; cuts a damaged end and continues the outgoing number from the reserve;
/// restores a lost header or state from the segment before. Blocks on the disk; a crash meanwhile
/// leaves either the old or the new file. Errors: NotFound, Locked (apply while a writer is
/// active), InvalidArgument (an option is missing; the text names it), Unsupported, NoSpace, Io,
/// Denied.
[[nodiscard]] std::expected<Repair, base::Error> repair(const RepairOptions& options);

}  // namespace affix::inline v0::journal
