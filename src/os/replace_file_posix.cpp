// SPDX-License-Identifier: MIT
// Writes beside, flushes, renames, and flushes the directory.
#include "affix/os/file_descriptor.hpp"
#include "affix/os/replace_file.hpp"

#include "os/file_blocks.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <utility>

namespace affix::inline v0::os {

namespace {

bool write_all(int file, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::expected<void, base::Error> replace_file(const std::string& path, std::string_view bytes,
                                              mode_t permissions) {
  const std::string beside = path + ".new";
  const auto fail = [&](const char* call) {
    auto error = base::make_system_error(call, errno, path);
    static_cast<void>(::unlink(beside.c_str()));
    return std::unexpected(std::move(error));
  };
  {
    const FileDescriptor file(
        ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, permissions));
    if (!file.is_open()) {
      return fail("open");
    }
    if (!write_all(file.number(), bytes)) {
      return fail("write");
    }
    if (const int error_number = flush_all(file.number()); error_number != 0) {
      errno = error_number;
      return fail("fsync");
    }
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    return fail("rename");
  }
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const FileDescriptor directory(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open() || flush_all(directory.number()) != 0) {
    return std::unexpected(base::make_system_error("fsync", errno, path));
  }
  return {};
}

}  // namespace affix::inline v0::os
