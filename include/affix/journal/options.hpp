// SPDX-License-Identifier: MIT
// Options for opening a journal, and the results of opening. Read once, at opening.
#pragma once

#include "affix/journal/disk.hpp"
#include "affix/journal/new_pages.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/ring_budget.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::journal {

/// The failure that a stored record survives.
enum class Durability : std::uint8_t {
  Memory,   ///< None: a ring in memory, no file.
  Process,  ///< A killed process: stores to a shared file mapping.
  Group,    ///< Power loss, except records since the last flush().
  Sync,     ///< Power loss, once durable() has reached it; until then a killed process. Send
            ///< nothing to the peer that is not durable yet.
};

/// Reaction if the machine lost power without a clean close, so that numbers which the peer has
/// seen may be missing.
enum class AfterPowerLoss : std::uint8_t {
  SkipAhead,  ///< Continues with the outgoing number that was reserved ahead; a gap fill answers
              ///< the peer.
  Refuse,     ///< Opening fails with ErrorCode::Damaged, for an operator to decide.
};

/// Processed marks that stay valid after a power loss. After a kill, all of them do.
enum class MarkTrust : std::uint8_t {
  Stored,   ///< All marks on the disk.
  Vouched,  ///< Marks on the disk that Journal::vouch_for_marks() covers: the answer to a message
            ///< may be in another journal, and if it is lost the message must be redelivered. Group
            ///< and Sync only; the others never flush.
};

/// Whether the records of a journal begin here or elsewhere.
enum class JournalRole : std::uint8_t {
  Writer,  ///< Appends.
  Copy,    ///< Follows another journal, byte for byte, until Journal::lead(). Must exist: plant()
           ///< makes it. Opening appends no event. After a power loss it ends at its last whole
           ///< record, whatever `after_power_loss` says, and keeps the reserve that it was told.
           ///< Not with Durability::Memory.
};

struct Options {
  /// Directory of this journal only; created with its parents if missing. Unused with
  /// Durability::Memory.
  std::string directory;

  /// Identity of the session, for example "FIX.4.4:BANK->VENUE". At most `identity_bytes_max` bytes
  /// of any content. A directory with another identity is refused.
  std::string identity;

  Durability durability = Durability::Process;

  /// Bytes of the first segment file, rounded up to a power of two; later ones follow their use.
  std::uint64_t first_segment_bytes = 64 * 1024;

  /// Limit of a later segment, rounded up to a power of two, at most 1 GiB. Zero stores numbers
  /// without messages: nothing can be resent or redelivered, and only the current segment is
  /// kept.
  std::uint64_t max_segment_bytes = 64 * 1024 * 1024;

  /// Durability::Memory: minimum bytes of records that the ring keeps, as far as `ring_budget`
  /// lets it grow. The ring consists of segments of equal size, of which the newest replaces the
  /// oldest.
  std::uint64_t ring_bytes = 1024 * 1024;

  /// Maximum message that the ring must accept. Its segments are as small as that allows, at least
  /// 64 KiB, and at most 64 in number. Zero: a quarter of `ring_bytes`.
  std::uint64_t ring_message_bytes_max = 0;

  /// Budget for the ring's segments while it is open; null: no limit. The ring starts with two and
  /// takes another whenever it needs one, up to `ring_bytes`. If the budget is used up, it
  /// overwrites its oldest segment instead. Must outlive the journal.
  RingBudget* ring_budget = nullptr;

  /// Distance between the outgoing number and its durable reserve, from which
  /// AfterPowerLoss::SkipAhead continues. Zero keeps no reserve and saves opening one flush to the
  /// disk.
  std::uint64_t sequence_reserve = 100'000;

  AfterPowerLoss after_power_loss = AfterPowerLoss::SkipAhead;

  MarkTrust mark_trust = MarkTrust::Stored;

  JournalRole role = JournalRole::Writer;  ///< Whether the journal appends, or follows another one.

  /// Retention of old segments: maximum age of the newest record, number of days in UTC, total
  /// bytes; 0 for no limit. prepare() removes segments beyond any limit, oldest first; never the
  /// current or previous segment, or one with unprocessed records. Removed messages cannot be
  /// resent: gap fills replace them.
  std::int64_t keep_ns = 0;
  std::int64_t keep_days = 0;
  std::uint64_t keep_bytes = 0;

  /// Destination of segments that are not kept; empty: they are deleted.
  std::string archive_directory;

  /// How pages of new segments are made present; measure_page_costs() finds the cheaper way.
  NewPages new_pages = NewPages::Written;

  /// Disk for its files; null: the system's. Must outlive the journal.
  Disk* disk = nullptr;

  /// close() flushes to the disk before it sets the clean mark. If false, a clean close is
  /// recognised only until the machine restarts. Group and Sync always flush.
  bool sync_on_close = true;

  /// Durability::Memory: locks pages of the ring in memory when they are taken, not before.
  bool lock_pages = false;
};

/// Initial size in bytes of a ring in memory with these options: opening fails if its budget has
/// less left.
[[nodiscard]] std::uint64_t ring_bytes_at_start(const Options& options) noexcept;

/// Results of opening. The numbers follow from the records alone.
struct Recovered {
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
  std::int64_t last_utc_ns =
      0;  ///< Time stamp of the newest record in the last segment; 0: no record.
  std::uint64_t records =
      0;  ///< Records read while opening; only the last segment's unless power was lost.
  std::uint64_t unprocessed =
      0;  ///< Received records that the application has not processed: Journal::unprocessed().
  std::uint64_t cut_bytes = 0;  ///< Bytes removed after the last whole record.
  std::string cut_file;         ///< File with a copy of those bytes; empty if there were none.
  std::uint64_t skipped_from =
      0;                    ///< The outgoing number before the journal skipped ahead; 0: no skip.
  bool created = false;     ///< No journal existed before.
  bool clean = true;        ///< The last writer closed it cleanly.
  bool other_boot = false;  ///< The machine has been restarted since.
};

}  // namespace affix::inline v0::journal
