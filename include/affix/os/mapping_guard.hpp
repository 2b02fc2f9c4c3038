// SPDX-License-Identifier: MIT
// Registers a mapped file, which other processes may truncate, with the bus error handler; the
// handler substitutes an empty page for a lost one.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace affix::inline v0::os {

/// Protects one mapping during its lifetime; destroy it before unmapping. Without
/// install_bus_error_handler() it has no effect, and a lost page ends the process. A moved-from
/// guard is empty. Any thread; construction allocates.
class MappingGuard {
 public:
  MappingGuard() noexcept = default;
  /// Protects `bytes` at `at`; the mapping must outlive the guard.
  MappingGuard(const void* at, std::size_t bytes);
  /// Takes over the protection of `other`.
  MappingGuard(MappingGuard&& other) noexcept;
  /// Ends its own protection first.
  MappingGuard& operator=(MappingGuard&& other) noexcept;
  ~MappingGuard();

  /// True if a page was lost and replaced by an empty page private to this process: stores to it
  /// reach no other process, and its contents are invalid.
  [[nodiscard]] bool lost() const noexcept {
    return lost_ != nullptr && lost_->load(std::memory_order_relaxed);
  }

 private:
  const char* at_ = nullptr;
  std::unique_ptr<std::atomic<bool>> lost_;  // At a fixed address, for the handler.
};

}  // namespace affix::inline v0::os
