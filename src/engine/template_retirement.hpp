// SPDX-License-Identifier: MIT
// Decides when the session that a template created for a peer leaves again. Reads no clock.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>

namespace affix::inline v0::engine {

/// One thread.
class TemplateRetirement {
 public:
  static constexpr std::int64_t never_ns = INT64_MAX;

  /// A session that never logs on is not kept: its peer may have invented the name.
  static constexpr std::int64_t unproven_ns = 30 * base::ns_per_second;

  /// Of a session that no template created: it never leaves.
  TemplateRetirement() noexcept = default;

  /// Of a template's session that has come; `after_ns`: time logged out after which it leaves; 0:
  /// it stays, once it has been logged on.
  TemplateRetirement(std::int64_t after_ns, std::int64_t now_ns) noexcept
      : due_ns_(now_ns + unproven_ns), after_ns_(after_ns), stage_(Stage::Unproven) {}

  void on_logged_on() noexcept {
    stage_ = stage_ == Stage::Unproven ? Stage::Proven : stage_;
    due_ns_ = never_ns;
  }

  /// Its connection has ended, logged on or not.
  void on_down(std::int64_t now_ns) noexcept {
    if (stage_ == Stage::Unproven) {
      due_ns_ = now_ns + unproven_ns;
    } else if (stage_ == Stage::Proven && after_ns_ != 0) {
      due_ns_ = now_ns + after_ns_;
    }
  }

  /// Steady time at which to call take_due(); never_ns: never.
  [[nodiscard]] std::int64_t due_ns() const noexcept { return due_ns_; }

  /// True, once, when the session must leave if it is not connected.
  [[nodiscard]] bool take_due(std::int64_t now_ns) noexcept {
    if (now_ns < due_ns_) {
      return false;
    }
    due_ns_ = never_ns;
    return true;
  }

 private:
  enum class Stage : std::uint8_t { Permanent, Unproven, Proven };

  std::int64_t due_ns_ = never_ns;
  std::int64_t after_ns_ = 0;
  Stage stage_ = Stage::Permanent;
};

}  // namespace affix::inline v0::engine
