// SPDX-License-Identifier: MIT
// Reading for a replay of old records: the writer requests a stretch of records and another
// thread reads it from the disk, while the writer walks through the one before. Private to
// journal.
#pragma once

#include "affix/journal/record.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::journal {

/// Bytes read at a time; a replay has three times as many in memory: the current ones, those read
/// ahead, and earlier ones that are not given back yet.
inline constexpr std::size_t stretch_bytes = std::size_t{512} * 1024;

/// Bytes of one segment that are in memory.
struct Stretch {
  Segment* segment = nullptr;  ///< One reference.
  std::uint32_t number = 0;    ///< The segment's number.
  std::size_t begin = 0;       ///< Offset of its first record.
  std::size_t until = 0;       ///< Bytes before it are present.
  std::size_t next = 0;        ///< Offset of the first record that is not completely in it.
  bool last = false;           ///< The segment's records end in it.
  bool lends = false;     ///< The mapping is this replay's own, so its pages may be given back.
  bool was_cold = false;  ///< Its pages were not in memory before, and need not stay.
};

/// Start of the wanted records.
struct WantedRecords {
  /// Either a position...
  Position at;
  /// ... or the sent record `sequence`, in a segment from `low` to `high`, or the first one after
  /// it.
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::uint64_t sequence = 0;
  Position barrier;

  Position end;               ///< Never reads from here on, where the writer may be storing.
  Segment* mapped = nullptr;  ///< Mapping to use, with a reference; null: that of the file.
  bool lends = false;         ///< As in Stretch; of `mapped`.
};

/// Outcome of a request.
enum class Brought : std::uint8_t {
  Waiting,  ///< No answer yet.
  Records,
  Gone,    ///< There is no such segment, or no longer.
  Failed,  ///< It cannot be read.
  Later,   ///< The process lacks a descriptor or memory. The reading thread's; no answer.
};

/// Belongs to the writer's replay or, during a request, to the reading thread; the state says
/// which. Deleted by drop() or by the reading thread.
class ReadAhead {
 public:
  ReadAhead() noexcept = default;
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead();

  // --- The writer. ---

  /// No request and no answer is pending.
  [[nodiscard]] bool idle() const noexcept {
    return state_.load(std::memory_order_relaxed) == State::Idle;
  }

  /// Only while idle: sets the request. The caller then hands the object to the reading thread.
  void want(const WantedRecords& wanted) noexcept;

  /// Takes the answer, once. `stretch` and its reference are the caller's after Brought::Records.
  [[nodiscard]] Brought take(Stretch& stretch) noexcept;

  /// Sets `stretch`, with its reference, as the one that the writer reads; the one before is given
  /// back with the next request. Only while idle.
  void read(const Stretch& stretch) noexcept;

  /// The writer's present stretch, with its reference; empty before the first answer.
  [[nodiscard]] const Stretch& reading() const noexcept { return reading_; }

  /// Ends the replay. True: the caller must hand the object over once more, to be deleted.
  [[nodiscard]] bool abandon() noexcept;

  // --- The reading thread. ---

  /// Carries out the request; deletes the object when its replay is over. Blocks on the disk.
  /// False: the process lacks a descriptor or memory for it. The request then stays open, and the
  /// caller must hand it over once more.
  [[nodiscard]] static bool bring(ReadAhead* ahead, const SegmentFiles& files) noexcept;

  ReadAhead* next_asked = nullptr;  ///< Link in the list of handed-over objects.

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
