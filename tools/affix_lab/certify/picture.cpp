// SPDX-License-Identifier: MIT
// Draws a line of marks for each file.
#include "certify/picture.hpp"

#include <algorithm>
#include <string_view>

namespace affix::inline v0::tools::certify {

namespace {

using affix::certify::Outcome;
using affix::certify::Result;

constexpr std::size_t marks_a_line = 60;

char mark_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Passed:
      return '.';
    case Outcome::Failed:
      return 'F';
    case Outcome::Skipped:
      break;
  }
  return 's';
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string picture_of(const std::vector<Result>& results) {
  std::size_t width = 0;
  for (const Result& result : results) {
    width = std::max(width, name_of(result.file).size());
  }
  std::string text;
  const Result* last = nullptr;
  std::size_t marks = 0;
  for (const Result& result : results) {
    const bool another = last == nullptr || last->file != result.file;
    if (another || marks == marks_a_line) {
      std::string name(another ? name_of(result.file) : std::string_view());
      name.resize(width, ' ');
      text += (last == nullptr ? "" : "\n") + name + "  ";
      marks = 0;
    }
    text += mark_of(result.outcome);
    ++marks;
    last = &result;
  }
  return text + (last == nullptr ? "" : "\n");
}

std::string summary_of(const std::vector<Result>& results) {
  const affix::certify::Totals totals = affix::certify::totals_of(results);
  return std::to_string(totals.passed) + " passed, " + std::to_string(totals.failed) + " failed, " +
         std::to_string(totals.skipped) + " skipped";
}

}  // namespace affix::inline v0::tools::certify
