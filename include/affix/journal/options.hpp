// SPDX-License-Identifier: MIT
// How a journal is opened, and what opening it found. Read once, at opening.
#pragma once

#include "affix/journal/disk.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/ring_budget.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::journal {

/// What a stored record survives.
enum class Durability : std::uint8_t {
  Memory,   ///< Nothing: a ring in memory, no file.
  Process,  ///< The process being killed: stores to a shared file mapping.
  Group,    ///< Power loss, but for what was appended since the last flush().
  Sync,     ///< Power loss, once durable() has reached it; until then the process. What is not
            ///< durable yet must not be told to the peer.
};

/// What to do when the machine went down without a clean close, so that numbers the peer has seen
/// may be gone.
enum class AfterPowerLoss : std::uint8_t {
  SkipAhead,  ///< Go on with the outgoing number that was reserved ahead; a gap fill answers the
              ///< peer.
  Refuse,     ///< Opening fails with ErrorCode::Damaged, for a person to decide.
};

/// Which processed marks a power loss leaves in force. A killed process leaves all.
enum class MarkTrust : std::uint8_t {
  Stored,   ///< Those that have reached the disk.
  Vouched,  ///< Of these, those that Journal::vouch_for_marks() covers: an answer may lie in
            ///< another journal, and a message whose answer is gone must come again. Group and
            ///< Sync; the others have nobody who flushes.
};

struct Options {
  /// The journal's own directory; made, with its parents, when missing. Unused with
  /// Durability::Memory.
  std::string directory;

  /// Who the session is, for example "FIX.4.4:BANK->VENUE". At most `identity_bytes_max` bytes of
  /// any content. A directory that holds another identity is refused.
  std::string identity;

  Durability durability = Durability::Process;

  /// Bytes of the first segment file, rounded up to a power of two; each next one is twice as long.
  std::uint64_t first_segment_bytes = 64 * 1024;

  /// Where that doubling stops, rounded up to a power of two, at most 1 GiB. Zero keeps numbers
  /// without messages: nothing can be resent or handed to the application again, and only the
  /// segment in use is kept.
  std::uint64_t max_segment_bytes = 64 * 1024 * 1024;

  /// Durability::Memory: so many bytes of records the ring keeps at least, as far as `ring_budget`
  /// lets it grow. It consists of segments of one size, of which the oldest makes room for the
  /// newest.
  std::uint64_t ring_bytes = 1024 * 1024;

  /// The longest message that the ring must take: its segments are as small as that allows, 64 KiB
  /// at least, and no more than 64 of them. Zero: a quarter of `ring_bytes`.
  std::uint64_t ring_message_bytes_max = 0;

  /// What the ring's segments count in, while it is open; null: nowhere. It begins with two, and
  /// takes one more whenever it needs one, until it has what `ring_bytes` asks for. Where the
  /// budget has none left, its oldest segment makes room instead. Outlives the journal.
  RingBudget* ring_budget = nullptr;

  /// How far ahead of the outgoing number the durable reserve is kept, which
  /// AfterPowerLoss::SkipAhead goes on from. Zero keeps none and spares opening a flush to the
  /// disk.
  std::uint64_t sequence_reserve = 100'000;

  AfterPowerLoss after_power_loss = AfterPowerLoss::SkipAhead;

  MarkTrust mark_trust = MarkTrust::Stored;

  /// What is kept of segments no longer written: those whose newest record is at most so old, of
  /// the last so many days in UTC, and in all so many bytes; 0 for no such limit. What one of them
  /// does not keep goes, oldest first, in prepare(); never what is written, what the application
  /// has not had, or the segment before. What is gone cannot be resent: gap fills answer for it.
  std::int64_t keep_ns = 0;
  std::int64_t keep_days = 0;
  std::uint64_t keep_bytes = 0;

  /// Where segments go that are not kept; empty: they are removed.
  std::string archive_directory;

  /// The disk that its files are on; null: the system's. Outlives the journal.
  Disk* disk = nullptr;

  /// Whether close() flushes to the disk before it sets the clean mark. Without, a clean close
  /// counts as one only until the machine goes down. Group and Sync flush whatever it says.
  bool sync_on_close = true;

  /// Durability::Memory: pages of the ring are locked in memory as they are taken, and not before.
  bool lock_pages = false;
};

/// With how many bytes a ring in memory of such options begins: opening fails where its budget has
/// fewer left.
[[nodiscard]] std::uint64_t ring_bytes_at_start(const Options& options) noexcept;

/// What opening found. The numbers follow from the records alone.
struct Recovered {
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  std::int64_t last_utc_ns =
      0;  ///< Time stamp of the newest record in the last segment, 0 without one.
  std::uint64_t records =
      0;  ///< Records read to open, all in the last segment unless power was lost.
  std::uint64_t unprocessed =
      0;  ///< Received records the application has not had: Journal::unprocessed().
  std::uint64_t cut_bytes = 0;  ///< Bytes behind the last whole record that were taken away.
  std::string cut_file;         ///< Where those bytes are kept; empty when there were none.
  std::uint64_t skipped_from =
      0;                    ///< The outgoing number before it skipped ahead, 0 when it did not.
  bool created = false;     ///< There was no journal before.
  bool clean = true;        ///< The last writer closed it.
  bool other_boot = false;  ///< The machine was restarted since.
};

}  // namespace affix::inline v0::journal
