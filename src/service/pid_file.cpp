// SPDX-License-Identifier: MIT
// The lock shows whether the process runs; the number is for people and scripts.
#include "affix/service/pid_file.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::service {

std::expected<PidFile, base::Error> PidFile::open(const std::string& path) {
  if (path.empty()) {
    return PidFile({}, {});
  }
  os::FileDescriptor opened(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!opened.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  const int descriptor = opened.number();
  PidFile file(path, std::move(opened));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    std::array<char, 32> text{};
    const ssize_t size = ::read(descriptor, text.data(), text.size());
    std::string number(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    number = number.substr(0, number.find('\n'));
    file.path_.clear();  // The file belongs to the other process, and stays.
    return std::unexpected(base::Error{
        base::ErrorCode::Locked, "process " + number + " runs with this pid_file", path, "E110"});
  }
  const std::string number = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0 ||
      ::write(descriptor, number.data(), number.size()) != static_cast<ssize_t>(number.size())) {
    return std::unexpected(base::make_system_error("write", errno, path));
  }
  return file;
}

PidFile::PidFile(PidFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

PidFile::~PidFile() {
  // Removed before it is unlocked, so that no other process can lock it in between.
  if (!path_.empty()) {
    ::unlink(path_.c_str());
  }
}

}  // namespace affix::inline v0::service
