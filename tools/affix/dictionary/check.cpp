// SPDX-License-Identifier: MIT
// Checks dictionary files.
#include "dictionary/check.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace affix::inline v0::tools::dictionary {

namespace {

using affix::dictionary::Dictionary;
using affix::dictionary::Loaded;
using affix::dictionary::Problem;
using affix::dictionary::Severity;

std::size_t count(const Loaded& loaded, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(loaded.problems, severity, &Problem::severity));
}

std::string counted(std::size_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string summary(const Loaded& loaded) {
  std::string text;
  if (loaded.dictionary) {
    const Dictionary& dictionary = *loaded.dictionary;
    text = dictionary.version().name() + " (" + affix::dictionary::to_text(loaded.format) + "), " +
           counted(dictionary.messages().size(), "message") + ", " +
           counted(dictionary.components().size(), "component") + ", " +
           counted(dictionary.fields().size(), "field") + "; ";
  }
  return text + counted(count(loaded, Severity::Error), "error") + ", " +
         counted(count(loaded, Severity::Warning), "warning");
}

void print(const Problem& problem, const std::string& path, std::FILE* out) {
  std::fprintf(out, "%s\n", affix::dictionary::to_text(problem, path).c_str());
}

}  // namespace

int check(const CheckOptions& options, std::FILE* out) {
  int status = 0;
  for (const std::string& path : options.paths) {
    const Loaded loaded = affix::dictionary::load(path);
    for (const Problem& problem : loaded.problems) {
      print(problem, path, out);
    }
    std::fprintf(out, "%s: %s\n", path.c_str(), summary(loaded).c_str());
    const bool is_refused = !loaded || (options.strict && !loaded.problems.empty());
    status = is_refused ? 1 : status;
  }
  return status;
}

std::optional<Dictionary> open_dictionary(const std::string& path, bool with_warnings,
                                          std::FILE* problems) {
  Loaded loaded = affix::dictionary::load(path);
  for (const Problem& problem : loaded.problems) {
    if (problem.severity == Severity::Error || with_warnings) {
      print(problem, path, problems);
    }
  }
  return std::move(loaded.dictionary);
}

}  // namespace affix::inline v0::tools::dictionary
