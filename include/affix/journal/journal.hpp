// SPDX-License-Identifier: MIT
// The durable log of one session: every message of both directions, appended to memory-mapped
// segments. Sequence numbers are derived from it alone. See docs/reference/journal-format.md.
// Does not interpret FIX fields; callers remove secrets from messages before they append
// them.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/replay.hpp"
#include "affix/journal/stall_watch.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {

/// Result of an append. After all values but Appended nothing was written, no number changed.
enum class AppendResult : std::uint8_t {
  Appended,
  NoSpace,      ///< The disk has no space for the next segment. Continues when prepare() succeeds.
  Unavailable,  ///< The next segment could not be created for another reason; prepare() returns it.
  TooLarge,     ///< The message exceeds the maximum segment size.
  NoReserve,    ///< The number is not yet reserved on the disk, so that a power loss could make the
                ///< engine use it twice. Continues when prepare(), with Durability::Group flush(),
                ///< succeeds.
  OutOfOrder,   ///< A sent message's number is below the next outgoing number and would be used
                ///< twice.
  Failed,       ///< The disk failed: appended records may not be on it. Continues when flush()
                ///< succeeds.
  Closed,       ///< close() was called.
};

[[nodiscard]] const char* to_text(AppendResult result) noexcept;
[[nodiscard]] base::MessageCode code_of(AppendResult result) noexcept;

/// Result of an append, and the record's position. One word, passed in a register: narrower members
/// would be stored in pieces and then reloaded, which stalls.
class Appended {
 public:
  constexpr explicit Appended(Position position) noexcept
      : word_(std::endian::native == std::endian::little
                  ? std::uint64_t{position.offset} << 32 | position.segment
                  : std::uint64_t{position.segment} << 32 | position.offset) {}

  /// A failure: any result but AppendResult::Appended.
  constexpr explicit Appended(AppendResult why) noexcept
      : Appended(Position{0, static_cast<std::uint32_t>(why)}) {}

  [[nodiscard]] constexpr AppendResult result() const noexcept {
    const auto held = std::bit_cast<Position>(word_);
    return held.valid() ? AppendResult::Appended : static_cast<AppendResult>(held.offset);
  }

  /// For mark_processed(). Invalid if the record was not stored.
  [[nodiscard]] constexpr Position position() const noexcept {
    return std::bit_cast<Position>(word_);
  }

 private:
  std::uint64_t word_;  // The position's bytes; after a failure, its offset is the result.
};

/// The extent to which a journal's marks were settled, for vouch_for_marks().
struct SettledMarks {
  Position before;         ///< Settled up to here; some records before it may be unmarked.
  bool changed = false;    ///< A mark may have been set since the previous settle_marks().
  std::uint64_t late = 0;  ///< Late marks of the journal so far.
};

/// Recipient of a received message.
enum class Delivery : std::uint8_t {
  Application,  ///< Unprocessed until mark_processed(); unprocessed() returns it again after a
                ///< crash.
  SessionOnly,  ///< The session has already processed it.
};

class LateMarks;
class Mirror;
struct Recovery;
class Segment;
struct SegmentBegin;
class SpareFile;
enum class SegmentAccess : std::uint8_t;

/// One writer thread appends, marks and replays. Another thread may run prepare() and read_ahead()
/// concurrently, and a third flush(); everything else is for the writer. Appends are noexcept, do
/// not allocate, take no lock and make no system call if the next segment was prepared in time.
/// Opened by open(), not movable.
class Journal {
 public:
  /// Opens or creates the journal of `options`. Blocks on the disk. Errors: Locked (another process
  /// or object uses it), Damaged (contradictory records that no crash explains), InvalidArgument
  /// (another session's journal, or options out of range), Unsupported (format version, byte order,
  /// durability), NoSpace, Io, Denied, Limit (too little left in Options::ring_budget). An error
  /// changes nothing on the disk.
  [[nodiscard]] static std::expected<std::unique_ptr<Journal>, base::Error> open(
      const Options& options);

  /// Opens or creates several journals at start-up: does the same as open() for each and returns
  /// the results in the order of `options`; failures are independent. Journals on one file system
  /// share their flushes, so opening waits for the disk twice, whatever their number. Each flushes
  /// alone if the system cannot report a failed write of another, or has so much unwritten data
  /// that sharing takes longer.
  [[nodiscard]] static std::vector<std::expected<std::unique_ptr<Journal>, base::Error>> open_all(
      std::span<const Options> options);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  Journal(Journal&&) = delete;
  Journal& operator=(Journal&&) = delete;

