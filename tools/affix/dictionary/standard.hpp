// SPDX-License-Identifier: MIT
// The standard FIX versions' dictionaries, as they come with affix: where they are, and each loaded
// when it is first asked for.
#pragma once

#include "affix/dictionary/model.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::dictionary {

/// AFFIX_DICTIONARIES of the environment; else ../share/affix/dictionaries beside the program,
/// where it was installed; else the tree it was built from.
[[nodiscard]] std::string standard_directory();

/// "FIX44.xml" for BeginString "FIX.4.4", "FIXT11.xml" for "FIXT.1.1". Any other text of that form
/// has a name too; whether there is such a file is another question. Empty for what has another
/// form.
[[nodiscard]] std::string file_of_begin_string(std::string_view begin_string);

/// "FIX50SP2.xml" for ApplVerID "9"; empty for one that FIX does not have.
[[nodiscard]] std::string_view file_of_appl_ver_id(std::string_view appl_ver_id) noexcept;

/// Loads files of one directory, each once. Not thread-safe. The dictionaries live as long as this.
class StandardDictionaries {
 public:
  explicit StandardDictionaries(std::string directory = standard_directory())
      : directory_(std::move(directory)) {}

  /// Null when the name is empty, and when there is no such file or it has errors: problems() then
  /// has one more line.
  [[nodiscard]] const affix::dictionary::Dictionary* find(std::string_view file);

  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  std::string directory_;
  std::map<std::string, std::optional<affix::dictionary::Dictionary>, std::less<>> loaded_;
  std::vector<std::string> problems_;
};

}  // namespace affix::inline v0::tools::dictionary
