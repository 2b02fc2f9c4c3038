// SPDX-License-Identifier: MIT
// The durable log of one session: every message of both directions, appended to memory-mapped
// segments. Sequence numbers are derived from it alone. See docs/reference/journal-format.md.
// Does not interpret FIX fields; callers remove secrets from messages before they append
// them.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/append_offset.hpp"
#include "affix/journal/append_result.hpp"
#include "affix/journal/flush_progress.hpp"
#include "affix/journal/followed.hpp"
#include "affix/journal/format.hpp"
#include "affix/journal/mapped_segments.hpp"
#include "affix/journal/number_reserve.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/processed_marks.hpp"
#include "affix/journal/read_ahead_queue.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/reign.hpp"
#include "affix/journal/replay.hpp"
#include "affix/journal/segment_handover.hpp"
#include "affix/journal/stall_watch.hpp"
#include "affix/journal/tap.hpp"
#include "affix/journal/vouched_marks.hpp"
#include "affix/journal/work_requests.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {

/// Recipient of a received message.
enum class Delivery : std::uint8_t {
  Application,  ///< Unprocessed until mark_processed(); unprocessed() returns it again after a
                ///< crash.
  SessionOnly,  ///< The session has already processed it.
};

struct Home;
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

  /// Begins `epoch`, which is greater than epoch(), at node `node`: appends an EventType::Epoch
  /// record with the text "epoch N, node NAME". Numbers are unchanged. OutOfOrder: the journal has
  /// such an epoch already.
  [[nodiscard]] AppendResult append_epoch(std::uint64_t epoch, std::int64_t utc_ns,
                                          std::string_view node) noexcept;

  /// Marks the received record at `position`, from append_received() or unprocessed(), as
  /// processed. Idempotent. A record two segments back costs a system call.
  void mark_processed(Position position) noexcept {
    if (marks_.kept()) {
      static_cast<void>(set_mark(position));
    }
  }

  /// Does the same for an untrusted position, after a check of the record's checksum. False: no
  /// received record begins there, or abandon() was called. O(bytes of the message); a record two
  /// segments back costs a few system calls.
  [[nodiscard]] bool finish(Position position) noexcept {
    return is_received(position) && (in_memory() || (marks_.kept() && set_mark(position)));
  }

  // --- MarkTrust::Vouched: marks that survive a power loss. ---

  /// True if records were appended since settle_marks(). Always false with MarkTrust::Stored. The
  /// writer thread.
  [[nodiscard]] bool needs_settling() const noexcept { return marks_.need_settling(end()); }

  /// Makes future marks of the records appended so far late: each goes to the queue of
  /// set_late_marks() and survives a power loss only after confirm_mark(). Call it between
  /// messages, so that most journals never have late marks. The writer thread.
  SettledMarks settle_marks() noexcept;

  /// The same for a copy, at any moment: settles the marks before its oldest unprocessed record, so
  /// that none of them is ever late, and the copy needs no queue for them. The writer thread.
  SettledMarks settle_followed() noexcept;

  /// Declares that everything sent before settle_marks() returned `settled`, in any journal, is on
  /// the disk: marks set before then survive a power loss once flush() has stored this, at most ten
  /// times a second. The thread that calls flush().
  void vouch_for_marks(const SettledMarks& settled) noexcept;

  /// True if flush() has not yet stored the last vouch_for_marks(). Any thread.
  [[nodiscard]] bool keeps_marks_to_itself() const noexcept { return vouched_.unsaved(); }

  /// Sets the queue for late marks; null: none. Immediately queues unconfirmed marks of an earlier
  /// process. The writer thread.
  void set_late_marks(LateMarks* late) noexcept;

  /// True if the queue of late marks is full: a further one would make it allocate.
  [[nodiscard]] bool awaits_confirmations() const noexcept;

  /// Declares that everything sent before the late mark at `position` was set is on the disk. The
  /// writer thread; a record two segments back costs a few system calls.
  void confirm_mark(Position position) noexcept;

  // --- Copies on other machines: the writer thread. ---

  /// Reports every later store to `tap`, with `tap_id`; null: none. Must outlive the last append,
  /// or be unset before. From then on no outgoing number is used before it is reserved on the disk,
  /// with Durability::Sync too. What is stored already is HistoryReader's to read, and
  /// reserved_outgoing() the reserve of now. No effect with Durability::Memory.
  void set_tap(Tap* tap, std::uint32_t tap_id) noexcept;

  /// Outgoing numbers below it are reserved on the disk; 0: none. On a copy, the greatest that
  /// follow_reserve() was given or that it found.
  [[nodiscard]] std::uint64_t reserved_outgoing() const noexcept { return reserve_.known(); }

  /// Greatest epoch in the journal; 0: none.
  [[nodiscard]] std::uint64_t epoch() const noexcept { return reign_.epoch; }

  /// Position of the record that began epoch(); invalid: none.
  [[nodiscard]] Position epoch_position() const noexcept { return reign_.at; }

  /// True if the journal follows another one: opened with JournalRole::Copy, or follow(). Appends
  /// return Following then, and marks of the application do nothing. Any thread.
  [[nodiscard]] bool is_copy() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & halted_by_following) != 0;
  }

  /// Stores a record of the other journal, with its mark and padding, as Tap::on_record() and
  /// HistoryReader have it. Must begin at end(); the numbers, queued(), marks and the index change
  /// as the append changed them there. Checks everything: any bytes are safe. Allocates nothing and
  /// makes no system call, like an append. One that is before end() is compared: AlreadyThere if it
  /// is equal but for the mark, and then the mark becomes that of `record`; WrongPlace if not. Of a
  /// segment that is not kept any more it is AlreadyThere.
  [[nodiscard]] Followed follow_record(Position at, std::string_view record) noexcept;

  /// Begins the next segment with exactly `header`, and its size. Must continue at end(). Uses the
  /// segment of prepare() if that has the size, and otherwise makes one, which waits for the disk.
  /// AlreadyThere: a segment of this number exists; that it has this header is checked only for the
  /// one in use.
  [[nodiscard]] Followed follow_segment(const format::Header& header) noexcept;

  /// Makes the mark of the received record at `at` as processed as `mark` is: Mark::None takes it
  /// back. With MarkTrust::Vouched the stored value is this journal's own, Ordered or Late, since
  /// whether the mark outlives a power loss depends on this disk; otherwise it is `mark`. Of a
  /// segment that is not kept any more it is AlreadyThere. A record two segments back costs a few
  /// system calls.
  [[nodiscard]] Followed follow_mark(Position at, format::Mark mark) noexcept;

  /// Makes exactly the received records at `unprocessed`, which ascend, unprocessed and all other
  /// records before end() processed, so that it agrees with the other journal's
  /// unprocessed_positions() at this end. Marks that were set there between the reading of history
  /// and the begin of a stream are nowhere else. O(bytes from the oldest of either on). WrongPlace:
  /// no received record begins at one of them.
  [[nodiscard]] Followed follow_unprocessed(std::span<const Position> unprocessed);

  /// Positions of the unprocessed received records, ascending. Reads the records from
  /// oldest_unprocessed() on; allocates.
  [[nodiscard]] std::vector<Position> unprocessed_positions() const;

  /// Reserves the outgoing numbers below `reserved_outgoing`, as Tap::on_reserve() has it: at once
  /// in memory; prepare(), or flush() with Group and Sync, then stores it. A smaller one than known
  /// is AlreadyThere.
  [[nodiscard]] Followed follow_reserve(std::uint64_t reserved_outgoing) noexcept;

  /// Makes a copy append, after its last record. No access to the disk, except after a power loss
  /// of this machine. Refreshes recovered(). The caller appends its epoch next: records before that
  /// one would be in no common part of the journals. Errors: InvalidArgument (no copy), Io.
  [[nodiscard]] std::expected<void, base::Error> lead();

  /// For a journal that leads and may lack records of messages that a peer has seen: continues at
  /// reserved_outgoing(), if that is beyond next_outgoing(), and appends an event that says so.
  /// Call it after append_epoch(). Errors: Damaged (no reserve is known), and the append's as
  /// NoSpace.
  [[nodiscard]] std::expected<void, base::Error> skip_to_reserve();

  /// Makes the journal a copy again, which follows from end() on. Unsets the tap.
  void follow() noexcept;

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

  /// Does the same from `from` on, the position of a record.
  [[nodiscard]] Replay unprocessed(Position from, Position until, ColdPages cold_pages) const;

  /// Number of unprocessed records, and a position at or before the oldest; invalid if there is
  /// none. The journal keeps all segments from there on, regardless of the retention options.
  [[nodiscard]] std::uint64_t unprocessed_count() const noexcept { return marks_.unprocessed(); }

  [[nodiscard]] Position oldest_unprocessed() const noexcept { return marks_.oldest_unprocessed(); }

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
    return {mapped_.number(), static_cast<std::uint32_t>(offset_)};
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

  /// Does the same for a few megabytes of the oldest records at most, for a thread that others wait
  /// for, too. True: all records appended before the call are flushed.
  [[nodiscard]] std::expected<bool, base::Error> flush_some() {
    return flush_piece(progress_.end());
  }

  /// Position before which all records are stored: end(), for any thread. Only with durabilities
  /// that are flushed.
  [[nodiscard]] Position stored() const noexcept { return progress_.end(); }

  /// True if flush() has work. Cheap; any thread.
  [[nodiscard]] bool needs_flush() const noexcept {
    return progress_.is_behind() || flush_failed() || requests_.need_flush();
  }

  /// Records before this position survive a power loss. Any thread.
  [[nodiscard]] Position durable() const noexcept { return progress_.durable(); }

  /// True if the disk failed and appends return Failed: until flush() succeeds or, if a page of a
  /// file was lost (bus_error.hpp), the journal is opened again. Any thread.
  [[nodiscard]] bool failed() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & ~(halted_by_close | halted_by_following)) !=
           0;
  }

  /// True if the last flush() failed. Any thread.
  [[nodiscard]] bool flush_failed() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & halted_by_flush) != 0;
  }

  // --- Preparation: any one thread at a time, also in parallel to the writer. ---

  /// True if prepare() has work. Cheap; any thread.
  [[nodiscard]] bool needs_preparation() const noexcept { return requests_.need_preparation(); }

  /// Prepares the next segment when the current one is half full, renews the reserve of
  /// outgoing numbers, releases segments that are no longer written, and pre-faults a
  /// few pages. Call it while needs_preparation() is true. Blocks on the disk. After
  /// NoSpace it may be retried at the caller's pace. Without a second thread the writer
  /// calls it between batches; an append that finds something unprepared prepares it
  /// itself.
  [[nodiscard]] std::expected<void, base::Error> prepare();

  /// The writer's way back after a refused append: prepare() without its slow part (retention,
  /// sealing, pages), which stays requested, and without a wait for another thread that prepares.
  /// True: appends may succeed again.
  [[nodiscard]] bool try_prepare();

  /// Durability::Process: makes the pages that the next records go to writable again, if the system
  /// has written them to the disk since they were prepared. Otherwise the first store to each would
  /// take a page fault, which may wait for the file system. Nothing to do if nothing was appended
  /// since the last call; otherwise a system call of a few microseconds. Call it about once a
  /// second, on the thread that calls prepare(). False: there was nothing to do.
  bool keep_writable() noexcept;

  /// True if a replay with ColdPages::Await needs data. Cheap; any thread.
  [[nodiscard]] bool needs_read_ahead() const noexcept { return asked_.any(); }

  /// Reads data for replays with ColdPages::Await, and releases the memory of data that they have
  /// used: at most three half megabytes per replay. Blocks on the disk, but blocks neither appends
  /// nor prepare() nor flush(). One thread at a time, the writer's if there is no other. True: it
  /// did something. What it cannot read for lack of a descriptor or of memory stays requested: call
  /// it again after a pause.
  bool read_ahead() noexcept;

  /// Number of appends that stalled, because they had to prepare a segment or to reserve numbers on
  /// the disk themselves.
  [[nodiscard]] std::uint64_t stalls() const noexcept { return stalls_.count; }

  /// Sets the observer of waiting appends; null: none. It must outlive the last append, or be unset
  /// before. Call it on the appending thread, or while nothing is appended.
  void watch_stalls(StallWatch* watch) noexcept { stalls_.watch = watch; }

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
  struct Opening;
  class OpenedTogether;

  Journal(const Options& options, const BootId& boot);

  struct Numbers;

  // `Message` is one view or a span of them. Defined and inlined where it is used.
  template <typename Message>
  [[nodiscard]] Appended append(Kind kind, EventType event, bool processed, const Numbers& numbers,
                                const Message& message) noexcept;
  template <typename Message>
  [[nodiscard]] AppendResult append_numbered(const Numbers& numbers,
                                             const Message& message) noexcept;
  [[nodiscard]] AppendResult make_room(std::size_t record_bytes, std::int64_t utc_ns) noexcept;
  [[nodiscard]] AppendResult roll(std::size_t record_bytes, std::int64_t utc_ns) noexcept;
  [[nodiscard]] bool enter_next(Segment& next) noexcept;
  [[nodiscard]] Segment* take_next(std::size_t record_bytes) noexcept;
  void give_up_next() noexcept;
  [[nodiscard]] SegmentBegin fresh_begin(std::uint32_t number, std::int64_t utc_ns) const noexcept;
  void begin_segment(Segment& segment, std::uint32_t number, std::int64_t utc_ns) noexcept;
  void go_on_in(Segment& segment, std::size_t end) noexcept;
  [[nodiscard]] std::size_t limit_for(std::size_t record_bytes) noexcept;
  [[nodiscard]] bool keep_within_mirror(std::size_t record_bytes) noexcept;
  [[nodiscard]] bool store_before_roll(Segment& next) noexcept;
  void mirror_record(std::size_t offset, std::size_t record_bytes) noexcept;
  void retire(Segment& segment) noexcept;
  [[nodiscard]] std::uint64_t take_from_ring() noexcept;
  /// False: an unmapped segment has no received record there, or the journal is a copy.
  [[nodiscard]] bool set_mark(Position position) noexcept;
  [[nodiscard]] bool store_mark(Position position, format::Mark value) noexcept;
  [[nodiscard]] bool take_back_mark(Position position) noexcept;
  [[nodiscard]] bool lower_checkpoint(Position position) noexcept;
  [[nodiscard]] bool count_from(Position position);
  [[nodiscard]] bool mark_before(Position checkpoint);
  void tell_of_record(std::size_t offset, std::size_t record_bytes) noexcept;
  void tell_of_reserve() noexcept;
  void begin_index_anew(std::uint64_t next_outgoing) noexcept;
  void confirm_stored(Position position) noexcept;
  [[nodiscard]] std::optional<Followed> refusal_to_follow() const noexcept;
  [[nodiscard]] const Segment* segment_to_compare(std::uint32_t number) const;
  [[nodiscard]] Followed compare_with(Position at, std::string_view record) noexcept;
  [[nodiscard]] Followed store_followed(std::string_view record) noexcept;
  void apply_followed(const Record& record) noexcept;
  [[nodiscard]] bool is_next_header(const format::Header& header) const noexcept;
  [[nodiscard]] Segment* take_next_of(std::size_t bytes) noexcept;
  [[nodiscard]] format::Mark own_mark(Position at, format::Mark mark) const noexcept;
  [[nodiscard]] std::expected<void, base::Error> clear_loss();
  void note_sent(std::uint64_t sequence, std::size_t offset) noexcept;
  [[nodiscard]] bool reserve(std::uint64_t next_outgoing) noexcept;
  [[nodiscard]] bool reserve_now(std::uint64_t next_outgoing) noexcept;
  void advance_unprocessed() noexcept;
  void bring_mark(Segment& segment, Position position, std::size_t mark_offset) noexcept;
  void note_late(Position position) noexcept;
  [[nodiscard]] format::State fresh_state(std::size_t durable_offset) const noexcept;

  [[nodiscard]] std::expected<void, base::Error> open_in_memory();
  [[nodiscard]] std::expected<void, base::Error> find_or_begin(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> begin_first(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> go_on_from(Recovery& recovery);
  [[nodiscard]] std::expected<void, base::Error> make_usable(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> bring_begin_and_name(const Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> finish_opening(Opening& opening);
  [[nodiscard]] std::expected<void, base::Error> announce_loss(std::uint64_t reserved);
  /// `bytes` long.
  [[nodiscard]] std::expected<void, base::Error> prepare_segment(std::size_t bytes,
                                                                 SpareFile* spare);
  [[nodiscard]] std::expected<void, base::Error> prepare_urgent(WorkTaken work);
  [[nodiscard]] std::expected<void, base::Error> prepare_next();
  [[nodiscard]] bool prepare_pages() noexcept;
  [[nodiscard]] std::expected<void, base::Error> renew_reserve(Segment& segment);
  [[nodiscard]] std::expected<void, base::Error> renew_requested_reserve();
  [[nodiscard]] std::expected<bool, base::Error> flush_piece(Position end);
  [[nodiscard]] bool all_marks_vouched() const noexcept;
  [[nodiscard]] AppendResult halt_reason() const noexcept;
  [[nodiscard]] Disk& disk() const noexcept;
  [[nodiscard]] SegmentAccess access() const noexcept;
  [[nodiscard]] NewPages new_pages() const noexcept;
  [[nodiscard]] std::expected<void, base::Error> start_mirror();
  [[nodiscard]] std::expected<void, base::Error> sync_sealed();
  [[nodiscard]] std::expected<void, base::Error> seal_next();
  [[nodiscard]] bool seals(std::uint32_t current) const noexcept;
  [[nodiscard]] std::expected<void, base::Error> sync_all();
  void let_go_of_retired() noexcept;
  void drop_read_ahead() noexcept;
  [[nodiscard]] std::expected<void, base::Error> retain();
  [[nodiscard]] std::size_t next_segment_bytes(std::size_t record_bytes) const noexcept;

  [[nodiscard]] Segment& current_segment() const noexcept { return mapped_.current(); }

  [[nodiscard]] bool in_memory() const noexcept { return durability_ == Durability::Memory; }

  [[nodiscard]] bool flushes() const noexcept { return durability_ >= Durability::Group; }

  static constexpr std::uint8_t then_publishes = 1;  // The end, to the flushing thread.
  static constexpr std::uint8_t then_tells = 2;      // The tap.

  // Members that an append uses, together.
  char* base_ = nullptr;        // The current segment's mapping.
  AppendOffset offset_;         // Of the next record.
  std::size_t soft_limit_ = 0;  // An append past it checks for half full, or full.
  std::size_t index_at_ = 0;    // The first sent record from here on enters the segment's index.
  std::uint64_t next_outgoing_ = 1;
  std::atomic<std::uint32_t> halted_{0};  // Reasons to refuse appends, as bits.
  const Durability durability_;
  const bool keeps_messages_;
  bool ring_refused_ = false;  // The ring has refusals to report.
  std::uint8_t after_store_;   // What an append does after its store, as bits.
  MappedSegments mapped_;
  std::uint64_t next_expected_ = 1;
  std::unique_ptr<Mirror> mirror_;  // With Durability::Sync.
  QueuedMessages queued_;
  Position barrier_;  // The last event that resends must not cross.
  Reign reign_;
  Position counted_from_;  // Received records before it are processed, whatever their marks.
  TapLink tap_;
  LateMarks* late_marks_ = nullptr;
  Stalls stalls_;
  ProcessedMarks marks_;  // Last, for its length.

  // Members shared by two threads.
  static constexpr std::uint32_t halted_by_close = 1;
  static constexpr std::uint32_t halted_by_flush = 2;
  static constexpr std::uint32_t halted_by_page = 4;  // A page of the current segment was lost.
  static constexpr std::uint32_t halted_by_following = 8;  // It is a copy.
  alignas(64) WorkRequests requests_;
  SegmentHandover handover_;
  ReadAheadQueue asked_;
  // Apart from the requests, since each sent message reads it.
  alignas(64) NumberReserve reserve_;

  // Members shared by the flushing thread and the writer, apart from the appends' cache line.
  alignas(64) FlushProgress progress_;  // Only with flushes.
  VouchedMarks vouched_;                // Only if marks_ says so.

  std::unique_ptr<Home> home_;
  Options options_;
  Recovered recovered_;
};

}  // namespace affix::inline v0::journal
