// SPDX-License-Identifier: MIT
// A mapped file that others may cut: entered in the table of the bus error handler, which gives an
// empty page in place of one that is gone.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace affix::inline v0::journal {

/// Covers one mapping as long as it lives; it ends before the mapping is undone. Without
/// install_bus_error_handler() it does nothing, and the kernel ends the process as ever. Moving it
/// leaves the other empty. Any thread; making one allocates.
class MappingGuard {
 public:
  MappingGuard() noexcept = default;
  /// Of the mapping of `bytes` at `at`, which outlives the guard.
  MappingGuard(const void* at, std::size_t bytes);
  /// Takes over what `other` covers.
  MappingGuard(MappingGuard&& other) noexcept;
  /// Ends its own cover first.
  MappingGuard& operator=(MappingGuard&& other) noexcept;
  ~MappingGuard();

  /// A page of it was gone and is an empty one of this process alone now: what is stored there is
  /// seen by nobody else, what is read there may not be believed.
  [[nodiscard]] bool lost() const noexcept {
    return lost_ != nullptr && lost_->load(std::memory_order_relaxed);
  }

 private:
  const char* at_ = nullptr;
  std::unique_ptr<std::atomic<bool>> lost_;  // At one address, which the handler knows.
};

}  // namespace affix::inline v0::journal
