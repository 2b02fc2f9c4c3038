// SPDX-License-Identifier: MIT
// A terminal on standard input and output, for a picture that fills it and keys that are read one
// by one. Uses the control sequences of ECMA-48, which every terminal in use knows.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::top {

/// A key is its character, or one of these.
namespace keys {
inline constexpr int enter = '\r';
inline constexpr int escape = 27;
inline constexpr int backspace = 127;
inline constexpr int up = 0x101;
inline constexpr int down = 0x102;
inline constexpr int right = 0x103;
inline constexpr int left = 0x104;
inline constexpr int home = 0x105;
inline constexpr int other = 0x1FF;  ///< A key that has a sequence, and no meaning here.
}  // namespace keys

struct TerminalSize {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

struct Line {
  std::string text{};
  bool reversed = false;  ///< In reverse video.
};

/// Controls the terminal during its lifetime and then restores it. One at a time.
class Terminal {
 public:
  /// Whether both ends are a terminal that can be drawn on.
  [[nodiscard]] static bool is_there() noexcept;

  Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  [[nodiscard]] static TerminalSize size() noexcept;

  /// Shows the lines from the first row on and clears the others. What does not fit is left out;
  /// bytes that are not printable ASCII are shown as '?'.
  static void draw(const std::vector<Line>& lines);

  /// Waits for a key. Nullopt: none in time, the window's size has changed, or a signal came. The
  /// end of the input is 'q'.
  [[nodiscard]] static std::optional<int> read_key(std::chrono::milliseconds longest);

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

/// The key of a control sequence's final byte and its parameter: of "\x1b[1~" '~' and 1.
[[nodiscard]] int key_of(char final_byte, int parameter) noexcept;

}  // namespace affix::inline v0::tools::top
