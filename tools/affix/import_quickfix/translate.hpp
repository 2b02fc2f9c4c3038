// SPDX-License-Identifier: MIT
// Converts a QuickFIX settings file to a configuration file, and reports everything about it.
// Start-up only; pure: reads no file.
#pragma once

#include "import_quickfix/ledger.hpp"
#include "import_quickfix/settings_text.hpp"
#include "import_quickfix/subjects.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

struct Translation {
  std::string configuration;       ///< Empty when there is a problem.
  std::vector<Note> notes;         ///< By line.
  std::vector<LineText> problems;  ///< By line; faults of the settings file, and values that
                                   ///< QuickFIX accepts and affix does not.
  std::size_t initiators = 0;
  std::size_t acceptors = 0;
};

/// `name` is the settings file's name in the output. All or nothing: one session that cannot be
/// converted prevents writing the others, so that no engine starts with half a configuration.
[[nodiscard]] Translation translate(std::string_view text, const std::string& name,
                                    const TranslationOptions& options);

}  // namespace affix::inline v0::tools::import_quickfix
