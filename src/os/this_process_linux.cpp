// SPDX-License-Identifier: MIT
// Reads /proc/self.
#include "affix/os/this_process.hpp"

#include "os/descriptor_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace affix::inline v0::os {

const char* const descriptor_folder = "/proc/self/fd";

std::string own_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : program.string();
}

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < all.size(); at = all.find('\0', at) + 1) {
    words.emplace_back(all.c_str() + at);
  }
  return words;
}

const char* trusted_variable(const char* name) noexcept {
  return ::secure_getenv(name);
}

}  // namespace affix::inline v0::os
