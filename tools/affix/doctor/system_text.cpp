// SPDX-License-Identifier: MIT
// One function per format.
#include "doctor/system_text.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace affix::inline v0::tools::doctor {

namespace {

constexpr std::string_view white = " \t\r\n\v\f";
constexpr std::int64_t processors_max = 8'192;

using base::take_part;

/// mountinfo writes a space, tab, line end and backslash as `\040` and so on.
[[nodiscard]] std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    int value = 0;
    const char* const digits = text.data() + at + 1;
    if (text[at] == '\\' && at + 3 < text.size() &&
        std::from_chars(digits, digits + 3, value, 8).ptr == digits + 3) {
      plain += static_cast<char>(value);
      at += 3;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

[[nodiscard]] bool is_below(std::string_view path, std::string_view point) noexcept {
  return point == "/" ||
         (path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/'));
}

}  // namespace

std::optional<std::int64_t> number_of(std::string_view text) noexcept {
  return base::parse_number(base::trimmed(text, white));
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(white); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(white, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(white, end);
  }
  return words;
}

std::optional<std::vector<std::int64_t>> processors_of(std::string_view text) {
  std::set<std::int64_t> processors;
  text = base::trimmed(text, white);
  while (!text.empty()) {
    std::string_view range = take_part(text, ',');
    const bool is_one = range.find('-') == std::string_view::npos;
    const auto first = number_of(take_part(range, '-'));
    const auto last = is_one ? first : number_of(range);
    if (!first || !last || *first < 0 || *last < *first || *last >= processors_max) {
      return std::nullopt;
    }
    for (std::int64_t processor = *first; processor <= *last; ++processor) {
      processors.insert(processor);
    }
  }
  return std::vector<std::int64_t>(processors.begin(), processors.end());
}

std::string text_of(const std::vector<std::int64_t>& processors) {
  std::string text;
  for (std::size_t at = 0; at < processors.size();) {
    std::size_t last = at;
    while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1) {
      ++last;
    }
    text += (text.empty() ? "" : ",") + std::to_string(processors[at]);
    if (last > at) {
      text += "-" + std::to_string(processors[last]);
    }
    at = last + 1;
  }
  return text;
}

std::string_view chosen_word(std::string_view text, char open, char close) noexcept {
  const std::size_t begin = text.find(open);
  const std::size_t end = begin == std::string_view::npos ? begin : text.find(close, begin);
  return end == std::string_view::npos ? std::string_view()
                                       : text.substr(begin + 1, end - begin - 1);
}

std::optional<std::string_view> line_behind(std::string_view text, std::string_view name) noexcept {
  while (!text.empty()) {
    const std::string_view line = take_part(text, '\n');
    if (line.starts_with(name)) {
      return base::trimmed(line.substr(name.size()), white);
    }
  }
  return std::nullopt;
}

std::optional<ResourceLimit> limit_of(std::string_view limits, std::string_view name) {
  const auto line = line_behind(limits, name);
  const auto words = words_of(line.value_or(std::string_view()));
  if (words.empty()) {
    return std::nullopt;
  }
  if (words.front() == "unlimited") {
    return ResourceLimit{.is_unlimited = true, .soft = 0};
  }
  const auto soft = number_of(words.front());
  if (!soft || *soft < 0) {
    return std::nullopt;
  }
  return ResourceLimit{.is_unlimited = false, .soft = *soft};
}

std::optional<Mount> mount_of(std::string_view mountinfo, std::string_view path) {
  std::optional<Mount> found;
  while (!mountinfo.empty()) {
    const std::string_view line = take_part(mountinfo, '\n');
    // Optional fields end with a hyphen; the type follows.
    const std::size_t hyphen = line.find(" - ");
    const auto words = words_of(line.substr(0, hyphen));
    const auto behind =
        words_of(hyphen == std::string_view::npos ? std::string_view() : line.substr(hyphen + 3));
    constexpr std::size_t point_place = 4;
    if (words.size() <= point_place || behind.empty()) {
      continue;
    }
    std::string point = without_escapes(words[point_place]);
    // Of two file systems mounted at one place the later one is visible.
    if (is_below(path, point) && (!found || point.size() >= found->point.size())) {
      found = Mount{.point = std::move(point),
                    .type = std::string(behind.front()),
                    .device = std::string(words[2])};
    }
  }
  return found;
}

}  // namespace affix::inline v0::tools::doctor
