// SPDX-License-Identifier: MIT
// Results of Journal's appends.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/record.hpp"

#include <bit>
#include <cstdint>

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
  Following,    ///< The journal is a copy: only follow_record() and its like change it.
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

}  // namespace affix::inline v0::journal
