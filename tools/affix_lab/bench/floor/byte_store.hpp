// SPDX-License-Identifier: MIT
// The minimum cost of storing messages: copies their bytes one after another into the pages of a
// file. Has no records, checksums or positions; nothing can be found again.
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
  /// Maximum size; only address space until used.
  static constexpr std::size_t bytes_max = std::size_t{16} << 30;

  /// Makes a file without a name in `directory`, which is removed with the object.
  [[nodiscard]] static std::expected<std::unique_ptr<ByteStore>, base::Error> make(
      const std::string& directory);

  ByteStore(const ByteStore&) = delete;
  ByteStore& operator=(const ByteStore&) = delete;
  ~ByteStore();

  /// False: the disk or `bytes_max` is full, and nothing was stored. Makes system calls every 512
  /// KiB, which prepare as many bytes: copying never meets a new page.
  [[nodiscard]] bool append(std::string_view bytes) noexcept;

  /// Everything appended; valid until the next call.
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
