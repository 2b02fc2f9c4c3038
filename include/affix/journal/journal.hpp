// SPDX-License-Identifier: MIT
// The durable log of one session: every message of both directions, appended to memory-mapped
// segments. The sequence numbers follow from it alone. The format is in
// docs/reference/journal-format.md. It does not know what a FIX field means; secrets are taken out
// of a message before it comes here.
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

/// How an append ended. Anything but Appended means that nothing was written and no number moved.
enum class AppendResult : std::uint8_t {
  Appended,
  NoSpace,      ///< The disk had no room for the next segment. Goes on once prepare() succeeds.
  Unavailable,  ///< The next segment could not be made for another reason, which prepare() tells.
  TooLarge,     ///< The message is longer than a segment can be.
  NoReserve,    ///< The number is not reserved on the disk, so that a power loss could make it be
                ///< used twice, and whoever reserves more is not done. Goes on once prepare(), with
                ///< Durability::Group flush(), succeeds.
  OutOfOrder,   ///< A sent message's number is below the next outgoing number: it would be used
                ///< twice.
  Failed,       ///< The disk failed: what was appended may not be on it. Goes on once flush()
                ///< succeeds.
  Closed,       ///< close() was called.
};

[[nodiscard]] const char* to_text(AppendResult result) noexcept;

/// What became of an append, and where the record went. One word, which is handed over in a
/// register: a structure of narrower members would be stored in pieces and wait to be loaded whole.
class Appended {
 public:
  constexpr explicit Appended(Position position) noexcept
      : word_(std::endian::native == std::endian::little
                  ? std::uint64_t{position.offset} << 32 | position.segment
                  : std::uint64_t{position.segment} << 32 | position.offset) {}

  /// Not stored: any result but AppendResult::Appended.
  constexpr explicit Appended(AppendResult why) noexcept
      : Appended(Position{0, static_cast<std::uint32_t>(why)}) {}

  [[nodiscard]] constexpr AppendResult result() const noexcept {
    const auto held = std::bit_cast<Position>(word_);
    return held.valid() ? AppendResult::Appended : static_cast<AppendResult>(held.offset);
  }

  /// For mark_processed(). Not valid when the record was not stored.
  [[nodiscard]] constexpr Position position() const noexcept {
    return std::bit_cast<Position>(word_);
  }

 private:
  std::uint64_t word_;  // The position's bytes; of what was not stored, in the offset, the result.
};

/// Up to where a journal's processed marks were settled, for vouch_for_marks().
struct SettledMarks {
  Position before;       ///< Records before it, not all of which need be marked.
  bool changed = false;  ///< A mark may have been set since the journal was settled last.
};

/// Who is to have a received message.
enum class Delivery : std::uint8_t {
  Application,  ///< Unprocessed until mark_processed(); handed out again by unprocessed() after a
                ///< crash.
  SessionOnly,  ///< The session has dealt with it already.
};

class LateMarks;
class Mirror;
struct Recovery;
class Segment;
struct SegmentBegin;
enum class SegmentAccess : std::uint8_t;

/// One writer thread appends, marks and replays. prepare() and read_ahead() may run on one other
/// thread at the same time, and flush() on one more; all else is the writer's. Appends are
/// noexcept, do not allocate, take no lock and make no system call as long as the next segment was
/// prepared in time. Opened by open(), not movable.
class Journal {
 public:
  /// Opens or makes the journal of `options`. Blocks on the disk. Errors: Locked (another process
  /// or object has it), Damaged (stored records contradict themselves where no crash explains it),
  /// InvalidArgument (another session's journal, or options out of range), Unsupported (format
  /// version, byte order, durability), NoSpace, Io, Denied, Limit (Options::ring_budget has too
  /// little left). Nothing is changed on the disk then.
  [[nodiscard]] static std::expected<std::unique_ptr<Journal>, base::Error> open(
      const Options& options);

  /// Opens or makes several, as a start does: the same as open() for each, in the order of
  /// `options`, whatever becomes of the others. Those of one file system that have something to
  /// bring to the disk do so together, so it is waited for twice, however many there are; each does
  /// so for itself where the system cannot say that a write of another's failed, or has so much
  /// else to write that this would take longer.
  [[nodiscard]] static std::vector<std::expected<std::unique_ptr<Journal>, base::Error>> open_all(
      std::span<const Options> options);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  Journal(Journal&&) = delete;
  Journal& operator=(Journal&&) = delete;

