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
  NoBodyLength,     ///< No `SOH 9=` within the limit on message bytes.
  BodyLengthValue,  ///< BodyLength is not a number.
  TooLarge,  ///< BodyLength, or the search for the trailer, exceeds the limit on message bytes.
};

[[nodiscard]] const char* to_text(FrameError error) noexcept;

enum class FrameStatus : std::uint8_t {
  Complete,  ///< `size` bytes from the input's first are one message.
  Partial,   ///< The input is the beginning of a message; nothing is consumed.
  Skip,  ///< The first `size` bytes are no message (`error` says why); drop them and call again.
};

/// Fits two registers.
struct Frame {
  FrameStatus status = FrameStatus::Partial;
  FrameError error = FrameError::None;
  /// When Partial: the least number of bytes, from the input's first, that can help; 0 if unknown.
  std::uint32_t needed = 0;
  /// Bytes to consume: the message, or what is skipped. 0 when Partial.
  std::size_t size = 0;
};

/// One stream's framer. Rules: FIX session layer test cases 2d, 2l, 2m, 3. A message begins with
/// `8=`, and the next `SOH 9=` is its BodyLength, whatever stands between: what is not in its place
/// is the index's to find. Where `10=` stands as BodyLength says nothing is searched, else
/// the next `SOH 10=` from one byte before there ends the message, at its SOH; so a BodyLength that
/// is too small still yields the whole message. A BodyLength above the limit is given up at once.
/// Behind anything given up but leading garbage the stream goes on at the next `8=FIX`.
///
/// BodyLength may have leading zeros and at most `body_length_size_max` characters; a sign or an
/// empty value is no number.
///
/// Frames do not depend on how the input was split; one run of skipped bytes may come as several
/// Skip answers of one error. Every byte is searched a bounded number of times however the input
/// arrives and whatever it holds: what was searched in vain is remembered across calls, also behind
/// a message that was given up.
class Framer {
 public:
  static constexpr std::size_t message_bytes_default = std::size_t{1} << 20;

  /// Longest text of BodyLength.
  static constexpr std::size_t body_length_size_max = 20;

  explicit Framer(std::size_t message_bytes_max = message_bytes_default) noexcept
      : message_bytes_max_(message_bytes_max) {}

  /// Looks at the front of `input`, which must begin where the last consumed bytes ended and, when
  /// the last answer was Partial, repeat what was given then, with more behind it. No allocation;
  /// O(1) for a well-formed message.
  [[nodiscard]] Frame next(std::string_view input) noexcept;

  /// Forgets the unfinished message: for a new connection.
  void reset() noexcept;

  [[nodiscard]] std::size_t message_bytes_max() const noexcept { return message_bytes_max_; }

 private:
  /// Where a search was in vain: what was looked for does not begin in [begin, end), counted from
  /// the input's first byte.
  struct Searched {
    std::size_t begin = 0;
    std::size_t end = 0;

    /// Where to go on searching when the search would be at `at`.
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
  Searched no_soh_;      ///< No SOH here, behind a `SOH 10=`.
  Searched no_length_;   ///< No `SOH 9=` begins here.
  FrameError recovering_from_ =
      FrameError::None;  ///< Not None: bytes are skipped up to the next `8=FIX`.
};

}  // namespace affix::inline v0::wire
