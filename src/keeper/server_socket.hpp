// SPDX-License-Identifier: MIT
// The listening socket of a server, safe against other users and a second server.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"
#include "affix/os/file_descriptor.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::keeper {

struct ServerSocket {
  std::string path;
  os::FileDescriptor lock;  ///< Of `<path>.lock`, which stays: a removed one could be locked twice.
  net::Socket listener;     ///< Non-blocking. Its file is removed by the owner of this object.
};

/// Server::open() has the errors.
[[nodiscard]] std::expected<ServerSocket, base::Error> open_server_socket(const std::string& path);

}  // namespace affix::inline v0::keeper
