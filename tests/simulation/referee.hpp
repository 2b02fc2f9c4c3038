// SPDX-License-Identifier: MIT
// Records the first broken rule of a history, and writes the history if requested.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace affix::simulation {

class Referee {
 public:
  /// Receives each line of the history; if empty, no lines are written.
  std::function<void(std::string_view line)> trace;

  /// Present position in the history; called when a line is written.
  std::function<std::string()> where;

  [[nodiscard]] bool tracing() const noexcept { return static_cast<bool>(trace); }

  /// Writes a line; build its text only if tracing().
  void note(const std::string& text) const {
    if (trace) {
      trace(where() + " " + text);
    }
  }

  /// Checks a rule. Only the first violation counts: later ones may follow from it.
  void rule(bool kept, const std::function<std::string()>& broken) {
    if (!kept && !violation_) {
      violation_ = where() + " " + broken();
      note("VIOLATION: " + *violation_);
    }
  }

  [[nodiscard]] const std::optional<std::string>& violation() const noexcept { return violation_; }

 private:
  std::optional<std::string> violation_;
};

}  // namespace affix::simulation
