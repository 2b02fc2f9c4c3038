// SPDX-License-Identifier: MIT
// Makes a journal that opening refuses one that opens, and says exactly what was lost. Nothing is
// thrown away: every file that is changed stays beside the new one under another name.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::journal {

struct RepairOptions {
  std::string directory;

  /// False: only says what would be done, and needs no lock.
  bool apply = false;

  /// The outgoing number to go on from where the last ones may be lost. Without it the reserve is
  /// taken that the journal keeps ahead. At least what the records say.
  std::optional<std::uint64_t> next_outgoing;

  /// Who the session is. Needed only when no segment is left whose header says it.
  std::string identity;

  std::int64_t now_utc_ns = 0;
};

/// One segment that was, or would be, written anew.
struct RepairedSegment {
  std::uint32_t number = 0;
  std::string kept_as;              ///< The damaged file's path; empty when nothing was applied.
  std::vector<std::string> losses;  ///< What was found and is lost, a sentence each.
};

struct Repair {
  std::vector<RepairedSegment> segments;  ///< Empty: there is nothing that repairing could mend.
  std::vector<std::string> remaining;     ///< What is wrong and stays so, a sentence each.
  std::uint64_t next_outgoing = 1;        ///< As opening will find them.
  std::uint64_t next_expected = 1;
  std::uint64_t skipped_from =
      0;  ///< The outgoing number before it skips ahead, 0 when it does not.
};

/// Holes between whole records become one event that says what was there, so that every other
/// record stays at its place; a damaged end is cut and the outgoing number goes on from the
/// reserve; a header or a state that is lost is made anew from the segment before. Blocks on the
/// disk; a crash in between leaves the old file or the new one. Errors: NotFound, Locked (applied
/// beside a writer), InvalidArgument (the options do not say what is needed; the text tells which),
/// Unsupported, NoSpace, Io, Denied.
[[nodiscard]] std::expected<Repair, base::Error> repair(const RepairOptions& options);

}  // namespace affix::inline v0::journal