  /// Leaves the journal as a killed process does, unless close() was called.
  ~Journal();

  // --- Appends: the writer thread. ---

  /// Appends a message numbered `sequence`; the next outgoing number becomes `sequence + 1`.
  [[nodiscard]] AppendResult append_sent(std::uint64_t sequence, std::int64_t utc_ns,
                                         std::string_view message) noexcept;

  /// Does the same for a message that sets another outgoing number, like a SequenceReset.
  [[nodiscard]] AppendResult append_sent(std::uint64_t sequence, std::uint64_t next_outgoing,
                                         std::int64_t utc_ns, std::string_view message) noexcept;

  /// Does the same for a message in several pieces, stored as one.
  [[nodiscard]] AppendResult append_sent(std::uint64_t sequence, std::uint64_t next_outgoing,
                                         std::int64_t utc_ns,
                                         std::span<const std::string_view> pieces) noexcept;

  /// Appends a message that is queued because the session is not active, and counts it in queued().
  [[nodiscard]] AppendResult append_queued(std::uint64_t sequence, std::int64_t utc_ns,
                                           std::string_view message) noexcept;

  /// Appends an accepted message; the expected number becomes `expected_after`.
  [[nodiscard]] Appended append_received(std::uint64_t sequence, std::uint64_t expected_after,
                                         std::int64_t utc_ns, std::string_view message,
                                         Delivery delivery = Delivery::Application) noexcept;

  /// Appends a message received ahead of a gap; append_received() follows when it is in sequence.
  [[nodiscard]] AppendResult append_held(std::uint64_t sequence, std::int64_t utc_ns,
                                         std::string_view message) noexcept;

  /// Sets the number of queued messages that no resend has reached. Stored with the next record of
  /// a resend or an event.
  void set_unsent(std::uint32_t unsent) noexcept {
    queued_ = {unsent, unsent == 0 ? 0 : queued_.last};
  }

  /// Records that the numbers `from` to `to` were resent.
  [[nodiscard]] AppendResult append_resent(std::uint64_t from, std::uint64_t to,
                                           std::int64_t utc_ns,
                                           std::string_view text = {}) noexcept;

  /// Sets both numbers. EventType::Reset, and any event that lowers the outgoing number, is a limit
  /// for resends, because those numbers may be used again, and empties queued(). EventType::Remark
  /// keeps the numbers and ignores the arguments.
  [[nodiscard]] AppendResult append_event(EventType type, std::uint64_t next_outgoing,
                                          std::uint64_t next_expected, std::int64_t utc_ns,
                                          std::string_view text) noexcept;

  /// Marks the received record at `position`, from append_received() or unprocessed(), as
  /// processed. Idempotent. A record two segments back costs a system call.
  void mark_processed(Position position) noexcept {
    if (keeps_marks_) {
      static_cast<void>(set_mark(position));
    }
  }

  /// Does the same for an untrusted position, after a check of the record's checksum. False: no
  /// received record begins there, or abandon() was called. O(bytes of the message); a record two
  /// segments back costs a few system calls.
  [[nodiscard]] bool finish(Position position) noexcept {
    return is_received(position) && (in_memory_ || (keeps_marks_ && set_mark(position)));
  }

  // --- MarkTrust::Vouched: marks that survive a power loss. ---

  /// True if records were appended since settle_marks(). Always false with MarkTrust::Stored. The
  /// writer thread.
  [[nodiscard]] bool needs_settling() const noexcept { return vouches_ && end() != settled_; }

  /// Makes future marks of the records appended so far late: each goes to the queue of
  /// set_late_marks() and survives a power loss only after confirm_mark(). Call it between
  /// messages, so that most journals never have late marks. The writer thread.
  SettledMarks settle_marks() noexcept;

  /// Declares that everything sent before settle_marks() returned `settled`, in any journal, is on
  /// the disk: marks set before then survive a power loss once flush() has stored this, at most ten
  /// times a second. The thread that calls flush().
  void vouch_for_marks(const SettledMarks& settled) noexcept;

