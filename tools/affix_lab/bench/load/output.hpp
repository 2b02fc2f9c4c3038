// SPDX-License-Identifier: MIT
// Buffer for a load session's output: one growing block that all sessions of a run share, emptied
// by each send.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::bench {

/// One thread. Grows on demand and never shrinks, so that a run allocates only at its start.
class Output {
 public:
  /// Free space of `size` bytes after those written; valid until the next call.
  [[nodiscard]] std::span<char> room(std::size_t size) {
    if (bytes_.size() - used_ < size) {
      bytes_.resize(std::max(bytes_.size() * 2, used_ + size));
    }
    return {bytes_.data() + used_, size};
  }

  /// Adds the first `size` bytes of the free space, which were written.
  void added(std::size_t size) noexcept { used_ += size; }

  void append(std::string_view text) {
    std::copy(text.begin(), text.end(), room(text.size()).begin());
    added(text.size());
  }

  [[nodiscard]] std::string_view bytes() const noexcept { return {bytes_.data(), used_}; }

  [[nodiscard]] bool empty() const noexcept { return used_ == 0; }

  void clear() noexcept { used_ = 0; }

 private:
  std::vector<char> bytes_ = std::vector<char>(std::size_t{1} << 16);
  std::size_t used_ = 0;
};

}  // namespace affix::inline v0::tools::bench
