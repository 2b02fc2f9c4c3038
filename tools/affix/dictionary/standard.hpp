// SPDX-License-Identifier: MIT
// The standard FIX versions' dictionaries supplied with affix: their directory, and loading on
// first use.
#pragma once

#include "affix/dictionary/model.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::dictionary {

/// AFFIX_DICTIONARIES in the environment; otherwise ../share/affix/dictionaries relative to an
/// installed program; otherwise the source tree of the build.
[[nodiscard]] std::string standard_directory();

/// "FIX44.xml" for BeginString "FIX.4.4", "FIXT11.xml" for "FIXT.1.1". Any other text of that form
/// also yields a name, whether or not the file exists. Empty for other forms.
[[nodiscard]] std::string file_of_begin_string(std::string_view begin_string);

/// "FIX50SP2.xml" for ApplVerID "9"; empty for an ApplVerID that FIX does not define.
[[nodiscard]] std::string_view file_of_appl_ver_id(std::string_view appl_ver_id) noexcept;

/// Loads files of one directory, each once. Not thread-safe. The dictionaries are valid as long as
/// this.
class StandardDictionaries {
 public:
  explicit StandardDictionaries(std::string directory = standard_directory())
      : directory_(std::move(directory)) {}

  /// Null if the name is empty, the file is missing or has errors: then problems() has another
  /// line.
  [[nodiscard]] const affix::dictionary::Dictionary* find(std::string_view file);

  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  std::string directory_;
  std::map<std::string, std::optional<affix::dictionary::Dictionary>, std::less<>> loaded_;
  std::vector<std::string> problems_;
};

}  // namespace affix::inline v0::tools::dictionary
