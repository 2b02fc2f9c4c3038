// SPDX-License-Identifier: MIT
// Shared by fuzz targets whose input is a program: its bytes, and a check of invariants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>

namespace affix_fuzz {

/// Prints the line, which a crash report would lack.
inline void require(bool condition, std::source_location place = std::source_location::current()) {
  if (!condition) {
    std::fprintf(stderr, "%s:%u: a rule is broken\n", place.file_name(),
                 static_cast<unsigned>(place.line()));
    std::abort();
  }
}

/// The program's bytes; zeros after the end.
class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  [[nodiscard]] bool empty() const { return at_ >= size_; }

  std::uint8_t next() { return at_ < size_ ? bytes_[at_++] : 0; }

  std::uint8_t below(std::uint8_t bound) { return static_cast<std::uint8_t>(next() % bound); }

  std::string take(std::size_t count) {
    std::string text;
    for (; count > 0 && !empty(); --count) {
      text += static_cast<char>(next());
    }
    return text;
  }

 private:
  const std::uint8_t* bytes_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace affix_fuzz
