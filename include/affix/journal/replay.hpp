// SPDX-License-Identifier: MIT
// Iterates over stored records of a journal that this process writes: sent messages to resend, or
// received ones that the application has not processed. Reads in place, one record at a time, so
// that live messages may be appended in between; optionally never waits for the disk.
#pragma once

#include "affix/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace affix::inline v0::journal {

class Journal;
class ReadAhead;
class Segment;
struct ReplaySource;
struct Stretch;
struct WantedRecords;

/// Behaviour of a replay when a page is not in memory.
enum class ColdPages : std::uint8_t {
  Read,   ///< Waits for the disk; goes on as Await if the process lacks descriptors or memory.
  Await,  ///< Requests it from Journal::read_ahead(), and returns nothing until it is loaded.
};

/// Created by Journal::replay() and Journal::unprocessed(); the journal must outlive it. For the
/// writer thread. Movable.
class Replay {
 public:
  Replay() noexcept = default;
  Replay(Replay&& other) noexcept;
  Replay& operator=(Replay&& other) noexcept;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay();

  /// Returns the next record; nothing at the end, or nothing yet: see waiting(). Its bytes are
  /// valid until the next call on this object or its destruction, and with Durability::Memory
  /// only until appends overwrite that part of the ring. Checks every record's CRC. With
  /// ColdPages::Read it opens and maps a file when it enters a segment that is no longer
  /// written.
  [[nodiscard]] std::optional<Record> next() noexcept;

  /// After next() returned nothing: true if more records follow but are not in memory.
  /// Journal::read_ahead() loads them; then next() returns them.
  [[nodiscard]] bool waiting() const noexcept { return waiting_; }

  /// Makes next() return the last record once more. Only after a record.
  void step_back() noexcept { at_ = given_; }

  /// After next() returned nothing and waiting() is false: true if it ended early because a record
  /// is damaged or a segment file is unreadable. Records returned before are valid.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }

 private:
  friend class Journal;
  enum class Wanted : std::uint8_t { Nothing, SentRange, Unprocessed };
  enum class Step : std::uint8_t { Ready, Wait, End };

  struct Range {
    std::uint64_t from;
    std::uint64_t to;
  };

  [[nodiscard]] static Replay of_sent(const ReplaySource& source, const Range& range,
                                      Position barrier, Position end,
                                      ColdPages cold_pages) noexcept;
  [[nodiscard]] static Replay of_unprocessed(const ReplaySource& source, Position oldest,
                                             Position end, ColdPages cold_pages) noexcept;
  void swap(Replay& other) noexcept;
  void find_start(Position barrier) noexcept;
  void find_start_in_ring(Position barrier) noexcept;
  [[nodiscard]] bool start_in_mapped(Segment& segment, Position barrier) noexcept;
  [[nodiscard]] Step reach() noexcept;
  [[nodiscard]] Step reach_in_ring() noexcept;
  [[nodiscard]] Step enter() noexcept;
  [[nodiscard]] Step go_on() noexcept;
  [[nodiscard]] Step await() noexcept;
  [[nodiscard]] bool extend_mapped() noexcept;
  [[nodiscard]] bool pending() const noexcept;
  void ask(const WantedRecords& wanted) noexcept;
  void ask_for_following() noexcept;
  void hand_over() noexcept;
  void use_mapped(Segment& segment) noexcept;
  void use(const Stretch& stretch) noexcept;
  void leave() noexcept;
  void finish() noexcept;
  [[nodiscard]] std::size_t limit() const noexcept;

  const ReplaySource* source_ = nullptr;
  ReadAhead* ahead_ = nullptr;  // Created on first use; deleted by the thread that reads ahead.
  // Referenced by us, unless read_ahead()'s last result holds the reference.
  Segment* segment_ = nullptr;
  std::size_t until_ = 0;  // Bytes of the segment before it are in memory.
  Position at_;
  Position given_;  // Position of the last returned record.
  Position end_;    // Records from here on were stored after the start of the replay.
  std::uint64_t from_ = 0;
  std::uint64_t to_ = 0;
  Wanted wanted_ = Wanted::Nothing;
  ColdPages cold_pages_ = ColdPages::Read;
  bool waiting_ = false;
  bool damaged_ = false;
};

}  // namespace affix::inline v0::journal
