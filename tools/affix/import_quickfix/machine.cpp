// SPDX-License-Identifier: MIT
// Asks the environment and the file system.
#include "import_quickfix/machine.hpp"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace affix::inline v0::tools::import_quickfix {

std::string local_zone() {
  if (const char* const named = std::getenv("TZ"); named != nullptr && *named != '\0') {
    return *named == ':' ? named + 1 : named;
  }
  std::error_code fault;
  const std::string target = std::filesystem::read_symlink("/etc/localtime", fault).string();
  constexpr std::string_view folder = "zoneinfo/";
  const std::size_t at = target.find(folder);
  return fault || at == std::string::npos ? std::string() : target.substr(at + folder.size());
}

bool is_folder(const std::string& path) {
  std::error_code fault;
  return std::filesystem::is_directory(path, fault);
}

}  // namespace affix::inline v0::tools::import_quickfix
