// SPDX-License-Identifier: MIT
// Makes Python's objects of what the importer reads and writes.
#include "settings.hpp"

#include "affix/base/error.hpp"

#include "import_quickfix/known_settings.hpp"
#include "import_quickfix/machine.hpp"
#include "import_quickfix/translate.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace affix::python {

namespace {

namespace source = tools::import_quickfix;

nb::list lines_of(const std::vector<source::LineText>& lines) {
  nb::list all;
  for (const source::LineText& line : lines) {
    all.append(nb::make_tuple(line.line, line.text + base::Error::suffix_of(line.code)));
  }
  return all;
}

nb::tuple section_of(const source::Section& section) {
  nb::list settings;
  for (const source::Setting& setting : section.settings) {
    settings.append(nb::make_tuple(setting.name, setting.value, setting.line));
  }
  return nb::make_tuple(section.line, settings);
}

const char* name_of(source::NoteKind kind) noexcept {
  switch (kind) {
    case source::NoteKind::Differs:
      return "differs";
    case source::NoteKind::Left:
      return "left";
    case source::NoteKind::Unknown:
      return "unknown";
    case source::NoteKind::Warning:
      return "warning";
  }
  return "warning";
}

nb::tuple read(const std::string& text) {
  const source::SettingsText settings = source::read_settings(text);
  nb::list sessions;
  for (const source::Section& section : settings.sessions) {
    sessions.append(section_of(section));
  }
  return nb::make_tuple(section_of(settings.defaults), sessions, lines_of(settings.problems));
}

nb::tuple translate(const std::string& text, const std::string& name,
                    const std::string& dictionaries, bool encrypted,
                    std::vector<std::pair<std::string, std::string>> session_keys) {
  source::TranslationOptions options;
  options.local_zone = source::local_zone();
  options.dictionaries = dictionaries;
  options.is_folder = &source::is_folder;
  options.encryption = encrypted ? source::Encryption::On : source::Encryption::Off;
  for (auto& [key, value] : session_keys) {
    options.session_keys.push_back({std::move(key), std::move(value)});
  }
  const source::Translation translation = source::translate(text, name, options);
  nb::list notes;
  for (const source::Note& note : translation.notes) {
    notes.append(nb::make_tuple(name_of(note.kind), note.line, note.setting,
                                note.text + base::Error::suffix_of(note.code)));
  }
  return nb::make_tuple(translation.configuration, notes, lines_of(translation.problems));
}

}  // namespace

void bind_quickfix_settings(nb::module_& module) {
  module.def(
      "read_quickfix_settings", read, "text"_a,
      nb::sig("def read_quickfix_settings(text: str) -> tuple[tuple[int, list[tuple[str, "
              "str, int]]], list[tuple[int, list[tuple[str, str, int]]]], list[tuple[int, "
              "str]]]"),
      "The settings of [DEFAULT], those of each [SESSION], and problems: each with its line.");
  module.def(
      "quickfix_setting_names",
      [] {
        std::vector<std::string> names;
        for (const source::KnownSetting& setting : source::known_settings()) {
          names.emplace_back(setting.name);
        }
        return names;
      },
      "The names of all settings that a QuickFIX documents.");
  module.def("translate_quickfix_settings", translate, "text"_a, "name"_a, "dictionaries"_a,
             "encrypted"_a, "session_keys"_a,
             nb::sig("def translate_quickfix_settings(text: str, name: str, dictionaries: str, "
                     "encrypted: bool, session_keys: list[tuple[str, str]]) -> tuple[str, "
                     "list[tuple[str, int, str, str]], list[tuple[int, str]]]"),
             "A configuration, notes of (kind, line, setting, text), and problems.");
}

}  // namespace affix::python
