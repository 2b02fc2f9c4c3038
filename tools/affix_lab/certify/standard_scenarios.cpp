// SPDX-License-Identifier: MIT
// Locates the supplied scenarios beside an installed program, or in the source tree.
#include "certify/standard_scenarios.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace affix::inline v0::tools::certify {

std::string standard_scenarios() {
  if (const char* const chosen = std::getenv("AFFIX_SCENARIOS");
      chosen != nullptr && *chosen != '\0') {
    return chosen;
  }
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed =
      program.parent_path().parent_path() / "share" / "affix" / "scenarios";
  if (!error && std::filesystem::is_directory(installed, error)) {
    return installed.string();
  }
  return AFFIX_SOURCE_SCENARIOS;
}

std::string find_scenarios(const std::string& path) {
  std::error_code error;
  const std::filesystem::path supplied = std::filesystem::path(standard_scenarios()) / path;
  if (!std::filesystem::exists(path, error) && std::filesystem::exists(supplied, error)) {
    return supplied.string();
  }
  return path;
}

}  // namespace affix::inline v0::tools::certify
