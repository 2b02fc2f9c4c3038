// SPDX-License-Identifier: MIT
// Framing by BodyLength. The first function handles well-formed messages; the rest is for partial
// messages, wrong lengths and garbage.
#include "affix/wire/framer.hpp"

#include "affix/wire/index.hpp"

#include "wire/kernel_edges.hpp"
#include "wire/message_frame.hpp"

#include <limits>

namespace affix::inline v0::wire {

namespace {

using detail::length_start;
using detail::message_start;
using edges::join_digits;
using edges::load;

constexpr std::string_view trailer_start{
    "\x01"
    "10=",
    4};

constexpr std::size_t npos = std::string_view::npos;

/// Content of a message's first bytes, as far as received.
struct Header {
  enum class Status : std::uint8_t { Whole, Partial, BodyLengthValue, TooLarge };

  Status status = Status::Partial;
  std::size_t body_begin = 0;
  std::size_t body_length = 0;
};

/// Reads BodyLength from its first character at `at` on. Reads no more than body_length_size_max +
/// 1 bytes.
[[nodiscard]] Header read_length(std::string_view input, std::size_t at,
                                 std::size_t length_max) noexcept {
  const std::string_view digits = input.substr(at);
  std::size_t length = 0;
  for (std::size_t digit = 0; digit < digits.size(); ++digit) {
    if (digits[digit] == soh && digit != 0) {
      return {Header::Status::Whole, at + digit + 1, length};
    }
    if (digits[digit] < '0' || digits[digit] > '9' || digit == Framer::body_length_size_max) {
      return {Header::Status::BodyLengthValue, 0, 0};
    }
    length = length * 10 + static_cast<std::size_t>(digits[digit] - '0');
    if (length > length_max) {
      return {Header::Status::TooLarge, 0, 0};
    }
  }
  return {};
}

/// First position from `from` on where `wanted` begins, or may once more bytes come; else the size.
[[nodiscard]] std::size_t find_or_prefix(std::string_view input, std::string_view wanted,
                                         std::size_t from) noexcept {
  if (const std::size_t at = input.find(wanted, from); at != npos) {
    return at;
  }
  const std::size_t tail = wanted.size() - 1;
  std::size_t at = input.size() > tail ? input.size() - tail : 0;
  if (at < from) {
    at = from;
  }
  while (at < input.size() && input.substr(at) != wanted.substr(0, input.size() - at)) {
    ++at;
  }
  return at < input.size() ? at : input.size();
}

/// A hint that does not fit is left out.
[[nodiscard]] Frame partial(std::size_t needed) noexcept {
  const bool fits = needed <= std::numeric_limits<std::uint32_t>::max();
  return {FrameStatus::Partial, FrameError::None, fits ? static_cast<std::uint32_t>(needed) : 0, 0};
}

}  // namespace

const char* to_text(FrameError error) noexcept {
  switch (error) {
    case FrameError::None:
      return "none";
    case FrameError::Garbage:
      return "bytes before 8=";
    case FrameError::NoBodyLength:
      return "no BodyLength (9) within the limit on message bytes";
    case FrameError::BodyLengthValue:
      return "BodyLength (9) is not a number";
    case FrameError::TooLarge:
      return "the message is larger than the limit";
  }
  return "?";
}

Frame Framer::next(std::string_view input) noexcept {
  // Large enough that every load before the trailer's is inside the input.
  constexpr std::size_t size_min = 32;
  constexpr std::uint64_t fix4_start = 0x2e342e5849463d38;  // "8=FIX.4."
  constexpr std::uint64_t fixt_start = 0x312e545849463d38;  // "8=FIXT.1"
  if (input.size() < size_min || recovering_from_ != FrameError::None) [[unlikely]] {
    return next_slow(input);
  }
  const char* const bytes = input.data();
  const std::uint64_t start = load<std::uint64_t>(bytes);
  // FIX.4.x has its SOH at 9, FIXT.1.1 at 10.
  std::size_t at = 9;
  if (start != fix4_start) {
    if (start != fixt_start || bytes[8] == soh) [[unlikely]] {
      return next_slow(input);
    }
    at = 10;
  }
  if (bytes[at - 1] == soh) [[unlikely]] {
    return next_slow(input);
  }
  std::size_t body_end = 0;
  // SOH 9 = d d d SOH; after the exclusive or, digits are their values and all else is 0.
  const std::uint64_t header = load<std::uint64_t>(bytes + at) ^ 0x00013030303d3901;
  if ((((header + 0x0000060606000000) | header) & 0x00fff0f0f0ffffff) == 0) [[likely]] {
    body_end = at + 7 + join_digits(static_cast<std::uint32_t>(header >> 16));
  } else {
    // One to four digits. The lowest byte with a high bit left is the first that is no digit; bytes
    // above it may have a carry in them, and are ignored. It must be SOH.
    const std::uint64_t word = load<std::uint64_t>(bytes + at + 3);
    const std::uint64_t values = word ^ 0x3030303030303030;
    const std::uint64_t others = ((values + 0x0606060606060606) | values) & 0xf0f0f0f0f0f0f0f0;
    const std::uint32_t digit_bits =
        static_cast<std::uint32_t>(__builtin_ctzll(others | std::uint64_t{1} << 63)) & 0x38;
    if ((header & 0xffffff) != 0 || digit_bits - 1 >= 32 ||
        ((word >> digit_bits) & 0xff) != static_cast<std::uint64_t>(soh)) [[unlikely]] {
      return next_slow(input);
    }
    body_end = at + 4 + digit_bits / 8 +
               join_digits(static_cast<std::uint32_t>(values << (32 - digit_bits)));
  }
  const std::size_t size = body_end + detail::trailer_size;
  if (size > message_bytes_max_ || size > input.size()) [[unlikely]] {
    return next_slow(input);
  }
  // SOH 1 0 = d d d SOH, where no d is SOH (its bits 0x30 are not set), which would end the message
  // earlier.
  constexpr std::uint64_t mask = 0xff303030ffffffff;
  constexpr std::uint64_t wanted = 0x013030303d303101;
  if ((load<std::uint64_t>(bytes + body_end - 1) & mask) != wanted) [[unlikely]] {
    return next_slow(input);
  }
  return consumed({FrameStatus::Complete, FrameError::None, 0, size});
}

void Framer::reset() noexcept {
  no_trailer_ = {};
  no_soh_ = {};
  no_length_ = {};
  recovering_from_ = FrameError::None;
}

Frame Framer::next_slow(std::string_view input) noexcept {
  if (recovering_from_ != FrameError::None) {
    return recover(input, 0);
  }
  if (input.substr(0, 2) != message_start.substr(0, input.size() < 2 ? input.size() : 2)) {
    return skip_garbage(input);
  }
  const std::string_view window = input.substr(0, message_bytes_max_);
  const std::size_t length_at = find_or_prefix(window, length_start, no_length_.behind(0));
  no_length_.add(0, length_at);
  if (window.size() - length_at < length_start.size()) {
    return input.size() < message_bytes_max_ ? partial(input.size() + 1)
                                             : give_up(input, FrameError::NoBodyLength);
  }
  const Header header = read_length(input, length_at + length_start.size(), message_bytes_max_);
  switch (header.status) {
    case Header::Status::Partial:
      return partial(input.size() + 1);
    case Header::Status::BodyLengthValue:
      return give_up(input, FrameError::BodyLengthValue);
    case Header::Status::TooLarge:
      return give_up(input, FrameError::TooLarge);
    case Header::Status::Whole:
      break;
  }
  const std::size_t body_end = header.body_begin + header.body_length;
  if (body_end + trailer_start.size() > message_bytes_max_) {
    return give_up(input, FrameError::TooLarge);
  }
  if (input.size() < body_end + trailer_start.size()) {
    return partial(body_end + trailer_start.size());
  }
  return search_trailer(input, body_end);
}

Frame Framer::search_trailer(std::string_view input, std::size_t body_end) noexcept {
  std::string_view window = input.substr(0, message_bytes_max_);
  const std::size_t from = body_end - 1;
  std::size_t trailer = npos;
  std::size_t at = from;
  if (at < no_trailer_.begin) {
    // A trailer that begins before the searched part may extend into it.
    trailer =
        window.substr(0, no_trailer_.begin + trailer_start.size() - 1).find(trailer_start, at);
    at = no_trailer_.begin;
  }
  if (trailer == npos) {
    at = no_trailer_.behind(at);
    at = no_soh_.behind(at);  // A trailer begins with SOH.
    trailer = window.find(trailer_start, at);
  }
  if (trailer == npos) {
    const std::size_t unfinished = trailer_start.size() - 1;
    no_trailer_.add(from, window.size() - unfinished);
  } else {
    const std::size_t value = trailer + trailer_start.size();
    const std::size_t end = window.find(soh, no_soh_.behind(value));
    if (end != npos) {
      return consumed({FrameStatus::Complete, FrameError::None, 0, end + 1});
    }
    no_trailer_.add(from, trailer);
    no_soh_.add(value, window.size());
  }
  if (input.size() >= message_bytes_max_) {
    return give_up(input, FrameError::TooLarge);
  }
  return partial(input.size() + 1);
}

Frame Framer::skip_garbage(std::string_view input) noexcept {
  return consumed({FrameStatus::Skip, FrameError::Garbage, 0,
                   find_or_prefix(input, message_start.substr(0, 2), 0)});
}

Frame Framer::give_up(std::string_view input, FrameError error) noexcept {
  recovering_from_ = error;
  return recover(input, 1);
}

Frame Framer::recover(std::string_view input, std::size_t from) noexcept {
  const std::size_t at = find_or_prefix(input, message_start, from);
  const FrameError error = recovering_from_;
  if (input.size() - at >= message_start.size()) {
    recovering_from_ = FrameError::None;
    if (at == 0) {
      return next(input);
    }
  }
  if (at == 0) {
    return partial(input.size() + 1);
  }
  return consumed({FrameStatus::Skip, error, 0, at});
}

Frame Framer::consumed(Frame frame) noexcept {
  if ((no_trailer_.end | no_soh_.end | no_length_.end) != 0) [[unlikely]] {
    no_length_.consume(frame.size);
    no_trailer_.consume(frame.size);
    no_soh_.consume(frame.size);
  }
  return frame;
}

void Framer::Searched::add(std::size_t from, std::size_t to) noexcept {
  if (from >= to) {
    return;
  }
  if (from > end || to < begin) {
    begin = from;
    end = to;
    return;
  }
  begin = from < begin ? from : begin;
  end = to > end ? to : end;
}

void Framer::Searched::consume(std::size_t size) noexcept {
  begin = begin > size ? begin - size : 0;
  end = end > size ? end - size : 0;
}

}  // namespace affix::inline v0::wire
