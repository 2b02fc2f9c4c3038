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
    return PidFile({}, -1);
  }
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  PidFile file(path, descriptor);
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
    : path_(std::exchange(other.path_, {})), descriptor_(std::exchange(other.descriptor_, -1)) {}

PidFile::~PidFile() {
  // Removed before it is unlocked, so that no other process can lock it in between.
  if (!path_.empty()) {
    ::unlink(path_.c_str());
  }
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

}  // namespace affix::inline v0::service
