// SPDX-License-Identifier: MIT
// Stores notes and problems, each once.
#include "import_quickfix/ledger.hpp"

#include "import_quickfix/known_settings.hpp"

#include <utility>

namespace affix::inline v0::tools::import_quickfix {

bool Ledger::note(NoteKind kind, const Setting& setting, std::string_view text,
                  base::MessageCode code) {
  if (!reported_.emplace(setting.line, setting.name, text).second) {
    return false;
  }
  notes_.push_back({kind, setting.line, setting.name, std::string(text), code});
  return true;
}

void Ledger::problem(std::size_t line, std::string text, base::MessageCode code) {
  // A faulty setting in [DEFAULT] is reported once for all sessions.
  if (reported_.emplace(line, std::string(), text).second) {
    problems_.push_back({line, std::move(text), code});
  }
}

void Ledger::problem(const Setting& setting, std::string_view text, base::MessageCode code) {
  const std::string value = is_secret(setting.name) ? "..." : setting.value;
  problem(setting.line, setting.name + "=" + value + ": " + std::string(text), code);
}

}  // namespace affix::inline v0::tools::import_quickfix
