// SPDX-License-Identifier: MIT
// The newest bytes of a Shipper's stream, in blocks: no frame is in two of them. A block that
// nobody needs any more is the next one to be written, while it is still in the caches. Private to
// replication.
#pragma once

#include "affix/base/assert.hpp"

#include "replication/frame.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace affix::inline v0::replication {

class Backlog {
 public:
  /// Room for the largest frame.
  static constexpr std::size_t block_bytes = std::size_t{64} * 1024;
  static_assert(block_bytes >= frame_bytes_max);

  /// `bytes` is rounded up to whole blocks, two at least. Memory becomes resident with its first
  /// use, except that of the first blocks, which a stream whose standbys keep up does not leave.
  explicit Backlog(std::size_t bytes)
      : blocks_max_(std::max<std::size_t>((bytes + block_bytes - 1) / block_bytes, 2)),
        memory_(std::make_unique_for_overwrite<char[]>(blocks_max_ * block_bytes)),
        used_(blocks_max_) {
    free_.reserve(blocks_max_);
    for (std::size_t number = blocks_max_; number != 0; --number) {
      free_.push_back(memory_.get() + (number - 1) * block_bytes);
    }
    std::memset(memory_.get(), 0, std::min(blocks_max_, resident_blocks) * block_bytes);
    begin_block();
    // The first place is not 0, which stands for nothing.
    write_pad(claim(frame_header_bytes), frame_header_bytes);
  }

  /// Bytes since the stream began: a place.
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }

  /// The oldest place whose bytes are here.
  [[nodiscard]] std::uint64_t begin() const noexcept { return block(0).begin; }

  /// False: claim() for a frame of `bytes` discards what is before discarded_next().
  [[nodiscard]] bool has_room(std::size_t bytes) const noexcept {
    return bytes <= left_ || !free_.empty();
  }

  [[nodiscard]] std::uint64_t discarded_next() const noexcept { return block(1).begin; }

  /// Memory for a frame of `bytes`, a multiple of 8, which the caller writes at once.
  [[nodiscard]] char* claim(std::size_t bytes) noexcept {
    AFFIX_ASSERT(bytes <= block_bytes);
    if (bytes > left_) [[unlikely]] {
      if (free_.empty()) {
        drop_oldest();
      }
      begin_block();
    }
    char* const at = next_;
    next_ += bytes;
    left_ -= bytes;
    end_ += bytes;
    return at;
  }

  /// Nobody needs what is before `place`.
  void forget(std::uint64_t place) noexcept {
    while (used_count_ > 1 && block(1).begin <= place) {
      drop_oldest();
    }
  }

  /// The bytes from `place`, which is here, up to the end of its block.
  [[nodiscard]] std::string_view from(std::uint64_t place) const noexcept {
    AFFIX_ASSERT(place >= begin());
    std::size_t at = used_count_ - 1;
    std::uint64_t until = end_;
    while (block(at).begin > place) {
      until = block(at).begin;
      --at;
    }
    const Block& there = block(at);
    return {there.bytes + (place - there.begin), static_cast<std::size_t>(until - place)};
  }

 private:
  /// Of the first blocks, which are resident from the beginning.
  static constexpr std::size_t resident_blocks = 8;

  struct Block {
    std::uint64_t begin = 0;  ///< Place of its first byte.
    char* bytes = nullptr;
  };

  /// The one of that age, from the oldest on.
  [[nodiscard]] const Block& block(std::size_t age) const noexcept {
    const std::size_t at = oldest_ + age;
    return used_[at < blocks_max_ ? at : at - blocks_max_];
  }

  void begin_block() noexcept {
    const std::size_t at = oldest_ + used_count_;
    used_[at < blocks_max_ ? at : at - blocks_max_] = {end_, free_.back()};
    ++used_count_;
    next_ = free_.back();
    left_ = block_bytes;
    free_.pop_back();
  }

  void drop_oldest() noexcept {
    free_.push_back(block(0).bytes);
    oldest_ = oldest_ + 1 < blocks_max_ ? oldest_ + 1 : 0;
    --used_count_;
  }

  std::size_t blocks_max_;
  std::unique_ptr<char[]> memory_;
  std::vector<Block> used_;  ///< A ring, oldest first.
  std::size_t oldest_ = 0;
  std::size_t used_count_ = 0;
  std::vector<char*> free_ = {};  ///< The last one was in use last.
  char* next_ = nullptr;          ///< Of the newest block.
  std::size_t left_ = 0;
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
