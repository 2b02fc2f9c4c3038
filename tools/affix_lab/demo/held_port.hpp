// SPDX-License-Identifier: MIT
// A port of 127.0.0.1 for a program whose port must be known before it starts, and stays the same
// when it is started again.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::demo {

/// Bound and not listening: connections are refused, the kernel gives the port to nobody else, and
/// a listener with SO_REUSEADDR can have it meanwhile.
class HeldPort {
 public:
  [[nodiscard]] static std::expected<HeldPort, base::Error> hold();

  [[nodiscard]] const std::string& number() const noexcept { return number_; }

 private:
  HeldPort(net::Socket socket, std::string number)
      : socket_(std::move(socket)), number_(std::move(number)) {}

  net::Socket socket_;
  std::string number_;
};

}  // namespace affix::inline v0::tools::demo