  /// True if flush() has not yet stored the last vouch_for_marks(). Any thread.
  [[nodiscard]] bool keeps_marks_to_itself() const noexcept {
    return marks_unsaved_.load(std::memory_order_relaxed);
  }

  /// Sets the queue for late marks; null: none. Immediately queues unconfirmed marks of an earlier
  /// process. The writer thread.
  void set_late_marks(LateMarks* late) noexcept;

  /// True if the queue of late marks is full. A further one waits for the next opening.
  [[nodiscard]] bool awaits_confirmations() const noexcept;

  /// Declares that everything sent before the late mark at `position` was set is on the disk. The
  /// writer thread; a record two segments back costs a few system calls.
  void confirm_mark(Position position) noexcept;

  /// True if a received record begins there; in an unmapped segment this is not checked.
  [[nodiscard]] bool is_received(Position position) const noexcept;

  // --- Reading back: the writer thread. ---

  /// Returns the stored sent messages `from` to `to` in order, back to the last reset; omits
  /// numbers without a stored message. With ColdPages::Read it opens at most one file per segment
  /// visited; with ColdPages::Await it opens and reads no file on this thread.
  [[nodiscard]] Replay replay(std::uint64_t from, std::uint64_t to,
                              ColdPages cold_pages = ColdPages::Read) const;

  /// Returns received messages that the application has not processed, in order, up to end().
  /// `cold_pages` as for replay().
  [[nodiscard]] Replay unprocessed(ColdPages cold_pages = ColdPages::Read) const {
    return unprocessed(end(), cold_pages);
  }

  /// Does the same up to `until`, an earlier end().
  [[nodiscard]] Replay unprocessed(Position until, ColdPages cold_pages = ColdPages::Read) const;

  /// Number of unprocessed records, and a position at or before the oldest; invalid if there is
  /// none. The journal keeps all segments from there on, regardless of the retention options.
  [[nodiscard]] std::uint64_t unprocessed_count() const noexcept { return unprocessed_count_; }

  [[nodiscard]] Position oldest_unprocessed() const noexcept { return oldest_unprocessed_; }

  [[nodiscard]] std::uint64_t next_outgoing() const noexcept { return next_outgoing_; }

  [[nodiscard]] std::uint64_t next_expected() const noexcept { return next_expected_; }

  /// Queued messages that no resend has reached, also of earlier processes.
  [[nodiscard]] const QueuedMessages& queued() const noexcept { return queued_; }

  /// UTC time since when the numbers are continuous: that of the last event that reset or lowered
  /// them, or else of the first record; 0 if neither is stored any more. Opens and reads a file if
  /// the record is in an earlier segment.
  [[nodiscard]] std::int64_t numbers_since_utc_ns() const;

  /// Position of the next record, unless it needs a new segment.
  [[nodiscard]] Position end() const noexcept {
    return {segment_number_, static_cast<std::uint32_t>(offset_)};
  }

  [[nodiscard]] const Recovered& recovered() const noexcept { return recovered_; }

  /// Loads code and memory for append_sent() of such a message into the caches without storing
  /// anything. O(bytes); the writer's thread.
  void rehearse(std::string_view message) const noexcept;

  // --- Durability::Group and Durability::Sync: one thread at a time, also in parallel to the
  // writer. ---

  /// Flushes all appended records to the disk and advances durable(). Blocks on the disk, but
  /// not the appends of the writer. After an error appends return Failed until a later call
  /// succeeds, which flushes the same bytes again; nothing is lost. No effect for the other
  /// durabilities.
  [[nodiscard]] std::expected<void, base::Error> flush();

  /// True if flush() has work. Cheap; any thread.
  [[nodiscard]] bool needs_flush() const noexcept {
    return end_shared_.load(std::memory_order_relaxed) !=
               durable_.load(std::memory_order_relaxed) ||
           flush_failed();
  }

  /// Records before this position survive a power loss. Any thread.
  [[nodiscard]] Position durable() const noexcept {
    // Acquire: the caller may act on everything before the position.
    const std::uint64_t value = durable_.load(std::memory_order_acquire);
    return {static_cast<std::uint32_t>(value >> 32), static_cast<std::uint32_t>(value)};
  }

