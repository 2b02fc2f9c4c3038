// SPDX-License-Identifier: MIT
// Reads in pieces until the end or the limit.
#include "affix/os/read_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

namespace affix::inline v0::os {

namespace {

/// Room to begin with, also for a file that reports no size.
constexpr std::size_t room_bytes_min = 4096;

}  // namespace

std::expected<std::string, base::Error> read_file(const std::string& path, std::size_t bytes_max) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  auto text = read_open_file(file, bytes_max);
  if (!text) {
    base::Error error = base::make_system_error("read", text.error(), path);
    error.code = text.error() == EFBIG ? base::ErrorCode::Limit : error.code;
    return std::unexpected(std::move(error));
  }
  return std::move(*text);
}

std::expected<std::string, int> read_open_file(const FileDescriptor& file, std::size_t bytes_max) {
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) {
    return std::unexpected(errno);
  }
  std::string text;
  // One byte more than the reported size, to see the end; pipes report 0.
  text.reserve(
      std::max(std::min(bytes_max, static_cast<std::size_t>(status.st_size)) + 1, room_bytes_min));
  while (text.size() <= bytes_max) {
    const std::size_t before = text.size();
    const std::size_t room = text.capacity() - before;
    const std::size_t piece = room != 0 ? room : before;
    text.resize(before + piece);
    const ssize_t got = ::read(file.number(), text.data() + before, piece);
    const int error_number = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) {
      return text;
    }
    if (got < 0 && error_number != EINTR) {
      return std::unexpected(error_number);
    }
  }
  return std::unexpected(EFBIG);
}

}  // namespace affix::inline v0::os
