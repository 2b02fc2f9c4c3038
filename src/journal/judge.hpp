// SPDX-License-Identifier: MIT
// Decides from a journal's files if their state is the result of a crash or of damage. Reads only;
// recovery.cpp carries out the decisions; verifying and repairing ask whether opening would refuse.
// Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/segment_counts.hpp"

#include "journal/mirror.hpp"
#include "journal/segment.hpp"
#include "journal/segment_end.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {

/// State after reading records in sequence. The writer keeps the same numbers as it
/// appends.
struct Standing {
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  std::int64_t last_utc_ns = 0;
  std::uint64_t records = 0;
  SegmentCounts unprocessed;
  Position oldest_unprocessed;
  Position counted_from;  ///< Received records before it count as processed, whatever their marks.
  Position barrier;
  QueuedMessages queued;
  std::uint64_t epoch = 0;
  Position epoch_at;           ///< The record that began it.
  std::vector<Position> late;  ///< Received records with a late mark.

  void apply(const Record& record) noexcept;
};

/// True if a resend must not go back beyond this event.
[[nodiscard]] constexpr bool is_barrier(EventType type, std::uint64_t next_outgoing_before,
                                        std::uint64_t next_outgoing_after) noexcept {
  return type == EventType::Reset || next_outgoing_after < next_outgoing_before;
}

/// One segment at the end of the journal, as found.
struct Candidate {
  std::uint32_t number = 0;
  SegmentHandle
      segment;  // Null when the file has no begun segment: only a power loss explains that.
  std::size_t end = 0;

  [[nodiscard]] bool shorter_than_made() const noexcept {
    return segment->size() < segment->header().segment_bytes;
  }
};

/// Input of the decision: the files, and their expected identity.
struct JudgedJournal {
  std::string directory;
  Disk* disk = nullptr;
  BootId boot;
  SegmentAccess access = SegmentAccess::ReadOnly;
  std::optional<std::string> identity;  ///< Nullopt: any.
  bool keeps_reserve = true;
  AfterPowerLoss after_power_loss = AfterPowerLoss::SkipAhead;
  JournalRole role = JournalRole::Writer;
  /// Replacement paths for segments of these numbers: their state after a repair.
  std::map<std::uint32_t, std::string> instead;

  [[nodiscard]] std::string path(std::uint32_t number) const;
};

struct Judgement {
  /// The segments that were read, ascending; the writer continues in the last. Empty: there is no
  /// journal yet.
  std::vector<Candidate> chain;
  SegmentEnd end;  ///< Bytes after the last segment's records.
  /// Its records from `mirrored_at` on that are in the mirror and not in its file.
  std::string mirrored;
  std::size_t mirrored_at = 0;
  std::vector<std::uint32_t> unbegun;  ///< Prepared and never used.
  std::vector<std::uint32_t> aside;    ///< After a cut, or before a hole.
  /// Received records whose marks do not count, as messages sent before them may not be on the
  /// disk.
  std::vector<Position> unbelieved;
  format::State state{};  ///< Of the newest segment.
  Standing standing;
  std::uint64_t reserved = 0;  ///< The durable reserve of outgoing numbers, 0 for none.
  bool clean = false;
  bool same_boot = false;
  bool power_lost = false;
  bool numbers_lost = false;  ///< Committed records may be gone: numbers skip to the reserve.
};

/// True if the newest segment's state says that the journal was closed with its records on the
/// disk: proof across a restart of the machine.
[[nodiscard]] inline bool is_closed_on_disk(const format::State& state) noexcept {
  return state.clean == 1 && state.durable_offset == state.end_offset;
}

/// True if the mark of a record at `offset` counts after a power loss, in a segment where
/// everything sent before the marks up to `believed` is known to be on the disk.
[[nodiscard]] inline bool outlives_power_loss(format::Mark mark, std::size_t offset,
                                              std::size_t believed) noexcept {
  return mark != format::Mark::Late && (mark != format::Mark::Ordered || offset < believed);
}

/// True if a segment of at least format::records_offset bytes without a magic may only have been
/// prepared, or its writer was about to begin in it: nothing was ever appended to it.
[[nodiscard]] bool was_never_begun(std::string_view bytes, std::uint32_t number) noexcept;

/// True if the mirror of `directory` counts for a segment with this newest state: its writer had a
/// mirror, and was killed in this boot.
[[nodiscard]] bool is_mirrored(const std::optional<format::State>& state,
                               const BootId& boot) noexcept;

/// That mirror; nullopt where it does not count, or there is none.
[[nodiscard]] std::optional<MirrorReader> mirror_of(const std::string& directory,
                                                    const std::optional<format::State>& state,
                                                    const BootId& boot);

/// Reads the newest segment, and after a power loss those before it not known to be on the disk.
/// Damaged: neither a kill nor a power loss explains the state. Other errors: Journal::open().
[[nodiscard]] std::expected<Judgement, base::Error> judge(const JudgedJournal& journal);

}  // namespace affix::inline v0::journal
