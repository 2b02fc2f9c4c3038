// SPDX-License-Identifier: MIT
// Escapes texts for XML and HTML.
#include "certify/markup.hpp"

#include <array>
#include <cstdio>

namespace affix::inline v0::certify {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    constexpr unsigned char first_text = 0x20;
    constexpr unsigned char last_ascii = 0x7E;
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\x01':
        result += '|';
        break;
      case '\n':
      case '\t':
        result += character;
        break;
      default:
        // Messages are bytes of any encoding, and a file of UTF-8 cannot hold all of them.
        result += byte >= first_text && byte <= last_ascii ? character : '?';
    }
  }
  return result;
}

std::string seconds_text(double seconds) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3f", seconds);
  return text.data();
}

}  // namespace affix::inline v0::certify
