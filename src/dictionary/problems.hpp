// SPDX-License-Identifier: MIT
// Collects problems of a file while it is read: places are byte offsets until the end.
#pragma once

#include "affix/dictionary/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

/// Line numbers of byte offsets.
class LineTable {
 public:
  LineTable() = default;
  explicit LineTable(std::string_view text);

  /// From 1.
  [[nodiscard]] std::uint32_t line_of(std::size_t offset) const noexcept;

 private:
  std::vector<std::uint32_t> line_ends_;  // Offsets of line feeds, ascending.
};

/// A place that stands for the file as a whole.
inline constexpr std::uint32_t whole_file = UINT32_MAX;

class Problems {
 public:
  explicit Problems(std::uint32_t problems_max) : problems_max_(problems_max) {}

  void set_lines(LineTable lines) { lines_ = std::move(lines); }

  void error(std::uint32_t place, std::string_view name, std::string text,
             base::MessageCode code = {}) {
    errors_ = true;
    add(Severity::Error, place, name, std::move(text), code);
  }

  void warn(std::uint32_t place, std::string_view name, std::string text,
            base::MessageCode code = {}) {
    add(Severity::Warning, place, name, std::move(text), code);
  }

  [[nodiscard]] bool has_errors() const noexcept { return errors_; }

  [[nodiscard]] std::uint32_t line_of(std::uint32_t place) const { return lines_.line_of(place); }

  /// " (line 12)", for texts that mention a second place.
  [[nodiscard]] std::string at_line(std::uint32_t place) const {
    return " (line " + std::to_string(line_of(place)) + ")";
  }

  /// All of them, by line.
  [[nodiscard]] std::vector<Problem> take();

 private:
  void add(Severity severity, std::uint32_t place, std::string_view name, std::string text,
           base::MessageCode code);

  LineTable lines_;
  std::vector<Problem> problems_;
  std::uint32_t problems_max_;
  std::uint32_t left_out_ = 0;
  bool errors_ = false;
};

/// `text`, shortened, and without characters that a terminal would obey.
[[nodiscard]] std::string shown(std::string_view text);

/// The same in quotes.
[[nodiscard]] std::string in_quotes(std::string_view name);

}  // namespace affix::inline v0::dictionary
