// SPDX-License-Identifier: MIT
// Problems as text.
#include "affix/dictionary/problem.hpp"

namespace affix::inline v0::dictionary {

const char* to_text(Severity severity) noexcept {
  return severity == Severity::Error ? "error" : "warning";
}

std::string to_text(const Problem& problem, std::string_view file) {
  std::string text(file);
  if (problem.line != 0) {
    text += ":" + std::to_string(problem.line);
  }
  text += ": ";
  text += to_text(problem.severity);
  text += ": ";
  if (!problem.name.empty()) {
    text += problem.name + ": ";
  }
  return text + problem.text + base::Error::suffix_of(problem.code);
}

base::Error make_error(const std::vector<Problem>& problems, std::string_view file) {
  base::Error error{base::ErrorCode::InvalidArgument, {}, std::string(file)};
  for (const Problem& problem : problems) {
    if (problem.severity != Severity::Error) {
      continue;
    }
    error.message += error.message.empty() ? "" : "\n";
    if (problem.line != 0) {
      error.message += "line " + std::to_string(problem.line) + ": ";
    }
    if (!problem.name.empty()) {
      error.message += problem.name + ": ";
    }
    error.message += problem.text;
    if (!error.message_code) {
      error.message_code = problem.code;
    }
  }
  return error;
}

}  // namespace affix::inline v0::dictionary
