// SPDX-License-Identifier: MIT
// Results that an import reports: problems, differences, omissions, and the settings used by any
// session.
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
  Differs,  ///< Converted, with a difference.
  Left,     ///< Not converted, for the given reason.
  Unknown,  ///< Not documented by any QuickFIX.
  Warning,  ///< QuickFIX ignores it silently.
};

struct Note {
  NoteKind kind = NoteKind::Warning;
  std::size_t line = 0;
  std::string setting;  ///< Its name in the file; empty when the note is about a line.
  std::string text;
  base::MessageCode code = {};  ///< None: the text is that of the table of settings.
};

class Ledger {
 public:
  /// Marks a setting as used by a session.
  void use(const Setting& setting) { used_.insert(setting.line); }

  [[nodiscard]] bool is_used(const Setting& setting) const { return used_.contains(setting.line); }

  /// Adds a note once, however many sessions inherit the setting. False: it exists already.
  bool note(NoteKind kind, const Setting& setting, std::string_view text,
            base::MessageCode code = {});

  void warn(std::size_t line, std::string_view text, base::MessageCode code) {
    note(NoteKind::Warning, {{}, {}, line}, text, code);
  }

  /// With a problem, nothing is written.
  void problem(std::size_t line, std::string text, base::MessageCode code);

  /// Never repeats a secret value.
  void problem(const Setting& setting, std::string_view text, base::MessageCode code);

  [[nodiscard]] const std::vector<Note>& notes() const noexcept { return notes_; }

  [[nodiscard]] const std::vector<LineText>& problems() const noexcept { return problems_; }

 private:
  std::set<std::size_t> used_;
  std::set<std::tuple<std::size_t, std::string, std::string>> reported_;
  std::vector<Note> notes_;
  std::vector<LineText> problems_;
};

}  // namespace affix::inline v0::tools::import_quickfix
