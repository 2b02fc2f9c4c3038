// SPDX-License-Identifier: MIT
// Uses the control sequences of ECMA-48 to move up and to clear.
#include "trade/redrawn_lines.hpp"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace affix::inline v0::tools::trade {

namespace {

constexpr winsize usual_size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};

winsize size_of(std::FILE* out) noexcept {
  winsize size{};
  const bool known =
      ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && size.ws_row > 1;
  return known ? size : usual_size;
}

}  // namespace

RedrawnLines::RedrawnLines(std::FILE* out) : out_(out), terminal_(::isatty(::fileno(out)) != 0) {}

std::size_t RedrawnLines::columns() const noexcept {
  return std::size_t{size_of(out_).ws_col} - 1;
}

void RedrawnLines::draw(const std::vector<std::string>& lines) {
  const winsize size = size_of(out_);
  const std::size_t rows = std::size_t{size.ws_row} - 1;
  if (drawn_ > 0) {
    std::fprintf(out_, "\x1b[%zuA", std::min(drawn_, rows));
  }
  drawn_ = std::min(lines.size(), rows);
  for (std::size_t at = 0; at < drawn_; ++at) {
    // Cleared to the end, to erase a longer line.
    std::fprintf(out_, "%s\x1b[K\n", lines[at].substr(0, std::size_t{size.ws_col} - 1).c_str());
  }
  // A shorter picture leaves nothing of the former one.
  std::fputs("\x1b[J", out_);
  std::fflush(out_);
}

}  // namespace affix::inline v0::tools::trade
