// SPDX-License-Identifier: MIT
// Buffers of one size in one reservation of address space, lent to the connections that need one
// now. Used by reactors for unconsumed input and parked output, which few connections have at a
// time.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

namespace affix::inline v0::net {

/// Memory is real from a block's first use on. The block given back last is lent next, so resident
/// memory follows the most blocks in use at one time, and what is lent is warm. Not for several
/// threads.
class BlockPool {
 public:
  BlockPool() noexcept = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;
  ~BlockPool();

  /// Reserves `count` blocks of at least `block_bytes`. Once. NoSpace: the address space or the
  /// overcommit limit does not allow it.
  [[nodiscard]] std::expected<void, base::Error> open(std::uint32_t count, std::size_t block_bytes,
                                                      const char* name, Pages pages = Pages::Small);

  /// A block, contents unspecified but readable. There must be one: owners reserve for the worst
  /// case.
  [[nodiscard]] char* lend() noexcept;

  /// Takes a block back, of which at most `touched_bytes` were ever written since it was lent. A
  /// large one's memory goes back to the system, so that one frozen peer leaves no mark; but that
  /// of huge pages, which other blocks share and which would fall apart, stays.
  void give_back(char* block, std::size_t touched_bytes) noexcept;

  [[nodiscard]] std::size_t free_count() const noexcept { return free_.size(); }

 private:
  char* base_ = nullptr;
  std::size_t total_bytes_ = 0;
  std::size_t stride_ = 0;
  Pages pages_ = Pages::Small;
  std::vector<std::uint32_t> free_;  // Top = lent next.
};

}  // namespace affix::inline v0::net
