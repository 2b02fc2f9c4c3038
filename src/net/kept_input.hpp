// SPDX-License-Identifier: MIT
// Input that its owner has not consumed yet, at the front of a lent block. Owns no block while
// there is none.
#pragma once

#include "net/block_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace affix::inline v0::net {

/// A plain value; its owner calls drop() before destroying it.
class KeptInput {
 public:
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Null while nothing is kept.
  [[nodiscard]] char* block() const noexcept { return block_; }

  /// Records that the block was written up to `end`, after or over the kept bytes.
  void note_written(std::uint32_t end) noexcept { touched_ = std::max(touched_, end); }

  /// Keeps exactly these bytes, which may be in the block; for none, returns the block.
  void keep(const char* begin, std::uint32_t size, BlockPool& pool) noexcept {
    if (size == 0) {
      drop(pool);
      return;
    }
    if (block_ == nullptr) {
      block_ = pool.lend();
    }
    if (begin != block_) {
      std::memmove(block_, begin, size);
    }
    size_ = size;
    note_written(size);
  }

  /// Discards everything.
  void drop(BlockPool& pool) noexcept {
    if (block_ != nullptr) {
      pool.give_back(block_, touched_);
    }
    *this = KeptInput{};
  }

 private:
  char* block_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t touched_ = 0;  // End of the written part of the block.
};

}  // namespace affix::inline v0::net
