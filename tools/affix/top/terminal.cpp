// SPDX-License-Identifier: MIT
// Modes of the terminal's line, control sequences, and the signal of its size.
#include "top/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace affix::inline v0::tools::top {

namespace {

// The alternate screen, so that the shell's picture is there again afterwards.
constexpr std::string_view enter_screen = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view leave_screen = "\x1b[?25h\x1b[?1049l";

/// How long the bytes of one key may be apart; a lone escape waits for as long.
constexpr int sequence_ms = 25;

void put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
}

enum class Input : std::uint8_t { Nothing, Byte, End };

Input read_byte(int timeout_ms, char& byte) {
  pollfd ready{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, timeout_ms) <= 0) {
    return Input::Nothing;
  }
  const ssize_t bytes = ::read(STDIN_FILENO, &byte, 1);
  if (bytes == 1) {
    return Input::Byte;
  }
  return bytes < 0 && errno == EINTR ? Input::Nothing : Input::End;
}

/// The rest of a key that began with an escape.
int read_sequence() {
  char byte = 0;
  if (read_byte(sequence_ms, byte) != Input::Byte) {
    return keys::escape;
  }
  if (byte != '[' && byte != 'O') {
    return keys::other;
  }
  int parameter = 0;
  while (read_byte(sequence_ms, byte) == Input::Byte) {
    if (byte >= '@' && byte <= '~') {
      return key_of(byte, parameter);
    }
    constexpr int parameter_max = 1'000;
    if (byte >= '0' && byte <= '9' && parameter < parameter_max) {
      parameter = parameter * 10 + (byte - '0');
    }
  }
  return keys::other;
}

void append_printable(std::string& to, std::string_view text) {
  for (const char c : text) {
    to += c >= ' ' && c <= '~' ? c : '?';
  }
}

}  // namespace

struct Terminal::Saved {
  termios line{};
  struct sigaction size_changed{};
};

bool Terminal::is_there() noexcept {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0 && kind != nullptr &&
         std::string_view(kind) != "dumb";
}

Terminal::Terminal() : saved_(std::make_unique<Saved>()) {
  static_cast<void>(::tcgetattr(STDIN_FILENO, &saved_->line));
  termios line = saved_->line;
  line.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  line.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR);
  line.c_cc[VMIN] = 1;
  line.c_cc[VTIME] = 0;
  // A stopped program could not give the screen back.
  line.c_cc[VSUSP] = _POSIX_VDISABLE;
  static_cast<void>(::tcsetattr(STDIN_FILENO, TCSADRAIN, &line));
  // It only has to end a wait.
  struct sigaction wake{};
  wake.sa_handler = [](int) {};
  ::sigaction(SIGWINCH, &wake, &saved_->size_changed);
  put(enter_screen);
}

Terminal::~Terminal() {
  put(leave_screen);
  ::sigaction(SIGWINCH, &saved_->size_changed, nullptr);
  static_cast<void>(::tcsetattr(STDIN_FILENO, TCSADRAIN, &saved_->line));
}

TerminalSize Terminal::size() noexcept {
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 ||
      window.ws_col == 0) {
    return {};
  }
  return {window.ws_row, window.ws_col};
}

void Terminal::draw(const std::vector<Line>& lines) {
  const TerminalSize space = size();
  std::string picture;
  for (std::size_t row = 0; row < space.rows; ++row) {
    picture += "\x1b[" + std::to_string(row + 1) + ";1H";
    if (row < lines.size()) {
      const Line& line = lines[row];
      picture += line.reversed ? "\x1b[7m" : "";
      append_printable(picture, std::string_view(line.text).substr(0, space.columns));
      picture += line.reversed ? "\x1b[0m" : "";
    }
    // In the last column the cursor stays on the last character, which this would erase.
    if (row >= lines.size() || lines[row].text.size() < space.columns) {
      picture += "\x1b[K";
    }
  }
  put(picture);
}

std::optional<int> Terminal::read_key(std::chrono::milliseconds longest) {
  char byte = 0;
  switch (read_byte(static_cast<int>(longest.count()), byte)) {
    case Input::Nothing:
      return std::nullopt;
    case Input::End:
      return 'q';
    case Input::Byte:
      break;
  }
  return byte == keys::escape ? read_sequence() : static_cast<unsigned char>(byte);
}

int key_of(char final_byte, int parameter) noexcept {
  constexpr int home_parameter = 1;
  constexpr int home_of_rxvt = 7;
  switch (final_byte) {
    case 'A':
      return keys::up;
    case 'B':
      return keys::down;
    case 'C':
      return keys::right;
    case 'D':
      return keys::left;
    case 'H':
      return keys::home;
    case '~':
      return parameter == home_parameter || parameter == home_of_rxvt ? keys::home : keys::other;
    case 'M':
      return keys::enter;  // Of the number pad.
    default:
      return keys::other;
  }
}

}  // namespace affix::inline v0::tools::top
