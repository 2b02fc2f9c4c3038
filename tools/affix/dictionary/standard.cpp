// SPDX-License-Identifier: MIT
// Locates the standard dictionaries by the versions' names on the wire.
#include "dictionary/standard.hpp"

#include "affix/dictionary/load.hpp"
#include "affix/os/this_process.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace affix::inline v0::tools::dictionary {

std::string standard_directory() {
  if (const char* const chosen = std::getenv("AFFIX_DICTIONARIES");
      chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  std::error_code error;
  const std::filesystem::path program = os::own_program();
  const std::filesystem::path installed =
      program.parent_path().parent_path() / "share" / "affix" / "dictionaries";
  if (!program.empty() && std::filesystem::is_directory(installed, error)) {
    return installed.string();
  }
  return AFFIX_SOURCE_DICTIONARIES;
}

std::string file_of_begin_string(std::string_view begin_string) {
  if (!begin_string.starts_with("FIX")) {
    return {};
  }
  std::string name;
  for (const char character : begin_string) {
    const bool plain =
        (character >= 'A' && character <= 'Z') || (character >= '0' && character <= '9');
    if (!plain && character != '.') {
      return {};  // The text is a peer's, and must not name a file elsewhere.
    }
    if (plain) {
      name += character;
    }
  }
  return name + ".xml";
}

std::string_view file_of_appl_ver_id(std::string_view appl_ver_id) noexcept {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> files{
      {{"2", "FIX40.xml"},
       {"3", "FIX41.xml"},
       {"4", "FIX42.xml"},
       {"5", "FIX43.xml"},
       {"6", "FIX44.xml"},
       {"7", "FIX50.xml"},
       {"8", "FIX50SP1.xml"},
       {"9", "FIX50SP2.xml"},
       {"10", "FIXLatest.xml"}}};
  for (const auto& [code, file] : files) {
    if (code == appl_ver_id) {
      return file;
    }
  }
  return {};
}

const affix::dictionary::Dictionary* StandardDictionaries::find(std::string_view file) {
  if (file.empty()) {
    return nullptr;
  }
  auto found = loaded_.find(file);
  if (found == loaded_.end()) {
    const std::string path = (std::filesystem::path(directory_) / file).string();
    affix::dictionary::Loaded loaded = affix::dictionary::load(path);
    if (!loaded) {
      problems_.push_back(affix::dictionary::make_error(loaded.problems, path).text());
    }
    found = loaded_.emplace(std::string(file), std::move(loaded.dictionary)).first;
  }
  return found->second ? &*found->second : nullptr;
}

}  // namespace affix::inline v0::tools::dictionary