  /// True if the disk failed and appends return Failed: until flush() succeeds or, if a page of a
  /// file was lost (bus_error.hpp), the journal is opened again. Any thread.
  [[nodiscard]] bool failed() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & ~halted_by_close) != 0;
  }

  /// True if the last flush() failed. Any thread.
  [[nodiscard]] bool flush_failed() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & halted_by_flush) != 0;
  }

  // --- Preparation: any one thread at a time, also in parallel to the writer. ---

  /// True if prepare() has work. Cheap; any thread.
  [[nodiscard]] bool needs_preparation() const noexcept {
    return (wants_.load(std::memory_order_relaxed) & wants_preparation) != 0;
  }

  /// Prepares the next segment when the current one is half full, renews the reserve of
  /// outgoing numbers, releases segments that are no longer written, and pre-faults a
  /// few pages. Call it while needs_preparation() is true. Blocks on the disk. After
  /// NoSpace it may be retried at the caller's pace. Without a second thread the writer
  /// calls it between batches; an append that finds something unprepared prepares it
  /// itself.
  [[nodiscard]] std::expected<void, base::Error> prepare();

  /// True if a replay with ColdPages::Await needs data. Cheap; any thread.
  [[nodiscard]] bool needs_read_ahead() const noexcept {
    return asked_.load(std::memory_order_relaxed) != nullptr;
  }

  /// Reads data for replays with ColdPages::Await, and releases the memory of data that they have
  /// used: at most three half megabytes per replay. Blocks on the disk, but blocks neither appends
  /// nor prepare() nor flush(). One thread at a time, the writer's if there is no other. True: it
  /// did something.
  bool read_ahead() noexcept;

  /// Number of appends that stalled, because they had to prepare a segment or to reserve numbers on
  /// the disk themselves.
  [[nodiscard]] std::uint64_t stalls() const noexcept { return stalls_; }

  /// Sets the observer of waiting appends; null: none. It must outlive the last append, or be unset
  /// before. Call it on the appending thread, or while nothing is appended.
  void watch_stalls(StallWatch* watch) noexcept { stall_watch_ = watch; }

  /// Number of times, since the last call, that Options::ring_budget was used up and the oldest
  /// messages were overwritten instead. The writer thread.
  [[nodiscard]] std::uint64_t take_ring_refusals() noexcept {
    return ring_refused_ ? take_from_ring() : 0;
  }

  /// Marks the journal as cleanly closed; later appends return Closed. Neither prepare() nor
  /// flush() may be running.
  [[nodiscard]] std::expected<void, base::Error> close();

  /// Stops all writing, processed marks included: the files stay as after SIGKILL. For
  /// tests of recovery. Neither prepare() nor flush() may be running. Later appends return
  /// Closed.
  void abandon() noexcept;

 private:
  friend class Replay;
  struct Home;

  struct Opening;
  class OpenedTogether;

  Journal(const Options& options, const BootId& boot);

  struct Numbers {
    std::uint64_t sequence;
    std::uint64_t number_after;
    std::int64_t utc_ns;
    std::uint32_t unsent = 0;
  };

  // `Message` is one view or a span of them. Defined and inlined where it is used.
  template <typename Message>
  [[nodiscard]] Appended append(Kind kind, EventType event, bool processed, const Numbers& numbers,
                                const Message& message) noexcept;
  template <typename Message>
  [[nodiscard]] AppendResult append_numbered(const Numbers& numbers,
                                             const Message& message) noexcept;
  [[nodiscard]] AppendResult make_room(std::size_t record_bytes, std::int64_t utc_ns) noexcept;
  [[nodiscard]] AppendResult roll(std::size_t record_bytes, std::int64_t utc_ns) noexcept;
  [[nodiscard]] Segment* take_next(std::size_t record_bytes) noexcept;
  [[nodiscard]] SegmentBegin fresh_begin(std::uint32_t number, std::int64_t utc_ns) const noexcept;
  void begin_segment(Segment& segment, std::uint32_t number, std::int64_t utc_ns) noexcept;
  void go_on_in(Segment& segment, std::size_t end) noexcept;
  [[nodiscard]] std::size_t limit_for(std::size_t record_bytes) noexcept;
  [[nodiscard]] bool keep_within_mirror(std::size_t record_bytes) noexcept;
  [[nodiscard]] bool store_before_roll(Segment& next) noexcept;
  void mirror_record(std::size_t offset, std::size_t record_bytes) noexcept;
  void leave_previous() noexcept;
  void retire(Segment& segment) noexcept;
  [[nodiscard]] std::uint64_t take_from_ring() noexcept;
  /// False: an unmapped segment has no received record there.
  [[nodiscard]] bool set_mark(Position position) noexcept;
  void note_sent(std::uint64_t sequence, std::size_t offset) noexcept;
  [[nodiscard]] bool reserve(std::uint64_t next_outgoing) noexcept;
  [[nodiscard]] bool reserve_now(std::uint64_t next_outgoing) noexcept;
  void ask_for_reserve(std::uint64_t next_outgoing) noexcept;
  void advance_unprocessed() noexcept;
  void bring_mark(Segment& segment, Position position, std::size_t mark_offset) noexcept;
  void note_late(Position position) noexcept;
  [[nodiscard]] Position checkpoint_of_unprocessed() const noexcept;
  [[nodiscard]] format::State fresh_state(std::size_t durable_offset,
                                          std::uint64_t reserved_outgoing) const noexcept;

  [[nodiscard]] std::expected<void, base::Error> open_in_memory();
  [[nodiscard]] std::expected<void, base::Error> find_or_begin(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> begin_first(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> go_on_from(Recovery& recovery);
  [[nodiscard]] std::expected<void, base::Error> make_usable(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> bring_begin_and_name(const Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> finish_opening(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> announce_loss(std::uint64_t reserved);
  [[nodiscard]] std::expected<void, base::Error> prepare_segment(std::size_t record_bytes,
                                                                 SpareFile* spare);
  [[nodiscard]] std::expected<void, base::Error> prepare_next();
  [[nodiscard]] bool prepare_pages() noexcept;
  [[nodiscard]] std::expected<void, base::Error> renew_reserve(Segment& segment);
  [[nodiscard]] std::expected<void, base::Error> flush_to(Position end);
  [[nodiscard]] std::expected<void, base::Error> flush_range(Segment& segment, std::size_t end);
  [[nodiscard]] std::expected<void, base::Error> say_left(Segment& segment);
  [[nodiscard]] std::expected<void, base::Error> seal_flushed(Segment& segment);
  [[nodiscard]] std::expected<void, base::Error> seal_vouched();
  [[nodiscard]] std::expected<void, base::Error> store_vouched(Segment& segment);
  void say_vouched(Segment& segment) noexcept;
  [[nodiscard]] std::size_t vouched_offset(const Segment& segment,
                                           std::size_t flushed) const noexcept;
  [[nodiscard]] bool all_marks_vouched() const noexcept;
  [[nodiscard]] std::expected<void, base::Error> bring_begin(Segment& segment);
  void enter_flushed(Segment& segment) noexcept;
  [[nodiscard]] AppendResult halt_reason() const noexcept;
  [[nodiscard]] Disk& disk() const noexcept;
  [[nodiscard]] SegmentAccess access() const noexcept;
  void start_flushing() noexcept;
  [[nodiscard]] std::expected<void, base::Error> start_mirror();
  [[nodiscard]] std::expected<void, base::Error> sync_sealed();
  [[nodiscard]] std::expected<void, base::Error> seal_next();
  [[nodiscard]] std::expected<void, base::Error> seal(std::uint32_t number);
  [[nodiscard]] bool seals(std::uint32_t current) const noexcept;
  [[nodiscard]] std::expected<void, base::Error> sync_all();
  void let_go_of_retired() noexcept;
  void drop_read_ahead() noexcept;
  [[nodiscard]] std::expected<void, base::Error> retain();
  [[nodiscard]] std::size_t next_segment_bytes(std::size_t record_bytes) const noexcept;
  [[nodiscard]] Segment* mapped_segment(std::uint32_t number) const noexcept;

  // Members that an append uses, together.
  char* base_ = nullptr;        // The current segment's mapping.
  std::size_t offset_ = 0;      // Offset of the next record.
  std::size_t soft_limit_ = 0;  // An append past it checks for half full, or full.
  std::size_t index_at_ = 0;    // The first sent record from here on enters the segment's index.
  std::uint32_t segment_number_ = 0;
  bool keep_messages_ = true;
  bool in_memory_ = false;
  bool ring_refused_ = false;             ///< The ring has refusals to report.
  bool flushes_ = false;                  // Durability::Group or Durability::Sync.
  bool keeps_marks_ = true;               // A file exists to set processed marks in.
  bool vouches_ = false;                  // MarkTrust::Vouched, with flushes.
  bool marked_ = false;                   // Since it was settled, possibly.
  std::atomic<std::uint32_t> halted_{0};  // Reasons to refuse appends, as bits.
  std::uint64_t next_outgoing_ = 1;
  std::uint64_t next_expected_ = 1;
  std::uint64_t unprocessed_count_ = 0;
  Position oldest_unprocessed_;
  Position settled_;              // Marks before it are late.
  Position late_from_;            // At or before the oldest unconfirmed late mark.
  std::uint64_t late_count_ = 0;  // Unconfirmed late marks.
  std::uint64_t late_set_ = 0;    // Late marks, confirmed or not.
  LateMarks* late_marks_ = nullptr;
  Position barrier_;  // The last event that resends must not cross.
  Segment* current_ = nullptr;
  Segment* previous_ = nullptr;  // Still mapped, for marks set after a roll.
  // Durability::Sync: from there on, records of the current segment survive a kill only in it.
  std::unique_ptr<Mirror> mirror_;
  std::size_t mirrored_from_ = 0;
  // Durability::Sync: earlier segments not fully in the file, newest first.
  Segment* unflushed_ = nullptr;
  std::uint64_t stalls_ = 0;
  StallWatch* stall_watch_ = nullptr;
  std::uint64_t reserve_asked_from_ =
      0;  // The outgoing number at the last request for a reserve...
  std::int64_t reserve_asked_at_ns_ = 0;  // ... and its steady time.
  QueuedMessages queued_;

  // Members shared by two threads.
  static constexpr std::uint32_t halted_by_close = 1;
  static constexpr std::uint32_t halted_by_flush = 2;
  static constexpr std::uint32_t halted_by_page = 4;  // A page of the current segment was lost.
  static constexpr std::uint32_t wants_segment = 1;
  static constexpr std::uint32_t wants_release = 2;
  static constexpr std::uint32_t wants_reserve = 4;
  static constexpr std::uint32_t wants_pages = 16;  // Of current or prepared segments.
  // Earlier segments are to be sealed on the disk, or the spare file is to be cleaned.
  static constexpr std::uint32_t wants_seal = 32;
  static constexpr std::uint32_t wants_preparation =
      wants_segment | wants_release | wants_reserve | wants_pages | wants_seal;
  static constexpr std::uint32_t wants_reserve_flushed = 8;  // If flush() renews it.
  alignas(64) std::atomic<std::uint32_t> wants_{0};
  std::atomic<AppendResult> blocked_{AppendResult::Appended};  // Error of the next segment.
  std::atomic<Segment*> prepared_{nullptr};
  std::atomic<Segment*> retired_{nullptr};         // A list, linked through the segments.
  std::atomic<Segment*> current_shared_{nullptr};  // Released only while preparing_ is held.
  std::atomic<std::uint64_t> next_outgoing_shared_{1};
  std::atomic<std::uint64_t> reserved_{0};        // Numbers below may be used; on the disk.
  std::atomic<std::uint64_t> reserve_extent_{0};  // Numbers per reserve.
  std::atomic<bool> reserve_failed_{false};
  std::atomic<std::uint64_t> reserve_at_{UINT64_MAX};  // Requests a new reserve from here on.
  std::atomic_flag preparing_;
  std::atomic_flag making_;  // Held while making a segment, with preparing_ or without.
  // List of requests by replays; mutable because replays see a const journal.
  mutable std::atomic<ReadAhead*> asked_{nullptr};
  std::atomic_flag reading_ahead_;

  // Members shared by the flushing thread and the writer, apart from the appends' cache line.
  alignas(64) std::atomic<std::uint64_t> end_shared_{0};  // end(), packed, while flushes_.
  std::atomic<std::uint64_t> durable_{0};
  std::atomic<std::uint64_t> marked_from_{UINT64_MAX};  // Marks before it are in the file.
  std::atomic<std::uint64_t> vouched_{0};               // Marks before it survive a power loss.
  std::atomic<bool> marks_unsaved_{false};
  std::atomic_flag flushing_;

  std::unique_ptr<Home> home_;
  Options options_;
  Recovered recovered_;
};

}  // namespace affix::inline v0::journal
