// SPDX-License-Identifier: MIT
// Reads files up to a limit, whatever kind of file a path leads to.
#include "config/configuration_source.hpp"

#include "affix/os/read_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <utility>

namespace affix::inline v0::config {

std::expected<std::string, base::Error> SystemSource::read(const std::string& path,
                                                           std::size_t bytes_max) {
  // A pipe without a writer must not block the program, so opening never waits; reading may, since
  // a pipe with a writer is a valid way to pass a file.
  const os::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) {
    base::Error error = base::make_system_error("open", errno, path);
    error.code = base::ErrorCode::NotFound;
    error.message = "cannot be opened: " + error.message;
    return std::unexpected(std::move(error));
  }
  ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) & ~O_NONBLOCK);
  auto text = os::read_open_file(file, bytes_max);
  if (text) {
    return std::move(*text);
  }
  switch (text.error()) {
    case EISDIR:
      return std::unexpected(
          base::Error{base::ErrorCode::NotFound, "is a directory", path, "C101"});
    case EFBIG:
      return std::unexpected(base::Error{base::ErrorCode::Limit,
                                         "has more than the " + std::to_string(bytes_max) +
                                             " bytes that a configuration may have left",
                                         path, "C103"});
    default:
      return std::unexpected(base::make_system_error("read", text.error(), path));
  }
}

std::optional<std::string> SystemSource::variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace affix::inline v0::config