  /// Leaves the journal as a killed process would, unless close() was called.
  ~Journal();

  // --- Appends: the writer thread. ---

  /// A message numbered `sequence`; the next outgoing number is then `sequence + 1`.
  [[nodiscard]] AppendResult append_sent(std::uint64_t sequence, std::int64_t utc_ns,
                                         std::string_view message) noexcept;

  /// The same for a message that moves the outgoing number elsewhere, as a SequenceReset does.
  [[nodiscard]] AppendResult append_sent(std::uint64_t sequence, std::uint64_t next_outgoing,
                                         std::int64_t utc_ns, std::string_view message) noexcept;

  /// The same for a message that lies in several pieces, stored as one.
  [[nodiscard]] AppendResult append_sent(std::uint64_t sequence, std::uint64_t next_outgoing,
                                         std::int64_t utc_ns,
                                         std::span<const std::string_view> pieces) noexcept;

  /// A message the session accepted; the expected number is then `expected_after`.
  [[nodiscard]] Appended append_received(std::uint64_t sequence, std::uint64_t expected_after,
                                         std::int64_t utc_ns, std::string_view message,
                                         Delivery delivery = Delivery::Application) noexcept;

  /// A message that arrived ahead of a gap. It is appended as received again when its turn comes.
  [[nodiscard]] AppendResult append_held(std::uint64_t sequence, std::int64_t utc_ns,
                                         std::string_view message) noexcept;

  /// The numbers `from` to `to` were sent again.
  [[nodiscard]] AppendResult append_resent(std::uint64_t from, std::uint64_t to,
                                           std::int64_t utc_ns,
                                           std::string_view text = {}) noexcept;

  /// Sets both numbers. EventType::Reset, and any event that lowers the outgoing number, ends what
  /// can be resent: those numbers may be used again. EventType::Remark keeps the numbers whatever
  /// is passed.
  [[nodiscard]] AppendResult append_event(EventType type, std::uint64_t next_outgoing,
                                          std::uint64_t next_expected, std::int64_t utc_ns,
                                          std::string_view text) noexcept;

  /// The application has had the received record at `position`, which append_received() or
  /// unprocessed() gave. Twice is the same as once. A record two segments back costs a system call.
  void mark_processed(Position position) noexcept {
    if (keeps_marks_) {
      static_cast<void>(set_mark(position));
    }
  }

  /// The same for a position that comes from outside and may be wrong: the record's checksum is
  /// looked at first. False: no received record begins there, or abandon() was called. O(bytes of
  /// the message); a record two segments back costs a few system calls.
  [[nodiscard]] bool finish(Position position) noexcept {
    return is_received(position) && (in_memory_ || (keeps_marks_ && set_mark(position)));
  }

  // --- MarkTrust::Vouched: which marks outlive a power loss. ---

  /// Whether anything was appended since settle_marks(). Always false with MarkTrust::Stored. The
  /// writer thread.
  [[nodiscard]] bool needs_settling() const noexcept { return vouches_ && end() != settled_; }

  /// From here on marks of the records appended so far are late: each goes to the queue of
  /// set_late_marks() and counts after a power loss once confirm_mark() was called. To be called
  /// where no message is at hand, so that in most journals no mark ever is. The writer thread.
  SettledMarks settle_marks() noexcept;

  /// Everything that was sent before settle_marks() returned `settled`, in whichever journal, is on
  /// the disk: marks set until then outlive a power loss as soon as flush() has stored that, which
  /// it does ten times a second at most. The thread that calls flush().
  void vouch_for_marks(const SettledMarks& settled) noexcept;

  /// vouch_for_marks() said something that flush() has not brought to the disk. Any thread.
  [[nodiscard]] bool keeps_marks_to_itself() const noexcept {
    return marks_unsaved_.load(std::memory_order_relaxed);
  }

  /// Where late marks go, null for nowhere. Those of an earlier process that were not confirmed go
  /// there at once. The writer thread.
  void set_late_marks(LateMarks* late) noexcept;

