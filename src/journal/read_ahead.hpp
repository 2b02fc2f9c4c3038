// SPDX-License-Identifier: MIT
// What a replay of long ago needs read from the disk, asked for by the writer and brought by
// another thread, one stretch of records while the writer walks over the one before. Private to
// journal.
#pragma once

#include "affix/journal/record.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

/// So many bytes are brought in at a time, and a replay holds three times as many in memory: those
/// it reads, those ahead, and those behind that nobody has given back yet.
inline constexpr std::size_t stretch_bytes = std::size_t{512} * 1024;

/// Bytes of one segment that are in memory.
struct Stretch {
  Segment* segment = nullptr;  ///< One reference.
  std::uint32_t number = 0;    ///< Of the segment.
  std::size_t begin = 0;       ///< Where its first record is.
  std::size_t until = 0;       ///< Bytes before it are present.
  std::size_t next = 0;        ///< Where the first record is that is not wholly in it.
  bool last = false;           ///< The segment's records end in it.
  bool lends = false;     ///< The mapping is this replay's own, so its pages may be given back.
  bool was_cold = false;  ///< Its pages were not in memory before, and need not stay.
};

/// Where records are wanted from.
struct WantedRecords {
  /// Either a place...
  Position at;
  /// ... or the place of the sent record `sequence`, in a segment from `low` to `high`, or of the
  /// first one behind it.
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint64_t sequence = 0;
  Position barrier;

  Position end;               ///< Nothing from here on is looked at: it may be being written.
  Segment* mapped = nullptr;  ///< The mapping to use, with a reference; null: the file's.
  bool lends = false;         ///< As in Stretch; of `mapped`.
};

/// How a request ended.
enum class Brought : std::uint8_t {
  Waiting,  ///< It did not yet.
  Records,
  Gone,    ///< There is no such segment (any more).
  Failed,  ///< It cannot be read.
};

/// Belongs to the writer's replay or, while something is asked, to whoever brings it in; the state
/// says to whom. Deleted by drop() or by the thread that brings.
class ReadAhead {
 public:
  ReadAhead() noexcept = default;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead();

  // --- The writer. ---

  /// Nothing is asked, and no answer waits.
  [[nodiscard]] bool idle() const noexcept {
    return state_.load(std::memory_order_relaxed) == State::Idle;
  }

  /// While idle: what is wanted. The caller then hands the object to whoever brings it in.
  void want(const WantedRecords& wanted) noexcept;

  /// The answer: taken once. `stretch` and its reference are the caller's after Brought::Records.
  [[nodiscard]] Brought take(Stretch& stretch) noexcept;

  /// Takes `stretch`, with its reference, for what the writer reads now; what it read before is
  /// given back with the next request. While idle.
  void read(const Stretch& stretch) noexcept;

  /// What the writer reads now, with its reference; nothing before the first answer.
  [[nodiscard]] const Stretch& reading() const noexcept { return reading_; }

  /// The replay is over. True: the caller hands the object over once more, to be deleted.
  [[nodiscard]] bool abandon() noexcept;

  // --- Whoever brings in. ---

  /// Does what is asked; deletes the object when its replay is over. Blocks on the disk.
  static void bring(ReadAhead* ahead, const SegmentFiles& files) noexcept;

  ReadAhead* next_asked = nullptr;  ///< Link of the list by which it is handed over.

 private:
  enum class State : std::uint8_t { Idle, Asked, Answered, Over };

  void answer(const SegmentFiles& files) noexcept;
  [[nodiscard]] Brought find(const SegmentFiles& files) noexcept;
  [[nodiscard]] Brought open(const SegmentFiles& files) noexcept;
  [[nodiscard]] Brought bring_stretch() noexcept;
  static void give_back(Stretch& stretch, const SegmentFiles& files) noexcept;

  std::atomic<State> state_{State::Idle};
  WantedRecords wanted_;
  Stretch stretch_;
  Brought brought_ = Brought::Waiting;
  Stretch reading_;  // The writer's in every state but Over.
  Stretch behind_;
};

}  // namespace affix::inline v0::journal
