// SPDX-License-Identifier: MIT
// What a journal's files say, judged: what a crash can have left is told from damage. Reads only;
// recovery.cpp carries out what is found here, verifying and repairing ask whether opening would
// refuse. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/record.hpp"

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
  std::vector<Position> late;  ///< Received records with a late mark.

  void apply(const Record& record) noexcept;
};

/// Whether a resend may not reach back past this event.
[[nodiscard]] constexpr bool is_barrier(EventType type, std::uint64_t next_outgoing_before,
                                        std::uint64_t next_outgoing_after) noexcept {
  return type == EventType::Reset || next_outgoing_after < next_outgoing_before;
}

/// One segment of the journal's end, as found.
struct Candidate {
  std::uint32_t number = 0;
  SegmentHandle
      segment;  // Null when the file holds no begun segment: only a power loss explains that.
  std::size_t end = 0;

  [[nodiscard]] bool shorter_than_made() const noexcept {
    return segment->size() < segment->header().segment_bytes;
  }
};

/// What is looked at, and what it has to be.
struct JudgedJournal {
  std::string directory;
  Disk* disk = nullptr;
  BootId boot;
  SegmentAccess access = SegmentAccess::ReadOnly;
  std::optional<std::string> identity;  ///< Nothing: any.
  bool keeps_reserve = true;
  AfterPowerLoss after_power_loss = AfterPowerLoss::SkipAhead;
  /// Paths that stand for those of segments of these numbers: how a repair would leave them.
  std::map<std::uint32_t, std::string> instead;

  [[nodiscard]] std::string path(std::uint32_t number) const;
};

struct Judgement {
  /// The segments that were read, ascending; the last is the one to go on in. Empty: there is no
  /// journal yet.
  std::vector<Candidate> chain;
  SegmentEnd end;  ///< What is behind the last one's records.
  /// Records of it, from `mirrored_at` on, that are in the mirror and not in its file.
  std::string mirrored;
  std::size_t mirrored_at = 0;
  std::vector<std::uint32_t> unbegun;  ///< Prepared and never used.
  std::vector<std::uint32_t> aside;    ///< Behind a cut, or before a hole.
  /// Received records whose marks do not count, as what was sent before them may not be on the
  /// disk.
  std::vector<Position> unbelieved;
  format::State state{};  ///< Of the newest segment.
  Standing standing;
  std::uint64_t reserved = 0;  ///< The durable reserve of outgoing numbers, 0 for none.
  bool clean = false;
  bool same_boot = false;
  bool power_lost = false;
  bool numbers_lost = false;  ///< Committed records may be gone: the numbers skip to the reserve.
};

/// Whether the newest segment's state says that the journal was closed with its records on the
/// disk: proof across a restart of the machine.
[[nodiscard]] inline bool is_closed_on_disk(const format::State& state) noexcept {
  return state.clean == 1 && state.durable_offset == state.end_offset;
}

/// Whether the mark of a record at `offset` counts after a power loss, in a segment where what was
/// sent before the marks up to `believed` is known to be on the disk.
[[nodiscard]] inline bool outlives_power_loss(format::Mark mark, std::size_t offset,
                                              std::size_t believed) noexcept {
  return mark != format::Mark::Late && (mark != format::Mark::Ordered || offset < believed);
}

/// Whether the mirror of `directory` counts for a segment whose newest state this is: its writer
/// had one, and was killed in this boot.
[[nodiscard]] bool is_mirrored(const std::optional<format::State>& state,
                               const BootId& boot) noexcept;

/// Reads the newest segment, and after a power loss those before it that are not known to be on the
/// disk. Damaged: neither a kill nor a power loss leaves that. Other errors as for Journal::open().
[[nodiscard]] std::expected<Judgement, base::Error> judge(const JudgedJournal& journal);

}  // namespace affix::inline v0::journal
