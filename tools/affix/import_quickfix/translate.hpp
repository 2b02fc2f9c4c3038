// SPDX-License-Identifier: MIT
// A QuickFIX settings file to a configuration file of ours, and everything that is to be told about
// it. Start-up only; pure: no file is read.
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
  std::vector<LineText> problems;  ///< By line; what is wrong with the settings file, and values
                                   ///< that QuickFIX takes and we do not.
  std::size_t initiators = 0;
  std::size_t acceptors = 0;
};

/// `name` is what the output calls the settings file. All or nothing: a session that cannot be
/// understood keeps the others from being written, so that nobody starts half a configuration.
[[nodiscard]] Translation translate(std::string_view text, const std::string& name,
                                    const TranslationOptions& options);

}  // namespace affix::inline v0::tools::import_quickfix
