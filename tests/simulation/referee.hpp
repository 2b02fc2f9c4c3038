// SPDX-License-Identifier: MIT
// Who notes the first broken rule of a history, and writes the history down while asked to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace affix::simulation {

class Referee {
 public:
  /// Gets each line of the history, and may be empty: then nobody writes lines.
  std::function<void(std::string_view line)> trace;

  /// Where in the history this is; asked when a line is written.
  std::function<std::string()> where;

  [[nodiscard]] bool tracing() const noexcept { return static_cast<bool>(trace); }

  /// A line; build its text only if tracing().
  void note(const std::string& text) const {
    if (trace) {
      trace(where() + " " + text);
    }
  }

  /// A rule is broken. The first one counts: what follows may follow from it.
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
