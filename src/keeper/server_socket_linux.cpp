// SPDX-License-Identifier: MIT
// Directory, lock, socket, in this order.
#include "keeper/packet.hpp"
#include "keeper/server_socket.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::keeper {

namespace {

constexpr mode_t owner_only = 0600;

std::unexpected<base::Error> system_error(const char* call, const std::string& path) {
  return std::unexpected(base::make_system_error(call, errno, path));
}

std::unexpected<base::Error> in_use(std::string message, const std::string& path,
                                    base::MessageCode code) {
  return std::unexpected(
      base::Error{base::ErrorCode::AlreadyExists, std::move(message), path, code});
}

/// Whoever may write to the directory could put a socket of his own in this one's place.
std::expected<void, base::Error> check_directory(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "."
                                : slash == 0               ? "/"
                                                           : path.substr(0, slash);
  struct stat status{};
  if (::stat(directory.c_str(), &status) != 0) {
    return system_error("stat", directory);
  }
  if ((status.st_uid != ::geteuid() && status.st_uid != 0) ||
      (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "other users may write to this directory", directory,
                                       "K202"});
  }
  return {};
}

}  // namespace

std::expected<ServerSocket, base::Error> open_server_socket(const std::string& path) {
  const auto address = address_of(path);
  if (!address) {
    return base::invalid_argument("'" + path + "' is not a path of 1 to 107 bytes", "K101");
  }
  if (auto right = check_directory(path); !right) {
    return std::unexpected(std::move(right.error()));
  }
  ServerSocket made{.path = path, .lock = {}, .listener = {}};
  const std::string lock_path = path + ".lock";
  made.lock = os::FileDescriptor(
      ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, owner_only));
  if (!made.lock.is_open()) {
    return system_error("open", lock_path);
  }
  if (::flock(made.lock.number(), LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? in_use("another keeper has this socket", path, "K203")
                                : system_error("flock", lock_path);
  }
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode)) {
      return in_use("there is a file of this name", path, "K203");
    }
    // Of a keeper that was killed: a living one would have the lock.
    if (::unlink(path.c_str()) != 0) {
      return system_error("unlink", path);
    }
  }
  made.listener = net::Socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made.listener.is_open()) {
    return system_error("socket", path);
  }
  // Before the file exists: it gets the mode of its socket.
  if (::fchmod(made.listener.fd(), owner_only) != 0 ||
      ::bind(made.listener.fd(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) !=
          0) {
    return system_error("bind", path);
  }
  if (::listen(made.listener.fd(), SOMAXCONN) != 0) {
    auto error = system_error("listen", path);
    ::unlink(path.c_str());
    return error;
  }
  return made;
}

}  // namespace affix::inline v0::keeper