  /// The queue of late marks is full. Another one would wait for the next opening.
  [[nodiscard]] bool awaits_confirmations() const noexcept;

  /// Everything that was sent before the late mark at `position` was set is on the disk. The writer
  /// thread; a record two segments back costs a few system calls.
  void confirm_mark(Position position) noexcept;

  /// A received record begins there; of a segment that is no longer mapped it is not looked at.
  [[nodiscard]] bool is_received(Position position) const noexcept;

  // --- Reading back: the writer thread. ---

  /// The stored sent messages numbered `from` to `to` in order, none older than the last reset;
  /// numbers without a stored message are left out. With ColdPages::Read it costs at most one file
  /// opened per segment visited; with ColdPages::Await no file is opened and none read here.
  [[nodiscard]] Replay replay(std::uint64_t from, std::uint64_t to,
                              ColdPages cold_pages = ColdPages::Read) const;

  /// Received messages that the application has not had, in order, up to what is stored now.
  /// `cold_pages` as for replay().
  [[nodiscard]] Replay unprocessed(ColdPages cold_pages = ColdPages::Read) const {
    return unprocessed(end(), cold_pages);
  }

  /// The same up to `until`, an end() of before.
  [[nodiscard]] Replay unprocessed(Position until, ColdPages cold_pages = ColdPages::Read) const;

  /// How many there are, and where the oldest is or earlier; not valid when there is none. The
  /// journal keeps every segment from there on, whatever Options says of old ones.
  [[nodiscard]] std::uint64_t unprocessed_count() const noexcept { return unprocessed_count_; }

  [[nodiscard]] Position oldest_unprocessed() const noexcept { return oldest_unprocessed_; }

  [[nodiscard]] std::uint64_t next_outgoing() const noexcept { return next_outgoing_; }

  [[nodiscard]] std::uint64_t next_expected() const noexcept { return next_expected_; }

  /// UTC time from which the numbers have run on: that of the last event that reset or lowered
  /// them, and of the first record where there was none; 0 when neither is stored any more. Opens
  /// and reads a file when the record lies in an earlier segment.
  [[nodiscard]] std::int64_t numbers_since_utc_ns() const;

  /// Where the next record will go, unless it needs a new segment.
  [[nodiscard]] Position end() const noexcept {
    return {segment_number_, static_cast<std::uint32_t>(offset_)};
  }

  [[nodiscard]] const Recovered& recovered() const noexcept { return recovered_; }

  /// Brings code and memory that append_sent() of such a message would use near the processor, and
  /// stores nothing. O(bytes); the writer's thread.
  void rehearse(std::string_view message) const noexcept;

  // --- Durability::Group and Durability::Sync: any one thread at a time besides the writer. ---

  /// Brings what is appended so far to the disk, and durable() to there. Blocks on the disk; beside
  /// appends, which it does not hold up. On an error appends answer Failed until a later call
  /// succeeds, which tries the same bytes again; nothing is forgotten. Nothing to do for the other
  /// durabilities.
  [[nodiscard]] std::expected<void, base::Error> flush();

  /// Whether flush() has something to do. Cheap; any thread.
  [[nodiscard]] bool needs_flush() const noexcept {
    return end_shared_.load(std::memory_order_relaxed) !=
               durable_.load(std::memory_order_relaxed) ||
           flush_failed();
  }

  /// Records before it survive power loss. Any thread.
  [[nodiscard]] Position durable() const noexcept {
    // Acquire: who sees the position may act on what lies before it.
    const std::uint64_t value = durable_.load(std::memory_order_acquire);
    return {static_cast<std::uint32_t>(value >> 32), static_cast<std::uint32_t>(value)};
  }

