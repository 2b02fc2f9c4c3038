// SPDX-License-Identifier: MIT
// Goes up from the path.
#include "affix/os/existing_path.hpp"

#include <filesystem>
#include <system_error>

namespace affix::inline v0::os {

std::string existing_path(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path at = std::filesystem::absolute(path, ignored).lexically_normal();
  while (at.has_relative_path() && !std::filesystem::exists(at, ignored)) {
    at = at.parent_path();
  }
  return at.string();
}

}  // namespace affix::inline v0::os
