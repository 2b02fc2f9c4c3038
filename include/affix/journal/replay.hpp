// SPDX-License-Identifier: MIT
// Walks stored records of a journal this process writes: sent messages to be resent, or received
// ones that the application has not had. Reads in place, record by record, so that live messages
// may be appended in between.
#pragma once

#include "affix/journal/record.hpp"

#include <cstdint>
#include <optional>

namespace affix::inline v0::journal {

class Journal;
class Segment;

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

  /// The next record that is wanted, or nothing at the end. Its bytes live until the next call on
  /// this object and until it is destroyed; with Durability::Memory also only until the ring comes
  /// round, which appends may cause. Every record is checked against its CRC. Opens and maps a file
  /// when it enters a segment no longer written.
  [[nodiscard]] std::optional<Record> next() noexcept;

  /// After next() gave nothing: whether it ended early because a stored record was damaged or a
  /// segment file could not be read. What came before is right.
  [[nodiscard]] bool damaged() const noexcept { return damaged_; }

 private:
  friend class Journal;
  enum class Wanted : std::uint8_t { Nothing, SentRange, Unprocessed };

  [[nodiscard]] bool enter(std::uint32_t segment_number) noexcept;
  void leave() noexcept;

  const Journal* journal_ = nullptr;
  Segment* segment_ = nullptr;  // Held by a reference of ours.
  Position at_;
  Position end_;  // Records from here on were not stored when the walk was asked for.
  std::uint64_t from_ = 0;
  std::uint64_t to_ = 0;
  Wanted wanted_ = Wanted::Nothing;
  bool damaged_ = false;
};

}  // namespace affix::inline v0::journal