  /// The disk failed: appends answer Failed. Until flush() succeeds, or, when a page of a file was
  /// lost (bus_error.hpp), until the journal is opened again. Any thread.
  [[nodiscard]] bool failed() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & ~halted_by_close) != 0;
  }

  /// The last flush() failed. Any thread.
  [[nodiscard]] bool flush_failed() const noexcept {
    return (halted_.load(std::memory_order_relaxed) & halted_by_flush) != 0;
  }

  // --- Preparation: any one thread at a time besides the writer. ---

  /// Whether prepare() has something to do. Cheap; any thread.
  [[nodiscard]] bool needs_preparation() const noexcept {
    return (wants_.load(std::memory_order_relaxed) & wants_preparation) != 0;
  }

  /// Makes the next segment ready when the current one is half used, renews the outgoing number's
  /// reserve, lets go of segments no longer written and makes pages present that are stored to
  /// later, a few at a time: to be called as long as needs_preparation() says so. Blocks on the
  /// disk. After NoSpace it may be tried again, at a pace the caller chooses. Where no other thread
  /// calls it the writer does, between batches; what is not prepared in time is prepared by the
  /// append that needs it.
  [[nodiscard]] std::expected<void, base::Error> prepare();

  /// Whether a replay with ColdPages::Await wants something read. Cheap; any thread.
  [[nodiscard]] bool needs_read_ahead() const noexcept {
    return asked_.load(std::memory_order_relaxed) != nullptr;
  }

  /// Reads for replays with ColdPages::Await what they come to next, and gives back the memory of
  /// what they are done with: three half megabytes a replay, however long. Blocks on the disk, and
  /// holds up neither appends nor prepare() nor flush(). Any one thread at a time, the writer's
  /// where there is no other. True: it did something.
  bool read_ahead() noexcept;

  /// Appends that had to prepare a segment or to reserve numbers on the disk themselves, and so
  /// stalled.
  [[nodiscard]] std::uint64_t stalls() const noexcept { return stalls_; }

  /// Who is told from here on when an append waits; null: nobody. Outlives the last append, or is
  /// taken away before. Of the appending thread, or where nothing is appended.
  void watch_stalls(StallWatch* watch) noexcept { stall_watch_ = watch; }

  /// How often, since this was asked last, Options::ring_budget had no segment left and the oldest
  /// messages went instead. The writer thread.
  [[nodiscard]] std::uint64_t take_ring_refusals() noexcept {
    return ring_refused_ ? take_from_ring() : 0;
  }

  /// Marks the journal as closed cleanly. Neither prepare() nor flush() may be running. Appends
  /// answer Closed from then on.
  [[nodiscard]] std::expected<void, base::Error> close();

  /// Nothing more is written from here on, no processed mark either: the files stay as SIGKILL
  /// would leave them now. For tests of recovery. Neither prepare() nor flush() may be running.
  /// Appends answer Closed from then on.
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
  };

  // `Message` is one view or a span of them. Defined where it is used, and inlined there.
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
  /// False: a segment that is not mapped has no received record there.
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
  [[nodiscard]] std::expected<void, base::Error> prepare_segment(std::size_t record_bytes);
  [[nodiscard]] std::expected<void, base::Error> prepare_next();
  [[nodiscard]] bool prepare_pages() noexcept;
  [[nodiscard]] std::expected<void, base::Error> renew_reserve(Segment& segment);
  [[nodiscard]] std::expected<void, base::Error> flush_to(Position end);
  [[nodiscard]] std::expected<void, base::Error> flush_range(Segment& segment, std::size_t end);
  [[nodiscard]] std::expected<void, base::Error> seal_flushed(Segment& segment);
  [[nodiscard]] std::expected<void, base::Error> seal_vouched();
  [[nodiscard]] std::expected<void, base::Error> store_vouched(Segment& segment);
  void say_vouched(Segment& segment) noexcept;
  [[nodiscard]] std::size_t vouched_offset(const Segment& segment,
                                           std::size_t flushed) const noexcept;
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

  // What an append touches, together.
  char* base_ = nullptr;        // The current segment's mapping.
  std::size_t offset_ = 0;      // Where the next record goes.
  std::size_t soft_limit_ = 0;  // An append past it looks at why: half used, or full.
  std::size_t index_at_ = 0;    // The next sent record at or behind it enters the segment's index.
  std::uint32_t segment_number_ = 0;
  bool keep_messages_ = true;
  bool in_memory_ = false;
  bool ring_refused_ = false;             ///< Its ring has refusals that nobody has taken.
  bool flushes_ = false;                  // Durability::Group or Durability::Sync.
  bool keeps_marks_ = true;               // There is a file to set processed marks in.
  bool vouches_ = false;                  // MarkTrust::Vouched, and somebody flushes.
  bool marked_ = false;                   // Since it was settled, or may be.
  std::atomic<std::uint32_t> halted_{0};  // Why nothing is appended, by bits.
  std::uint64_t next_outgoing_ = 1;
  std::uint64_t next_expected_ = 1;
  std::uint64_t unprocessed_count_ = 0;
  Position oldest_unprocessed_;
  Position settled_;    // Marks before it are late.
  Position late_from_;  // The oldest late mark that is not confirmed, or older.
  std::uint64_t late_count_ = 0;
  LateMarks* late_marks_ = nullptr;
  Position barrier_;  // The last event that no resend reaches back past.
  Segment* current_ = nullptr;
  Segment* previous_ = nullptr;  // Still mapped, for processed marks set after a roll.
  // Durability::Sync: what a killed process leaves of the current segment's records from there on.
  std::unique_ptr<Mirror> mirror_;
  std::size_t mirrored_from_ = 0;
  // Durability::Sync: those before it whose records are not all in the file, newest first.
  Segment* unflushed_ = nullptr;
  std::uint64_t stalls_ = 0;
  StallWatch* stall_watch_ = nullptr;
  std::uint64_t reserve_asked_from_ =
      0;  // The outgoing number when a reserve was asked for last...
  std::int64_t reserve_asked_at_ns_ = 0;  // ... and the steady time.

  // What two threads touch.
  static constexpr std::uint32_t halted_by_close = 1;
  static constexpr std::uint32_t halted_by_flush = 2;
  static constexpr std::uint32_t halted_by_page = 4;  // A page of the current segment was lost.
  static constexpr std::uint32_t wants_segment = 1;
  static constexpr std::uint32_t wants_release = 2;
  static constexpr std::uint32_t wants_reserve = 4;
  static constexpr std::uint32_t wants_pages = 16;  // Of segments in use or ready.
  static constexpr std::uint32_t wants_seal =
      32;  // Segments before it are to vouch for themselves.
  static constexpr std::uint32_t wants_preparation =
      wants_segment | wants_release | wants_reserve | wants_pages | wants_seal;
  static constexpr std::uint32_t wants_reserve_flushed = 8;  // Where flush() renews it.
  alignas(64) std::atomic<std::uint32_t> wants_{0};
  std::atomic<AppendResult> blocked_{AppendResult::Appended};  // Why the next segment failed.
  std::atomic<Segment*> prepared_{nullptr};
  std::atomic<Segment*> retired_{nullptr};         // A list, linked through the segments.
  std::atomic<Segment*> current_shared_{nullptr};  // Let go of only while preparing_ is held.
  std::atomic<std::uint64_t> next_outgoing_shared_{1};
  std::atomic<std::uint64_t> reserved_{0};        // Numbers before it may be used; on the disk.
  std::atomic<std::uint64_t> reserve_extent_{0};  // So many are reserved at a time.
  std::atomic<bool> reserve_failed_{false};
  std::atomic<std::uint64_t> reserve_at_{UINT64_MAX};  // From here on a new reserve is asked for.
  std::atomic_flag preparing_;
  std::atomic_flag making_;  // Held while the next segment is made, inside preparing_ or without.
  // A list of what replays have asked for, which are made of a journal that does not change.
  mutable std::atomic<ReadAhead*> asked_{nullptr};
  std::atomic_flag reading_ahead_;

  // What the flushing thread and the writer touch; a line apart from what an append writes besides.
  alignas(64) std::atomic<std::uint64_t> end_shared_{0};  // end(), packed, while flushes_.
  std::atomic<std::uint64_t> durable_{0};
  std::atomic<std::uint64_t> marked_from_{UINT64_MAX};  // Marks before it are in the file.
  std::atomic<std::uint64_t> vouched_{0};               // Marks before it outlive a power loss.
  std::atomic<bool> marks_unsaved_{false};
  std::atomic_flag flushing_;

  std::unique_ptr<Home> home_;
  Options options_;
  Recovered recovered_;
};

}  // namespace affix::inline v0::journal
