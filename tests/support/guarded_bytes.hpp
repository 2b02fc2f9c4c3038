// SPDX-License-Identifier: MIT
// Memory between unreadable pages, so that a read of one byte too many ends the test, also in
// builds and kernels without a sanitizer.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace affix::support {

class GuardedBytes {
 public:
  explicit GuardedBytes(std::size_t capacity) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (capacity + page - 1) / page * page;
    mapped_size_ = size_ + 2 * page;
    void* mapped = mmap(nullptr, mapped_size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
      std::abort();
    }
    mapped_ = static_cast<char*>(mapped);
    begin_ = mapped_ + page;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) {
      std::abort();
    }
  }

  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  ~GuardedBytes() { munmap(mapped_, mapped_size_); }

  /// A copy whose last byte is the last readable one. Not more than the capacity; valid until the
  /// next copy.
  [[nodiscard]] std::string_view at_end(std::string_view bytes) noexcept {
    return place(begin_ + size_ - bytes.size(), bytes);
  }

  /// A copy whose first byte is the first readable one.
  [[nodiscard]] std::string_view at_begin(std::string_view bytes) noexcept {
    return place(begin_, bytes);
  }

 private:
  [[nodiscard]] static std::string_view place(char* to, std::string_view bytes) noexcept {
    if (!bytes.empty()) {
      std::memcpy(to, bytes.data(), bytes.size());
    }
    return {to, bytes.size()};
  }

  char* mapped_ = nullptr;
  char* begin_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_size_ = 0;
};

}  // namespace affix::support
