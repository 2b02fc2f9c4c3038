// SPDX-License-Identifier: MIT
// The rules of naming.hpp. Bytes outside ASCII are separators: identifiers are ASCII.
#include "affix/codegen/naming.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::codegen {

namespace {

constexpr bool is_upper(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_lower(char c) noexcept {
  return c >= 'a' && c <= 'z';
}

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

constexpr bool is_word(char c) noexcept {
  return is_upper(c) || is_lower(c) || is_digit(c);
}

constexpr char to_lower(char c) noexcept {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr char to_upper(char c) noexcept {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

// What C++ keeps for itself, what C's and POSIX' headers define as lower-case macros, and the
// members of the bases of generated classes. Sorted.
constexpr auto taken_words = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "base",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "check_required",
    "class",
    "close",
    "close_layout",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "complete",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "description",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "encoder",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "finish",
    "float",
    "for",
    "friend",
    "from",
    "goto",
    "group_list",
    "header",
    "i386",
    "if",
    "inline",
    "int",
    "last_required",
    "linux",
    "long",
    "major",
    "makedev",
    "message_type",
    "messages",
    "minor",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "place",
    "private",
    "protected",
    "public",
    "put_codes",
    "put_data",
    "put_field",
    "put_group",
    "register",
    "reinterpret_cast",
    "required_fields",
    "requires",
    "return",
    "self",
    "setjmp",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "stderr",
    "stdin",
    "stdout",
    "step",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "trailer",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unix",
    "unsigned",
    "using",
    "va_arg",
    "va_copy",
    "va_end",
    "va_start",
    "view",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "wire",
    "xor",
    "xor_eq",
});
static_assert(std::ranges::is_sorted(taken_words));

// Macros of C's and POSIX' headers that a FIX name might be. Sorted. The E... of <errno.h> and the
// SIG... of <signal.h> are told by their beginning.
constexpr auto macro_names = std::to_array<std::string_view>({
    "BUFSIZ",
    "DOMAIN",
    "EOF",
    "FILE",
    "HUGE",
    "I",
    "INFINITY",
    "NAN",
    "NDEBUG",
    "NULL",
    "OVERFLOW",
    "PLOSS",
    "RAND_MAX",
    "SING",
    "TLOSS",
    "UNDERFLOW",
});
static_assert(std::ranges::is_sorted(macro_names));

bool is_macro(std::string_view name) noexcept {
  return std::ranges::binary_search(macro_names, name) ||
         (name.size() > 3 && std::ranges::none_of(name, is_lower) &&
          (name.starts_with('E') || name.starts_with("SIG")));
}

/// Letters and digits between other characters.
std::vector<std::string_view> pieces(std::string_view name) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while (at < name.size()) {
    const std::size_t begin = at;
    while (at < name.size() && is_word(name[at])) {
      ++at;
    }
    if (at > begin) {
      found.push_back(name.substr(begin, at - begin));
    } else {
      ++at;
    }
  }
  return found;
}

/// Small letters from `at` on.
std::string_view small_letters(std::string_view piece, std::size_t at) noexcept {
  std::size_t end = at;
  while (end < piece.size() && is_lower(piece[end])) {
    ++end;
  }
  return piece.substr(at, end - at);
}

/// Whether a word begins at `at`, which is not the piece's first character.
bool begins_word(std::string_view piece, std::size_t at) noexcept {
  const char before = piece[at - 1];
  const std::string_view small = small_letters(piece, at);
  if (!small.empty()) {
    // Behind capitals only the words that are not torn from them.
    return is_upper(before) && at >= 2 && is_upper(piece[at - 2]) &&
           (small == "id" || small == "non");
  }
  if (!is_upper(piece[at])) {
    return false;
  }
  if (is_lower(before)) {
    return true;
  }
  const std::string_view tail = small_letters(piece, at + 1);
  const bool plural = tail == "s" && is_upper(before);
  const bool own_word = is_upper(before) && (tail == "id" || tail == "non");
  return !tail.empty() && !plural && !own_word;
}

/// "30/360" is not 30360.
void keep_numbers_apart(std::string& text, std::string_view piece) {
  if (!text.empty() && is_digit(text.back()) && is_digit(piece[0])) {
    text += '_';
  }
}

std::string hex_of(std::string_view code) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string text;
  for (const char c : code) {
    const auto value = static_cast<unsigned char>(c);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

/// Joined pieces as an identifier: not empty, not begun with a digit, no macro.
std::string identifier_of(std::string text) {
  if (text.empty() || is_digit(text[0])) {
    text.insert(0, 1, 'N');
  }
  if (is_macro(text)) {
    std::ranges::transform(text.begin() + 1, text.end(), text.begin() + 1, to_lower);
    if (text.size() == 1) {
      text += '_';
    }
  }
  return text;
}

}  // namespace

std::string snake_case(std::string_view name) {
  std::string text;
  for (const std::string_view piece : pieces(name)) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
      if (at == 0 ? !text.empty() : begins_word(piece, at)) {
        text += '_';
      }
      text += to_lower(piece[at]);
    }
  }
  if (text.empty() || is_digit(text[0])) {
    text.insert(0, 1, 'n');
  }
  if (std::ranges::binary_search(taken_words, text)) {
    text += '_';
  }
  return text;
}

std::string file_stem(std::string_view name) {
  std::string stem = snake_case(name);
  if (stem.ends_with('_')) {
    stem.pop_back();
  }
  return stem;
}

std::string type_name(std::string_view name) {
  std::string text;
  for (const std::string_view piece : pieces(name)) {
    keep_numbers_apart(text, piece);
    text += to_upper(piece[0]);
    text += piece.substr(1);
  }
  return identifier_of(std::move(text));
}

std::string enumerator_name(std::string_view name, std::string_view code) {
  const bool has_small = std::ranges::any_of(name, is_lower);
  std::string text;
  for (const std::string_view piece : pieces(name)) {
    keep_numbers_apart(text, piece);
    text += to_upper(piece[0]);
    for (const char c : piece.substr(1)) {
      text += has_small ? c : to_lower(c);
    }
  }
  if (text.empty()) {
    return "Code" + hex_of(code);
  }
  return identifier_of(std::move(text));
}

std::string NameScope::claim(const std::string& wanted, std::string_view distinction) {
  if (taken_.insert(wanted).second) {
    return wanted;
  }
  std::string name = wanted + '_';
  for (const char c : distinction) {
    name += is_word(c) ? c : '_';
  }
  // C++ keeps names with two underscores in a row.
  for (std::size_t at = name.find("__"); at != std::string::npos; at = name.find("__")) {
    name.erase(at, 1);
  }
  const std::string stem = name;
  for (unsigned number = 2; !taken_.insert(name).second; ++number) {
    name = stem + (stem.ends_with('_') ? "" : "_") + std::to_string(number);
  }
  return name;
}

bool is_namespace(std::string_view text) {
  for (;;) {
    const std::size_t colons = text.find("::");
    const std::string_view name = text.substr(0, colons);
    if (name.empty() || is_digit(name[0]) || name.front() == '_' ||
        name.find("__") != std::string_view::npos ||
        !std::ranges::all_of(name, [](char c) { return is_word(c) || c == '_'; }) ||
        (std::ranges::binary_search(taken_words, name) && name != "base" && name != "messages" &&
         name != "wire")) {
      return false;
    }
    if (colons == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(colons + 2);
  }
}

}  // namespace affix::inline v0::codegen
