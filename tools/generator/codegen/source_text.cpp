// SPDX-License-Identifier: MIT
// The frame of generated headers, and literals for any text of a dictionary.
#include "codegen/source_text.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

namespace {

constexpr bool is_printable(char c) noexcept {
  return c >= ' ' && c <= '~';
}

void append_escaped(std::string& text, char c, char quote) {
  if (c == quote || c == '\\') {
    text += '\\';
    text += c;
  } else if (c == '?') {
    text += "\\?";  // Two in a row may begin a trigraph.
  } else if (is_printable(c)) {
    text += c;
  } else {
    const auto value = static_cast<unsigned char>(c);
    text += '\\';
    text += static_cast<char>('0' + (value >> 6));
    text += static_cast<char>('0' + (value >> 3 & 7));
    text += static_cast<char>('0' + (value & 7));
  }
}

}  // namespace

std::string SourceText::text() const {
  std::string all = "// SPDX-License-Identifier: MIT\n// ";
  all += subject_;
  all += ".\n// Made by `affix generate` from a dictionary: to be changed there, not here.\n";
  all += "#pragma once\n\n";
  for (const std::string& header : foreign_) {
    all += "#include " + header + '\n';
  }
  if (!foreign_.empty() && !own_.empty()) {
    all += '\n';
  }
  for (const std::string& header : own_) {
    all += "#include \"" + header + "\"\n";
  }
  if (!body_.empty()) {
    all += "\nnamespace " + plan_.name_space + " {\n";
    all += body_;
    all += "\n}  // namespace " + plan_.name_space + '\n';
  }
  return all;
}

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    append_escaped(literal, c, '"');
  }
  return literal + '"';
}

std::string character_literal(char character) {
  std::string literal = "'";
  append_escaped(literal, character, '\'');
  return literal + '\'';
}

std::string comment_text(std::string_view text) {
  std::string comment;
  for (const char c : text) {
    comment += is_printable(c) && c != '\\' ? c : ' ';
  }
  return comment;
}

std::string title_of(const dictionary::Field& field) {
  return comment_text(field.name) + " (" + std::to_string(field.tag) + ")";
}

}  // namespace affix::inline v0::tools::codegen
