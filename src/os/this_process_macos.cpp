// SPDX-License-Identifier: MIT
// Asks the loader, which has kept the program's path and words.
#include "affix/os/this_process.hpp"

#include "os/descriptor_folder.hpp"

#include <mach-o/dyld.h>

#include <array>
#include <crt_externs.h>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace affix::inline v0::os {

const char* const descriptor_folder = "/dev/fd";

std::string own_program() {
  std::uint32_t bytes = 0;
  // Says how long the path is.
  static_cast<void>(::_NSGetExecutablePath(nullptr, &bytes));
  std::string path(bytes, '\0');
  if (::_NSGetExecutablePath(path.data(), &bytes) != 0) {
    return {};
  }
  std::error_code error;
  const std::filesystem::path program = std::filesystem::canonical(path.c_str(), error);
  return error ? std::string() : program.string();
}

std::vector<std::string> own_arguments() {
  char** const words = *::_NSGetArgv();
  return {words, words + *::_NSGetArgc()};
}

const char* trusted_variable(const char* name) noexcept {
  return ::issetugid() != 0 ? nullptr : std::getenv(name);
}

}  // namespace affix::inline v0::os
