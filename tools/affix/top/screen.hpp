// SPDX-License-Identifier: MIT
// The live picture on a terminal: draws what it is given and says which keys were pressed. ncurses
// is behind it.
#pragma once

#include "top/session_rows.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::tools::top {

/// What the keys have chosen.
struct View {
  const Column* sort = nullptr;
  bool reversed = false;
  std::string filter{};
  bool typing_filter = false;  ///< Letters go to the filter.
  std::size_t first_row = 0;   ///< Scrolled so far.
  bool zero = false;           ///< Latencies are to count from now on; whoever does that clears it.
  bool quit = false;
};

/// Has the terminal from its making to its end, which gives it back as it was. One at a time.
class Screen {
 public:
  Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen();

  /// `lines` stand above the table; `note`, below the keys, may be empty.
  void draw(const std::vector<std::string>& lines, const std::vector<SessionRow>& rows,
            std::int64_t utc_ns, const View& view, const std::string& note);

  /// Waits for a key, at most so long, and does to `view` what it asks for. False: none came.
  [[nodiscard]] bool take_key(std::chrono::milliseconds longest, View& view);
};

/// What a key does; apart from the terminal, for tests. `key` as curses has it.
void press(int key, View& view);

}  // namespace affix::inline v0::tools::top
