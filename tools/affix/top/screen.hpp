// SPDX-License-Identifier: MIT
// The live display on a terminal, with ncurses: draws its input and reports pressed keys.
#pragma once

#include "top/session_rows.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::top {

/// State selected by keys.
struct View {
  const Column* sort = nullptr;
  bool reversed = false;
  std::string filter{};
  bool typing_filter = false;  ///< Typed letters go to the filter.
  std::size_t first_row = 0;   ///< Number of rows scrolled.
  bool zero = false;           ///< Request to restart latencies; the code that does so clears it.
  bool quit = false;
};

/// Controls the terminal during its lifetime and then restores it. One at a time.
class Screen {
 public:
  Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  /// `lines` are shown above the table; `note`, below the keys, may be empty.
  void draw(const std::vector<std::string>& lines, const std::vector<SessionRow>& rows,
            std::int64_t utc_ns, const View& view, const std::string& note);

  /// Waits for a key, at most `longest`, and applies it to `view`. False: none was pressed.
  [[nodiscard]] bool take_key(std::chrono::milliseconds longest, View& view);
};

/// Effect of a key; independent of the terminal, for tests. `key` is curses's code.
void press(int key, View& view);

}  // namespace affix::inline v0::tools::top
