// SPDX-License-Identifier: MIT
// Finds messages in a byte stream by BodyLength, however the input is split, with garbage
// before and between them. Finds where a message begins and ends; the index checks its
// contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

/// Reason why bytes were discarded as garbled.
enum class FrameError : std::uint8_t {
  None,
  Garbage,          ///< Bytes before `8=`.
  NoBodyLength,     ///< No `SOH 9=` within the limit on message bytes.
  BodyLengthValue,  ///< BodyLength is not a number.
  TooLarge,  ///< BodyLength, or the search for the trailer, exceeds the limit on message bytes.
};

[[nodiscard]] const char* to_text(FrameError error) noexcept;

enum class FrameStatus : std::uint8_t {
  Complete,  ///< The first `size` bytes of the input are one message.
  Partial,   ///< The input is the beginning of a message; consume nothing.
  Skip,      ///< The first `size` bytes are no message (see `error`); drop them and call again.
};

/// Fits two registers.
struct Frame {
  FrameStatus status = FrameStatus::Partial;
  FrameError error = FrameError::None;
  /// For Partial: minimum size of an input that can make progress; 0 if unknown.
  std::uint32_t needed = 0;
  /// Bytes to consume: the message, or those to skip. 0 for Partial.
  std::size_t size = 0;
};

/// Framer for one stream. Rules: FIX session layer test cases 2d, 2l, 2m, 3. A message begins with
/// `8=`, and the next `SOH 9=` is its BodyLength, whatever lies between: the index finds misplaced
/// fields. If `10=` is where BodyLength points, nothing is searched; otherwise the first `SOH 10=`
/// from one byte before that place ends the message, at its SOH. A BodyLength that is too small
/// therefore still yields the whole message. A BodyLength above the limit is discarded at once.
/// After discarded bytes, except leading garbage, the stream continues at the next `8=FIX`.
///
/// BodyLength may have leading zeros and at most `body_length_size_max` characters; a sign or an
/// empty value is invalid.
///
/// Frames do not depend on the split of the input; a run of skipped bytes may be returned as
/// several Skip results with one error. The framer searches every byte a bounded number of times,
/// however the input is split and whatever it contains: it remembers failed searches across calls,
/// also after a discarded message.
class Framer {
 public:
  static constexpr std::size_t message_bytes_default = std::size_t{1} << 20;

  /// Maximum size of BodyLength's text.
  static constexpr std::size_t body_length_size_max = 20;

  explicit Framer(std::size_t message_bytes_max = message_bytes_default) noexcept
      : message_bytes_max_(message_bytes_max) {}

  /// Examines the begin of `input`, which must start after the last consumed byte. After
  /// Partial, pass the same bytes again followed by more. No allocation; O(1) for a well-formed
  /// message.
  [[nodiscard]] Frame next(std::string_view input) noexcept;

  /// Discards an unfinished message, for a new connection.
  void reset() noexcept;

  [[nodiscard]] std::size_t message_bytes_max() const noexcept { return message_bytes_max_; }

 private:
  /// A failed search: its target does not begin in [begin, end), counted from the input's first
  /// byte.
  struct Searched {
    std::size_t begin = 0;
    std::size_t end = 0;

    /// Position at which to continue a search that would start at `at`.
    [[nodiscard]] std::size_t behind(std::size_t at) const noexcept {
      return at >= begin && at < end ? end : at;
    }

    void add(std::size_t from, std::size_t to) noexcept;
    void consume(std::size_t size) noexcept;
  };

  [[nodiscard]] Frame next_slow(std::string_view input) noexcept;
  [[nodiscard]] Frame search_trailer(std::string_view input, std::size_t body_end) noexcept;
  [[nodiscard]] Frame skip_garbage(std::string_view input) noexcept;
  [[nodiscard]] Frame give_up(std::string_view input, FrameError error) noexcept;
  [[nodiscard]] Frame recover(std::string_view input, std::size_t from) noexcept;
  [[nodiscard]] Frame consumed(Frame frame) noexcept;

  std::size_t message_bytes_max_;
  Searched no_trailer_;  ///< No `SOH 10=` begins here.
  Searched no_soh_;      ///< No SOH here, after a `SOH 10=`.
  Searched no_length_;   ///< No `SOH 9=` begins here.
  FrameError recovering_from_ =
      FrameError::None;  ///< Not None: skips bytes up to the next `8=FIX`.
};

}  // namespace affix::inline v0::wire
