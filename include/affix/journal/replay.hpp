// SPDX-License-Identifier: MIT
// Walks stored records of a journal this process writes: sent messages to be resent, or received
// ones that the application has not had. Reads in place, record by record, so that live messages
// may be appended in between; on request without ever waiting for the disk.
#pragma once

#include "affix/journal/record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace affix::inline v0::journal {

class Journal;
class ReadAhead;
class Segment;
struct Stretch;
struct WantedRecords;

/// What a replay does where a page that it needs is not in memory.
enum class ColdPages : std::uint8_t {
  Read,   ///< Waits for the disk.
  Await,  ///< Asks Journal::read_ahead() for it, and gives nothing until that has brought it.
};

/// Made by Journal::replay() and Journal::unprocessed(); the journal outlives it. Used on the
/// writer thread. Movable.
class Replay {
 public:
  Replay() noexcept = default;
  Replay(Replay&& other) noexcept;
  Replay& operator=(Replay&& other) noexcept;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  ~Replay();

  /// The next record that is wanted, or nothing at the end, or nothing yet: see waiting(). Its
  /// bytes live until the next call on this object and until it is destroyed; with
  /// Durability::Memory also only until the ring comes round, which appends may cause. Every record
  /// is checked against its CRC. With ColdPages::Read it opens and maps a file when it enters a
  /// segment no longer written.
  [[nodiscard]] std::optional<Record> next() noexcept;

  /// After next() gave nothing: it is not the end. What comes next is not in memory, and
  /// Journal::read_ahead() has been asked for it; next() gives it afterwards.
  [[nodiscard]] bool waiting() const noexcept { return waiting_; }

  /// The record that next() gave is given by it once more. After a record only.
  void step_back() noexcept { at_ = given_; }

  /// After next() gave nothing and waiting() is false: whether it ended early because a stored
  /// record was damaged or a segment file could not be read. What came before is right.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }

 private:
  friend class Journal;
  enum class Wanted : std::uint8_t { Nothing, SentRange, Unprocessed };
  enum class Step : std::uint8_t { Ready, Wait, End };

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

  const Journal* journal_ = nullptr;
  ReadAhead* ahead_ = nullptr;  // Made when it is needed first; deleted by whoever reads ahead.
  // Held by a reference of ours, unless it is that of what read_ahead() brought last.
  Segment* segment_ = nullptr;
  std::size_t until_ = 0;  // The segment's bytes before it are in memory.
  Position at_;
  Position given_;  // Of the record given last.
  Position end_;    // Records from here on were not stored when the walk was asked for.
  std::uint64_t from_ = 0;
  std::uint64_t to_ = 0;
  Wanted wanted_ = Wanted::Nothing;
  ColdPages cold_pages_ = ColdPages::Read;
  bool waiting_ = false;
  bool damaged_ = false;
};

}  // namespace affix::inline v0::journal
