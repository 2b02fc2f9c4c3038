// SPDX-License-Identifier: MIT
// Decides whether a worker goes on waiting for another thread that reads pages of its journals'
// history, or reads them itself. Reads no clock.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

/// The worker's thread. Times are steady.
class PagePatience {
 public:
  /// Time that a resend waits for a sign of a helper. Without one, the worker reads the missing
  /// pages itself and waits for the disk.
  static constexpr std::int64_t patience_ns = 100 * base::ns_per_ms;

  /// The first session waits for pages.
  void begin(std::int64_t now_ns) noexcept { since_ns_ = now_ns; }

  /// The worker must read, and could read nothing: it waits as long before it tries again.
  void pause(std::int64_t now_ns) noexcept {
    since_ns_ = now_ns;
    nobody_helps_ = false;
  }

  /// While sessions wait for pages: true if the worker must read them. `preparations` counts begun
  /// and ended ones of helpers; it is odd while one is working, which may be slow.
  [[nodiscard]] bool is_over(std::uint64_t preparations, std::int64_t now_ns) noexcept {
    if (preparations != seen_ || preparations % 2 != 0) {
      seen_ = preparations;
      since_ns_ = now_ns;
      nobody_helps_ = false;
    } else if (now_ns - since_ns_ >= patience_ns) {
      nobody_helps_ = true;  // Until a helper is seen, there is no need to wait for it again.
    }
    return nobody_helps_;
  }

  /// Time at which to ask again; 0: at once.
  [[nodiscard]] std::int64_t deadline_ns() const noexcept {
    return nobody_helps_ ? 0 : since_ns_ + patience_ns;
  }

 private:
  std::int64_t since_ns_ = 0;  // Or since the last sign of a helper.
  std::uint64_t seen_ = 0;
  bool nobody_helps_ = false;
};

}  // namespace affix::inline v0::engine
