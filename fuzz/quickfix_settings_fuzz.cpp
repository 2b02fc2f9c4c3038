// SPDX-License-Identifier: MIT
// Any text as a QuickFIX settings file: a problem with its line, or a configuration that our own
// parser accepts; no message contains a secret.
#include "affix/config/configuration.hpp"

#include "import_quickfix/translate.hpp"
#include "program_input.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using affix_fuzz::require;

namespace import_quickfix = affix::tools::import_quickfix;

void check_lines(const import_quickfix::Translation& translation, std::size_t lines) {
  for (const import_quickfix::LineText& problem : translation.problems) {
    require(problem.line >= 1 && problem.line <= std::max<std::size_t>(lines, 1));
    require(!problem.text.empty());
  }
  for (const import_quickfix::Note& note : translation.notes) {
    require(note.line >= 1 && note.line <= lines);
    require(!note.text.empty() && note.text.find('\n') == std::string::npos);
  }
}

/// TLS and time zones depend on how the library was built.
bool depends_on_build(const std::string& configuration) {
  return configuration.find("\ntls=ON") != std::string::npos ||
         configuration.find("\nschedule_time_zone=") != std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const import_quickfix::TranslationOptions options{.local_zone = "Europe/Zurich",
                                                    .dictionaries = "dictionaries"};
  const auto translation = import_quickfix::translate(text, "fuzz.cfg", options);
  check_lines(translation, lines);
  if (!translation.problems.empty()) {
    require(translation.configuration.empty());
    return 0;
  }
  require(!translation.configuration.empty());
  if (depends_on_build(translation.configuration)) {
    return 0;
  }
  const auto parsed =
      affix::config::parse_configuration(translation.configuration, "configuration");
  require(parsed.has_value());
  require(parsed->sessions.size() == translation.initiators + translation.acceptors);
  return 0;
}
