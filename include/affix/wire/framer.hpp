// SPDX-License-Identifier: MIT
// Finds messages in a byte stream by BodyLength, whatever the split of the input, with garbage
// before and between. Says where a message begins and ends; whether it is sound is the index's to
// say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Why bytes were given up as garbled.
enum class FrameError : std::uint8_t {
  None,
  Garbage,          ///< Bytes before `8=`.
  NoBodyLength,     ///< `9=` does not follow the BeginString field within its limit.
  BodyLengthValue,  ///< BodyLength is not a number.
  TooLarge,  ///< BodyLength, or the search for the trailer, exceeds the limit on message bytes.
};

[[nodiscard]] const char* to_text(FrameError error) noexcept;

enum class FrameStatus : std::uint8_t {
  Complete,  ///< `size` bytes from the input's first are one message.
  Partial,   ///< The input is the beginning of a message; nothing is consumed.
  Skip,  ///< The first `size` bytes are no message (`error` says why); drop them and call again.
};

struct Frame {
  FrameStatus status = FrameStatus::Partial;
  FrameError error = FrameError::None;
  std::size_t size = 0;    ///< Bytes to consume: the message, or what is skipped. 0 when Partial.
  std::size_t needed = 0;  ///< When Partial: the least number of bytes, from the input's first,
                           ///< that can help; 0 if unknown.
};

/// One stream's framer. Its only state is how far the unfinished message at the front was searched,
/// so that input that arrives byte by byte costs O(bytes). Rules: FIX session layer test cases 2d,
/// 2l, 2m, 3; where `10=` stands as BodyLength says nothing is searched, else the next `SOH 10=`
/// from one byte before there ends the message; a BodyLength above the limit is given up at once,
/// and the stream goes on at the next `8=FIX`.
class Framer {
 public:
  static constexpr std::size_t message_bytes_default = std::size_t{1} << 20;

  explicit Framer(std::size_t message_bytes_max = message_bytes_default) noexcept
      : message_bytes_max_(message_bytes_max) {}

  /// Looks at the front of `input`, which must begin where the last consumed bytes ended and, when
  /// the last answer was Partial, repeat what was given then, with more behind it. No allocation;
  /// O(1) for a well-formed message.
  [[nodiscard]] Frame next(std::string_view input) noexcept;

  /// Forgets the unfinished message: for a new connection.
  void reset() noexcept { searched_ = 0; }

  [[nodiscard]] std::size_t message_bytes_max() const noexcept { return message_bytes_max_; }

 private:
  std::size_t message_bytes_max_;
  std::size_t searched_ = 0;  ///< Bytes of the unfinished front in which no trailer begins.
};

}  // namespace affix::inline v0::wire
