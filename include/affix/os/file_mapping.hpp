// SPDX-License-Identifier: MIT
// A mapped file, which other processes may truncate: the bus error handler substitutes an empty
// page for a lost one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace affix::inline v0::os {

/// Owns a mapping and unmaps it; a moved-from object has none. Without install_bus_error_handler(),
/// a lost page ends the process. Any thread; making one allocates.
class FileMapping {
 public:
  FileMapping() noexcept = default;

  /// Takes over `bytes` at `at`, the result of mmap(); MAP_FAILED: there is no mapping. If `at` is
  /// within a page, the mapping begins with that page.
  FileMapping(void* at, std::size_t bytes);

  /// Maps the first `bytes` of a file that others write. None, with errno, if the system refuses.
  [[nodiscard]] static FileMapping of_reader(int file, std::size_t bytes);

  FileMapping(FileMapping&& other) noexcept
      : at_(std::exchange(other.at_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        lost_(std::move(other.lost_)) {}

  FileMapping& operator=(FileMapping&& other) noexcept;
  ~FileMapping();

  /// Null without a mapping.
  [[nodiscard]] std::byte* begin() const noexcept { return at_; }

  /// 0 without a mapping.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  /// The `count` objects at `offset`; null unless they are aligned and within the mapping.
  template <typename T>
  [[nodiscard]] const T* at(std::uint64_t offset, std::uint64_t count = 1) const noexcept {
    if (offset % alignof(T) != 0 || offset > bytes_ || (bytes_ - offset) / sizeof(T) < count) {
      return nullptr;
    }
    return reinterpret_cast<const T*>(at_ + offset);
  }

  /// True if a page was lost and replaced by an empty page private to this process: stores to it
  /// reach no other process, and its contents are invalid.
  [[nodiscard]] bool lost() const noexcept {
    return lost_ != nullptr && lost_->load(std::memory_order_relaxed);
  }

 private:
  std::byte* at_ = nullptr;
  std::size_t bytes_ = 0;
  std::unique_ptr<std::atomic<bool>> lost_;  // At a fixed address, for the handler.
};

}  // namespace affix::inline v0::os
