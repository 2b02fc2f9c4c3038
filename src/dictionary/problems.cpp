// SPDX-License-Identifier: MIT
// Problems in order, bounded in number, and names as their texts show them.

#include "dictionary/problems.hpp"

#include <algorithm>

namespace affix::inline v0::dictionary {

LineTable::LineTable(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    line_ends_.push_back(static_cast<std::uint32_t>(at));
  }
}

std::uint32_t LineTable::line_of(std::size_t offset) const noexcept {
  const auto found = std::ranges::lower_bound(line_ends_, offset);
  return static_cast<std::uint32_t>(found - line_ends_.begin()) + 1;
}

void Problems::add(Severity severity, std::uint32_t place, std::string_view name, std::string text,
                   base::MessageCode code) {
  if (problems_.size() == problems_max_) {
    ++left_out_;
    return;
  }
  const std::uint32_t line = place == whole_file ? 0 : lines_.line_of(place);
  problems_.push_back({severity, line, shown(name), std::move(text), code});
}

std::vector<Problem> Problems::take() {
  // By line, those of one line in order of discovery. Not std::stable_sort: it allocates with a
  // function that C++17 deprecated, and clang warns of the library's own call.
  for (std::size_t at = 1; at < problems_.size(); ++at) {
    const auto here = problems_.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(std::ranges::upper_bound(problems_.begin(), here, here->line, {}, &Problem::line),
                here, here + 1);
  }
  if (left_out_ != 0) {
    // Omitted errors keep the file refused, and this line says so.
    problems_.push_back({errors_ ? Severity::Error : Severity::Warning,
                         0,
                         {},
                         "and " + std::to_string(left_out_) + " more problems (problems_max)",
                         "D122"});
  }
  return std::move(problems_);
}

std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  std::size_t end = std::min(text.size(), shown_max);
  // Cuts between characters, not inside one.
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  std::string cleaned(text.substr(0, end));
  std::ranges::replace_if(
      cleaned,
      [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F; }, '?');
  return end < text.size() ? cleaned + "..." : cleaned;
}

std::string in_quotes(std::string_view name) {
  return "'" + shown(name) + "'";
}

}  // namespace affix::inline v0::dictionary
