// SPDX-License-Identifier: MIT
// Bounded reads: files in /proc have no size, and a directory that represents a machine may contain
// anything.
#include "doctor/system_files.hpp"

#include "doctor/system_text.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <utility>

namespace affix::inline v0::tools::doctor {

namespace {

constexpr std::size_t bytes_max = 65'536;
constexpr std::size_t names_max = 65'536;

}  // namespace

SystemFiles::SystemFiles(std::string root) : root_(std::move(root)) {}

std::optional<std::string> SystemFiles::text(std::string_view path) const {
  const std::string whole = root_ + std::string(path);
  // Opening a named pipe would block.
  struct stat kind{};
  if (::stat(whole.c_str(), &kind) != 0 || !S_ISREG(kind.st_mode)) {
    return std::nullopt;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(whole.c_str(), "re"),
                                                             std::fclose);
  if (!file) {
    return std::nullopt;
  }
  std::string text(bytes_max, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    return std::nullopt;
  }
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

std::optional<std::int64_t> SystemFiles::number(std::string_view path) const {
  const auto read = text(path);
  return read ? number_of(*read) : std::nullopt;
}

std::vector<std::string> SystemFiles::names(std::string_view folder) const {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator at(root_ + std::string(folder), error);
  for (; !error && at != std::filesystem::directory_iterator() && names.size() < names_max;
       at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace affix::inline v0::tools::doctor
