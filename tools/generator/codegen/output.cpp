// SPDX-License-Identifier: MIT
// Writes files that differ.
#include "codegen/output.hpp"

#include <cerrno>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <unistd.h>

namespace affix::inline v0::tools::codegen {

namespace {

namespace fs = std::filesystem;

/// True when the file contains exactly `text`.
bool holds(const fs::path& path, const std::string& text) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) != text.size()) {
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return false;
  }
  const std::string found{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return !file.bad() && found == text;
}

std::optional<base::Error> write_file(const fs::path& path, const std::string& text) {
  // The process id keeps two builds in one folder from colliding.
  const std::string beside = path.string() + '.' + std::to_string(::getpid());
  std::FILE* const file = std::fopen(beside.c_str(), "wbe");
  if (file == nullptr) {
    return base::make_system_error("open", errno, beside);
  }
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = good ? 0 : errno;
  if (std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && std::rename(beside.c_str(), path.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (!good) {
    std::remove(beside.c_str());
    return base::make_system_error("write", error, path.string());
  }
  return std::nullopt;
}

}  // namespace

std::expected<Written, base::Error> write_files(const std::string& directory,
                                                std::span<const GeneratedFile> files) {
  Written written;
  for (const GeneratedFile& file : files) {
    const fs::path path = fs::path(directory) / file.path;
    if (holds(path, file.text)) {
      ++written.unchanged;
      continue;
    }
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    if (failed) {
      return std::unexpected(base::make_system_error("create_directories", failed.value(),
                                                     path.parent_path().string()));
    }
    if (const std::optional<base::Error> error = write_file(path, file.text)) {
      return std::unexpected(*error);
    }
    ++written.changed;
  }
  return written;
}

}  // namespace affix::inline v0::tools::codegen
