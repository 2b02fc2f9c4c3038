// SPDX-License-Identifier: MIT
// Follows a message that a framer has given up because BodyLength says more than the limit, through
// the bytes that are skipped, and finds out whether it was a whole message for which only the limit
// was too low, or garbage. Keeps its beginning, where the header is, and no more.
#pragma once

#include "affix/wire/framer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// One stream's. Usage: skip() for each Skip with FrameError::TooLarge, abandon() before anything
/// else that the framer says. A plain value.
class LargeMessage {
 public:
  /// Of a message's beginning so many bytes are kept.
  static constexpr std::size_t head_max = 384;

  enum class Progress : std::uint8_t {
    None,    ///< Nothing is followed: what is skipped belongs to no message.
    Begun,   ///< It goes on behind these bytes.
    Whole,   ///< These bytes were its last: BodyLength and CheckSum are right. Said once.
    Broken,  ///< It is none. Said once.
  };

  /// The next bytes that the framer skips. A message begins with `8=FIX`, where the framer stops
  /// each time. O(bytes), one pass for the sum.
  [[nodiscard]] Progress skip(std::string_view bytes) noexcept;

  /// What follows is no part of it. True: one was followed, and did not end.
  bool abandon() noexcept;

  /// Its beginning, up to the end of the last field that is there as a whole. Until the next
  /// skip().
  [[nodiscard]] std::string_view head() const noexcept;

 private:
  static constexpr std::size_t trailer_size = 7;  ///< `10=123` and SOH.

  void begin() noexcept;

  /// Takes bytes of the message itself.
  void take(std::string_view bytes) noexcept;

  /// Reads BodyLength, once it is there. False: there is none.
  [[nodiscard]] bool read_size() noexcept;

  [[nodiscard]] bool trailer_is_right() const noexcept;

  bool following_ = false;
  std::size_t head_size_ = 0;
  std::size_t size_ = 0;   ///< Of the whole message; 0: not known yet.
  std::size_t taken_ = 0;  ///< Bytes of it so far.
  std::uint32_t sum_ = 0;  ///< Of those that are not in `tail_`.
  std::array<char, head_max> head_{};
  std::array<char, trailer_size> tail_{};  ///< The last bytes taken.
};

}  // namespace affix::inline v0::wire
