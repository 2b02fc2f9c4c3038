// SPDX-License-Identifier: MIT
// Buffers of one size in one reservation of address space, lent to connections on demand.
// Reactors use them for unconsumed input and parked output, which few connections have at one
// time.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

namespace affix::inline v0::net {

/// A block uses memory from its first use on. The block returned last is lent next, so
/// resident memory follows the maximum number in use at one time, and a lent block is warm.
/// One thread.
class BlockPool {
 public:
  BlockPool() noexcept = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;
  ~BlockPool();

  /// Reserves `count` blocks of at least `block_bytes`. Call once. NoSpace: the address space or
  /// the overcommit limit does not allow it.
  [[nodiscard]] std::expected<void, base::Error> open(std::uint32_t count, std::size_t block_bytes,
                                                      const char* name,
                                                      os::Pages pages = os::Pages::Small);

  /// Lends a block, contents unspecified but readable. One must be free: owners reserve for the
  /// worst case.
  [[nodiscard]] char* lend() noexcept;

  /// Takes back a block, of which at most `touched_bytes` were written since it was lent. A large
  /// one's memory is returned to the system, so that one frozen peer leaves no mark; huge pages are
  /// kept, since other blocks share them and a partial return would split them.
  void give_back(char* block, std::size_t touched_bytes) noexcept;

  [[nodiscard]] std::size_t free_count() const noexcept { return free_.size(); }

 private:
  char* base_ = nullptr;
  std::size_t total_bytes_ = 0;
  std::size_t stride_ = 0;
  os::Pages pages_ = os::Pages::Small;
  std::vector<std::uint32_t> free_;  // Top = lent next.
};

}  // namespace affix::inline v0::net
