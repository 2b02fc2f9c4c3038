// SPDX-License-Identifier: MIT
// A few lines of a terminal that are drawn again in place.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace affix::inline v0::tools::trade {

class RedrawnLines {
 public:
  /// `out` outlives it.
  explicit RedrawnLines(std::FILE* out);

  /// Whether `out` is a terminal; only then anything can be drawn.
  [[nodiscard]] bool is_terminal() const noexcept { return terminal_; }

  /// Characters that a line may have, less one so that the cursor never sits at the edge.
  [[nodiscard]] std::size_t columns() const noexcept;

  /// Replaces the lines drawn before. Cuts what does not fit into the terminal, as lines that wrap
  /// or scroll could not be replaced.
  void draw(const std::vector<std::string>& lines);

  /// Keeps the lines; later output is written below them.
  void finish() noexcept { drawn_ = 0; }

 private:
  std::FILE* out_;
  bool terminal_;
  std::size_t drawn_ = 0;
};

}  // namespace affix::inline v0::tools::trade
