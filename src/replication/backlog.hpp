// SPDX-License-Identifier: MIT
// The newest bytes of a Shipper's stream: a ring in which no frame wraps around the end. Private to
// replication.
#pragma once

#include "replication/frame.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace affix::inline v0::replication {

class Backlog {
 public:
  /// `bytes` is rounded up to a power of two. Pages become resident when they are written first.
  explicit Backlog(std::size_t bytes)
      : mask_(std::bit_ceil(bytes) - 1), bytes_(std::make_unique_for_overwrite<char[]>(mask_ + 1)) {
    // The first place is not 0, which stands for nothing.
    write_pad(claim(frame_header_bytes), frame_header_bytes);
  }

  /// Bytes since the stream began: a place.
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }

  /// The oldest place whose bytes are here.
  [[nodiscard]] std::uint64_t begin() const noexcept {
    return end_ > capacity() ? end_ - capacity() : 0;
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  /// Bytes that the next frame of `bytes` takes, with the padding that may come before it.
  [[nodiscard]] std::size_t needed(std::size_t bytes) const noexcept {
    const std::size_t left = left_before_wrap();
    return bytes <= left ? bytes : left + bytes;
  }

  /// Memory for a frame of `bytes`, a multiple of 8, which the caller writes at once. Overwrites
  /// the oldest bytes.
  [[nodiscard]] char* claim(std::size_t bytes) noexcept {
    const std::size_t left = left_before_wrap();
    if (bytes > left) [[unlikely]] {
      write_pad(bytes_.get() + offset_of(end_), left);
      end_ += left;
    }
    char* const at = bytes_.get() + offset_of(end_);
    end_ += bytes;
    // The next frame is written soon after, to lines that have left the caches a ring ago.
    __builtin_prefetch(bytes_.get() + offset_of(end_), 1);
    __builtin_prefetch(bytes_.get() + offset_of(end_ + 64), 1);
    return at;
  }

  /// The bytes from `place` on, up to the end of the ring's memory.
  [[nodiscard]] std::string_view from(std::uint64_t place) const noexcept {
    const std::size_t offset = offset_of(place);
    return {bytes_.get() + offset,
            std::min(static_cast<std::size_t>(end_ - place), capacity() - offset)};
  }

 private:
  [[nodiscard]] std::size_t offset_of(std::uint64_t place) const noexcept {
    return static_cast<std::size_t>(place) & mask_;
  }

  [[nodiscard]] std::size_t left_before_wrap() const noexcept {
    return capacity() - offset_of(end_);
  }

  std::size_t mask_;
  std::unique_ptr<char[]> bytes_;
  std::uint64_t end_ = 0;
};

/// The longest front of `frames`, which are whole, that has whole frames and at most `bytes_max`
/// bytes.
[[nodiscard]] inline std::size_t whole_frames_within(std::string_view frames,
                                                     std::size_t bytes_max) noexcept {
  if (frames.size() <= bytes_max) {
    return frames.size();
  }
  std::size_t bytes = 0;
  while (true) {
    const FrameView frame = first_frame(frames.substr(bytes));
    if (frame.state != FrameView::State::Whole || bytes + frame.size > bytes_max) {
      return bytes;
    }
    bytes += frame.size;
  }
}

}  // namespace affix::inline v0::replication
