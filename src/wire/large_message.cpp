// SPDX-License-Identifier: MIT
// Counts and sums a message that is not stored.
#include "affix/wire/large_message.hpp"

#include "affix/wire/checksum.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"

#include "wire/message_frame.hpp"

#include <algorithm>
#include <cstring>

namespace affix::inline v0::wire {

namespace {

using detail::length_start;

/// BeginString and BodyLength end before that in every known message.
constexpr std::size_t length_end_max = 64;

}  // namespace

LargeMessage::Progress LargeMessage::skip(std::string_view bytes) noexcept {
  if (bytes.starts_with(detail::message_start)) {
    begin();
  }
  if (!following_) {
    return Progress::None;
  }
  if (size_ == 0) {
    // The first bytes are few, or they contain all of the head.
    const std::string_view first =
        bytes.substr(0, length_end_max - std::min(taken_, length_end_max));
    take(first);
    bytes.remove_prefix(first.size());
    if (!read_size() || (size_ != 0 && size_ < taken_ + trailer_size) ||
        (size_ == 0 && taken_ >= length_end_max)) {
      following_ = false;
      return Progress::Broken;
    }
    if (size_ == 0) {
      return Progress::Begun;
    }
  }
  take(bytes.substr(0, size_ - taken_));
  if (taken_ < size_) {
    return Progress::Begun;
  }
  following_ = false;
  return trailer_is_right() ? Progress::Whole : Progress::Broken;
}

bool LargeMessage::abandon() noexcept {
  const bool was_following = following_;
  following_ = false;
  return was_following;
}

std::string_view LargeMessage::head() const noexcept {
  const std::string_view kept(head_.data(), head_size_);
  const std::size_t last = kept.rfind(soh);
  return kept.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

void LargeMessage::begin() noexcept {
  following_ = true;
  head_size_ = 0;
  size_ = 0;
  taken_ = 0;
  sum_ = 0;
}

void LargeMessage::take(std::string_view bytes) noexcept {
  head_size_ += bytes.copy(head_.data() + head_size_, head_.size() - head_size_);
  const std::size_t kept = std::min(taken_, trailer_size);
  taken_ += bytes.size();
  if (bytes.size() >= trailer_size) {
    const std::size_t summed = bytes.size() - trailer_size;
    sum_ += checksum({tail_.data(), kept});
    sum_ += checksum(bytes.substr(0, summed));
    bytes.substr(summed).copy(tail_.data(), trailer_size);
    return;
  }
  const std::size_t leaving = std::max(kept + bytes.size(), trailer_size) - trailer_size;
  sum_ += checksum({tail_.data(), leaving});
  std::memmove(tail_.data(), tail_.data() + leaving, kept - leaving);
  bytes.copy(tail_.data() + kept - leaving, bytes.size());
}

bool LargeMessage::read_size() noexcept {
  const std::string_view kept(head_.data(), head_size_);
  const std::size_t at = kept.find(length_start);
  if (at == std::string_view::npos) {
    return true;
  }
  const std::size_t begin = at + length_start.size();
  const std::size_t end = kept.find(soh, begin);
  if (end == std::string_view::npos) {
    return true;
  }
  const auto length = parse_integer<std::uint32_t>(kept.substr(begin, end - begin));
  if (!length || at != kept.find(soh)) {
    return false;
  }
  size_ = end + 1 + *length + trailer_size;
  return true;
}

bool LargeMessage::trailer_is_right() const noexcept {
  const std::string_view trailer(tail_.data(), tail_.size());
  const auto sum = parse_integer<std::uint32_t>(trailer.substr(3, 3));
  return trailer.starts_with("10=") && trailer.back() == soh && sum && *sum == sum_ % 256;
}

}  // namespace affix::inline v0::wire
