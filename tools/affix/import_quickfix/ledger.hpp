// SPDX-License-Identifier: MIT
// What an import has to tell: problems, differences, what was left out, and which settings were
// looked at by any session.
#pragma once

#include "import_quickfix/settings_text.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

enum class NoteKind : std::uint8_t {
  Differs,  ///< Carried over, with a difference.
  Left,     ///< Not carried over, for the reason told.
  Unknown,  ///< No setting that any QuickFIX documents.
  Warning,  ///< Something that QuickFIX passes over.
};

struct Note {
  NoteKind kind = NoteKind::Warning;
  std::size_t line = 0;
  std::string setting;  ///< Its name as the file has it; empty when the note is about a line.
  std::string text;
};

class Ledger {
 public:
  /// The setting says something to a session.
  void use(const Setting& setting) { used_.insert(setting.line); }

  [[nodiscard]] bool is_used(const Setting& setting) const { return used_.contains(setting.line); }

  /// Once, however many sessions inherit the setting. False: it has been told before.
  bool note(NoteKind kind, const Setting& setting, std::string_view text);

  void warn(std::size_t line, std::string_view text) {
    note(NoteKind::Warning, {{}, {}, line}, text);
  }

  /// Nothing is written when there is one.
  void problem(std::size_t line, std::string text);

  /// The value is never repeated for a secret.
  void problem(const Setting& setting, std::string_view text);

  [[nodiscard]] const std::vector<Note>& notes() const noexcept { return notes_; }

  [[nodiscard]] const std::vector<LineText>& problems() const noexcept { return problems_; }

 private:
  std::set<std::size_t> used_;
  std::set<std::tuple<std::size_t, std::string, std::string>> told_;
  std::vector<Note> notes_;
  std::vector<LineText> problems_;
};

}  // namespace affix::inline v0::tools::import_quickfix
