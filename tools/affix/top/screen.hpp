// SPDX-License-Identifier: MIT
// The live display: what it shows, and the effect of keys. Independent of the terminal.
#pragma once

#include "top/session_rows.hpp"
#include "top/terminal.hpp"

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

/// The picture, with as many lines as the space has rows. `lines` are shown above the table;
/// `note`, below them, may be empty.
[[nodiscard]] std::vector<Line> picture_of(const std::vector<std::string>& lines,
                                           const std::vector<SessionRow>& rows, std::int64_t utc_ns,
                                           const View& view, const std::string& note,
                                           TerminalSize space);

/// Effect of a key, see terminal.hpp.
void press(int key, View& view);

}  // namespace affix::inline v0::tools::top
