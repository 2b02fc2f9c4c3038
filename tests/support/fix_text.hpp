// SPDX-License-Identifier: MIT
// FIX messages for tests, written readably: `|` stands for SOH, and length and checksum are filled
// in.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace affix::support {

/// Replaces each `|` of `text` by SOH.
inline std::string with_soh(std::string_view text) {
  std::string result(text);
  for (char& byte : result) {
    byte = byte == '|' ? '\x01' : byte;
  }
  return result;
}

/// `10=ddd|` for the bytes before it.
inline std::string trailer_of(std::string_view bytes) {
  unsigned sum = 0;
  for (const char byte : bytes) {
    sum += static_cast<unsigned char>(byte);
  }
  char text[16];
  std::snprintf(text, sizeof text, "10=%03u\x01", sum % 256);
  return text;
}

/// A complete message: `8=`, `9=`, the given body, `10=`. The body may have `|` or
/// SOH.
inline std::string make_message(std::string_view body, std::string_view begin_string = "FIX.4.4") {
  const std::string inside = with_soh(body);
  std::string message = "8=" + std::string(begin_string) + "\x01" +
                        "9=" + std::to_string(inside.size()) + "\x01" + inside;
  return message + trailer_of(message);
}

/// Value of the first field with `tag`; empty if there is none.
inline std::string field(std::string_view bytes, std::string_view tag) {
  const std::string wanted = "\x01" + std::string(tag) + "=";
  const std::size_t at = bytes.find(wanted);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::size_t begin = at + wanted.size();
  return std::string(bytes.substr(begin, bytes.find('\x01', begin) - begin));
}

}  // namespace affix::support
