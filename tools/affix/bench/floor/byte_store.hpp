// SPDX-License-Identifier: MIT
// The least that storing messages costs: their bytes, copied one behind the other into the pages of
// a file. No record, no checksum, no position, nothing that could be found again.
#pragma once

#include "affix/base/error.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::bench {

class ByteStore {
 public:
  /// At most so many bytes; address space alone until they are used.
  static constexpr std::size_t bytes_max = std::size_t{16} << 30;

  /// A file without a name in `directory`, which goes with the object.
  [[nodiscard]] static std::expected<std::unique_ptr<ByteStore>, base::Error> make(
      const std::string& directory);

  ByteStore(const ByteStore&) = delete;
  ByteStore& operator=(const ByteStore&) = delete;
  ~ByteStore();

  /// False: the disk or `bytes_max` is full, and nothing was stored. System calls once in 512 KiB,
  /// which prepare as many: pages are never met for the first time while bytes are copied.
  [[nodiscard]] bool append(std::string_view bytes) noexcept;

  /// What was appended, until the next call.
  [[nodiscard]] std::string_view view() const noexcept { return {pages_, size_}; }

 private:
  ByteStore(int file, char* pages) noexcept : file_(file), pages_(pages) {}

  [[nodiscard]] bool prepare() noexcept;

  int file_;
  char* pages_;
  std::size_t size_ = 0;
  std::size_t prepared_ = 0;
  std::size_t allocated_ = 0;
};

}  // namespace affix::inline v0::tools::bench
