// SPDX-License-Identifier: MIT
// Arranges the picture, and handles keys.
#include "top/screen.hpp"

#include <algorithm>

namespace affix::inline v0::tools::top {

namespace {

constexpr int control_h = 8;
constexpr const char* help =
    "</> sort by the next column  r reverse  / filter  z latencies from now  arrows scroll  q quit";

void step_sort(View& view, bool forward) {
  const auto all = columns();
  const auto at = static_cast<std::size_t>(view.sort - all.data());
  view.sort = &all[(at + (forward ? 1 : all.size() - 1)) % all.size()];
  view.reversed = false;
}

void press_in_filter(int key, View& view) {
  if (key == '\n' || key == keys::enter) {
    view.typing_filter = false;
  } else if (key == keys::escape) {
    view.typing_filter = false;
    view.filter.clear();
  } else if (key == keys::backspace || key == control_h) {
    if (!view.filter.empty()) {
      view.filter.pop_back();
    }
  } else if (key >= ' ' && key <= '~') {
    view.filter += static_cast<char>(key);
  }
}

}  // namespace

void press(int key, View& view) {
  if (view.typing_filter) {
    press_in_filter(key, view);
    return;
  }
  switch (key) {
    case 'q':
    case 'Q':
      view.quit = true;
      break;
    case '>':
    case keys::right:
      step_sort(view, true);
      break;
    case '<':
    case keys::left:
      step_sort(view, false);
      break;
    case 'r':
      view.reversed = !view.reversed;
      break;
    case 'z':
      view.zero = true;
      break;
    case '/':
      view.typing_filter = true;
      view.filter.clear();
      break;
    case keys::escape:
      view.filter.clear();
      break;
    case keys::down:
      ++view.first_row;
      break;
    case keys::up:
      view.first_row -= view.first_row == 0 ? 0 : 1;
      break;
    case keys::home:
      view.first_row = 0;
      break;
    default:
      break;
  }
}

std::vector<Line> picture_of(const std::vector<std::string>& lines,
                             const std::vector<SessionRow>& rows, std::int64_t utc_ns,
                             const View& view, const std::string& note, TerminalSize space) {
  std::vector<Line> picture;
  for (const std::string& line : lines) {
    picture.push_back({.text = line});
  }
  std::string chosen =
      "sorted by " + std::string(view.sort->name) + (view.reversed ? ", reversed" : "");
  if (view.typing_filter || !view.filter.empty()) {
    chosen += "; filter: " + view.filter + (view.typing_filter ? "_" : "");
  }
  picture.push_back({.text = chosen + (note.empty() ? "" : "; " + note)});
  std::string head = head_line(space.columns);
  head.resize(space.columns, ' ');
  picture.push_back({.text = std::move(head), .reversed = true});
  const std::size_t first = std::min(view.first_row, rows.empty() ? 0 : rows.size() - 1);
  for (std::size_t row = first; row < rows.size() && picture.size() + 1 < space.rows; ++row) {
    picture.push_back({.text = row_line(rows[row], utc_ns, space.columns)});
  }
  picture.resize(std::max<std::size_t>(space.rows, 1));
  picture.back() = {.text = help};
  return picture;
}

}  // namespace affix::inline v0::tools::top
