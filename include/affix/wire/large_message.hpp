// SPDX-License-Identifier: MIT
// Follows a message that exceeds the framer's limit through the bytes skipped, and determines
// whether it was a valid message beyond the limit, or garbage. Stores only its beginning with the
// header.
#pragma once

#include "affix/wire/framer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// State for one stream. Call skip() for each Skip with FrameError::TooLarge, and abandon() before
/// any other result of the framer. A plain value.
class LargeMessage {
 public:
  /// Maximum bytes stored of a message's beginning.
  static constexpr std::size_t head_max = 384;

  enum class Progress : std::uint8_t {
    None,    ///< No message is being skipped.
    Begun,   ///< The message continues after these bytes.
    Whole,   ///< These bytes end it; BodyLength and CheckSum are right. Returned once.
    Broken,  ///< It is no valid message. Returned once.
  };

  /// Takes the next bytes that the framer skips. A message begins with `8=FIX`, where the framer
  /// stops each time. O(bytes), one pass for the sum.
  [[nodiscard]] Progress skip(std::string_view bytes) noexcept;

  /// Ends the message. True: one was being followed and was incomplete.
  bool abandon() noexcept;

  /// Its beginning, up to the end of the last complete field. Valid until the next
  /// skip().
  [[nodiscard]] std::string_view head() const noexcept;

 private:
  static constexpr std::size_t trailer_size = 7;  ///< `10=123` and SOH.

  void begin() noexcept;

  /// Takes bytes of the message itself.
  void take(std::string_view bytes) noexcept;

  /// Reads BodyLength once it has arrived. False: it is missing or invalid.
  [[nodiscard]] bool read_size() noexcept;

  [[nodiscard]] bool trailer_is_right() const noexcept;

  bool following_ = false;
  std::size_t head_size_ = 0;
  std::size_t size_ = 0;   ///< Of the whole message; 0: unknown yet.
  std::size_t taken_ = 0;  ///< Bytes taken so far.
  std::uint32_t sum_ = 0;  ///< Of bytes not in `tail_`.
  std::array<char, head_max> head_{};
  std::array<char, trailer_size> tail_{};  ///< The last bytes taken.
};

}  // namespace affix::inline v0::wire
