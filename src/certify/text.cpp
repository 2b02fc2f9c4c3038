// SPDX-License-Identifier: MIT
// Reads words, numbers and durations; matches patterns.
#include "certify/text.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"

#include <charconv>

namespace affix::inline v0::certify {

namespace {

bool is_letter(char character) noexcept {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

bool is_digit(char character) noexcept {
  return character >= '0' && character <= '9';
}

/// Matches one character with the first element of `pattern`, and removes that.
bool take_one(char character, std::string_view& pattern) noexcept {
  const std::size_t close = pattern.find(']', 1);
  if (pattern.front() != '[' || close == std::string_view::npos) {
    const bool same = pattern.front() == '?' || pattern.front() == character;
    pattern.remove_prefix(1);
    return same;
  }
  std::string_view set = pattern.substr(1, close - 1);
  pattern.remove_prefix(close + 1);
  const bool inverse = set.starts_with('!');
  set.remove_prefix(inverse ? 1 : 0);
  bool among = false;
  while (!set.empty()) {
    const bool range = set.size() > 2 && set[1] == '-';
    const char last = range ? set[2] : set[0];
    among = among || (character >= set[0] && character <= last);
    set.remove_prefix(range ? 3 : 1);
  }
  return among != inverse;
}

}  // namespace

std::string_view take_word(std::string_view& text) noexcept {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : base::trimmed(text.substr(end));
  return word;
}

std::optional<std::uint64_t> number_in(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> duration_in(std::string_view text) noexcept {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  std::int64_t unit = base::ns_per_second;
  if (text.ends_with("ms")) {
    unit = base::ns_per_ms;
    text.remove_suffix(2);
  } else if (text.ends_with('s')) {
    text.remove_suffix(1);
  } else {
    return std::nullopt;
  }
  const auto number = number_in(text);
  constexpr std::uint64_t longest = 1'000'000'000;
  if (!number || *number > longest) {
    return std::nullopt;
  }
  const std::int64_t ns = static_cast<std::int64_t>(*number) * unit;
  return negative ? -ns : ns;
}

bool is_name(std::string_view text) noexcept {
  if (text.empty() || !is_letter(text.front())) {
    return false;
  }
  for (const char character : text) {
    if (!is_letter(character) && !is_digit(character) && character != '_') {
      return false;
    }
  }
  return true;
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    pieces.push_back(base::trimmed(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return pieces;
}

bool is_like(std::string_view text, std::string_view pattern) noexcept {
  // The last `*` takes one character more whenever what follows it does not match.
  std::string_view retry_text;
  std::string_view retry_pattern;
  bool retry = false;
  for (;;) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      retry_text = text;
      retry_pattern = pattern;
      retry = true;
      continue;
    }
    if (text.empty() && pattern.empty()) {
      return true;
    }
    if (!text.empty() && !pattern.empty() && take_one(text.front(), pattern)) {
      text.remove_prefix(1);
      continue;
    }
    if (!retry || retry_text.empty()) {
      return false;
    }
    retry_text.remove_prefix(1);
    text = retry_text;
    pattern = retry_pattern;
  }
}

}  // namespace affix::inline v0::certify
