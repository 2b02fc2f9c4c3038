// SPDX-License-Identifier: MIT
// Draws with ncurses, and handles keys.
#include "top/screen.hpp"

#include <algorithm>
#include <curses.h>

namespace affix::inline v0::tools::top {

namespace {

constexpr int escape = 27;
constexpr int control_h = 8;
constexpr int delete_key = 127;
constexpr int escape_delay_ms = 25;
constexpr const char* help =
    "</> sort by the next column  r reverse  / filter  z latencies from now  arrows scroll  q quit";

void step_sort(View& view, bool forward) {
  const auto all = columns();
  const auto at = static_cast<std::size_t>(view.sort - all.data());
  view.sort = &all[(at + (forward ? 1 : all.size() - 1)) % all.size()];
  view.reversed = false;
}

void press_in_filter(int key, View& view) {
  if (key == '\n' || key == '\r' || key == KEY_ENTER) {
    view.typing_filter = false;
  } else if (key == escape) {
    view.typing_filter = false;
    view.filter.clear();
  } else if (key == KEY_BACKSPACE || key == delete_key || key == control_h) {
    if (!view.filter.empty()) {
      view.filter.pop_back();
    }
  } else if (key >= ' ' && key <= '~') {
    view.filter += static_cast<char>(key);
  }
}

void put_line(int row, std::string line, int width) {
  line.resize(std::min(line.size(), static_cast<std::size_t>(std::max(width, 0))));
  static_cast<void>(mvaddstr(row, 0, line.c_str()));
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
    case KEY_RIGHT:
      step_sort(view, true);
      break;
    case '<':
    case KEY_LEFT:
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
    case escape:
      view.filter.clear();
      break;
    case KEY_DOWN:
      ++view.first_row;
      break;
    case KEY_UP:
      view.first_row -= view.first_row == 0 ? 0 : 1;
      break;
    case KEY_HOME:
      view.first_row = 0;
      break;
    default:
      break;
  }
}

Screen::Screen() {
  set_escdelay(escape_delay_ms);
  initscr();
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  static_cast<void>(curs_set(0));
}

Screen::~Screen() {
  endwin();
}

void Screen::draw(const std::vector<std::string>& lines, const std::vector<SessionRow>& rows,
                  std::int64_t utc_ns, const View& view, const std::string& note) {
  const int height = getmaxy(stdscr);
  const int width = getmaxx(stdscr);
  erase();
  int at = 0;
  for (const std::string& line : lines) {
    put_line(at++, line, width);
  }
  std::string chosen =
      "sorted by " + std::string(view.sort->name) + (view.reversed ? ", reversed" : "");
  if (view.typing_filter || !view.filter.empty()) {
    chosen += "; filter: " + view.filter + (view.typing_filter ? "_" : "");
  }
  put_line(at++, chosen + (note.empty() ? "" : "; " + note), width);
  attron(A_REVERSE);
  std::string head = head_line(static_cast<std::size_t>(width));
  head.resize(static_cast<std::size_t>(width), ' ');
  put_line(at++, head, width);
  attroff(A_REVERSE);
  const std::size_t first = std::min(view.first_row, rows.empty() ? 0 : rows.size() - 1);
  for (std::size_t row = first; row < rows.size() && at + 1 < height; ++row) {
    put_line(at++, row_line(rows[row], utc_ns, static_cast<std::size_t>(width)), width);
  }
  put_line(height - 1, help, width - 1);
  refresh();
}

bool Screen::take_key(std::chrono::milliseconds longest, View& view) {
  timeout(static_cast<int>(longest.count()));
  const int key = getch();
  if (key == ERR) {
    return false;
  }
  press(key, view);
  return true;
}

}  // namespace affix::inline v0::tools::top
