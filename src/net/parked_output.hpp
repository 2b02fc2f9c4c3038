// SPDX-License-Identifier: MIT
// Output that the kernel has not accepted yet: a ring of bytes in a lent block. Owns no block while
// it is empty.
#pragma once

#include "affix/base/assert.hpp"

#include "net/block_pool.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <sys/uio.h>

namespace affix::inline v0::net {

/// A plain value; its owner calls drop() before destroying it.
class ParkedOutput {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Appends all of `bytes`, which must fit.
  void append(std::string_view bytes, std::size_t capacity, BlockPool& pool) noexcept {
    if (bytes.empty()) {
      return;
    }
    if (block_ == nullptr) {
      block_ = pool.lend();
    }
    AFFIX_ASSERT(bytes.size() <= capacity - size_);
    const std::size_t tail = (head_ + size_) % capacity;
    const std::size_t straight = std::min(bytes.size(), capacity - tail);
    std::memcpy(block_ + tail, bytes.data(), straight);
    std::memcpy(block_, bytes.data() + straight, bytes.size() - straight);
    touched_ = std::max(touched_, straight < bytes.size() ? capacity : tail + straight);
    size_ += bytes.size();
  }

  /// The bytes in order, as one or two pieces; returns their number.
  [[nodiscard]] std::size_t pieces(std::array<iovec, 2>& out, std::size_t capacity) const noexcept {
    const std::size_t straight = std::min(size_, capacity - head_);
    out[0] = iovec{.iov_base = block_ + head_, .iov_len = straight};
    out[1] = iovec{.iov_base = block_, .iov_len = size_ - straight};
    return straight < size_ ? 2 : 1;
  }

  /// Discards the first `count` bytes; returns the block with the last one.
  void consume(std::size_t count, std::size_t capacity, BlockPool& pool) noexcept {
    AFFIX_ASSERT(count <= size_);
    head_ = (head_ + count) % capacity;
    size_ -= count;
    if (size_ == 0) {
      drop(pool);
    }
  }

  /// Discards everything.
  void drop(BlockPool& pool) noexcept {
    if (block_ != nullptr) {
      pool.give_back(block_, touched_);
    }
    *this = ParkedOutput{};
  }

 private:
  char* block_ = nullptr;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
  std::size_t touched_ = 0;  // End of the written part of the block.
};

}  // namespace affix::inline v0::net
