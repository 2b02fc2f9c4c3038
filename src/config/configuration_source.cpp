// SPDX-License-Identifier: MIT
// Reads files up to a limit, whatever kind of file a path leads to.
#include "config/configuration_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace affix::inline v0::config {

namespace {

/// A file descriptor, closed by the destructor.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) noexcept : descriptor_(descriptor) {}

  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  ~OpenFile() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
  }

  [[nodiscard]] int get() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::expected<std::string, base::Error> SystemSource::read(const std::string& path,
                                                           std::size_t bytes_max) {
  // A pipe without a writer must not block the program, so opening never waits; reading may, since
  // a pipe with a writer is a valid way to pass a file.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    base::Error error = base::make_system_error("open", errno, path);
    error.code = base::ErrorCode::NotFound;
    error.message = "cannot be opened: " + error.message;
    return std::unexpected(std::move(error));
  }
  if (S_ISDIR(status.st_mode)) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound, "is a directory", path, "C101"});
  }
  ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
  std::string text;
  for (;;) {
    constexpr std::size_t step = 65'536;
    const std::size_t size = text.size();
    text.resize(size + step);
    const ssize_t taken = ::read(file.get(), text.data() + size, step);
    if (taken < 0 && errno == EINTR) {
      text.resize(size);
      continue;
    }
    if (taken < 0) {
      return std::unexpected(base::make_system_error("read", errno, path));
    }
    text.resize(size + static_cast<std::size_t>(taken));
    if (text.size() > bytes_max) {
      return std::unexpected(base::Error{base::ErrorCode::Limit,
                                         "has more than the " + std::to_string(bytes_max) +
                                             " bytes that a configuration may have left",
                                         path, "C103"});
    }
    if (taken == 0) {
      return text;
    }
  }
}

std::optional<std::string> SystemSource::variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace affix::inline v0::config
