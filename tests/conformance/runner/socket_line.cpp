// SPDX-License-Identifier: MIT
// Reads and writes a peer's socket without blocking.
#include "socket_line.hpp"

#include "affix/net/socket_calls.hpp"

#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <utility>

namespace affix::conformance {

SocketLine::SocketLine(net::Socket socket, SocketLines& lines)
    : socket_(std::move(socket)), lines_(lines) {
  lines_.insert(this);
  const int on = 1;
  // Pieces of a message must arrive as pieces.
  static_cast<void>(::setsockopt(socket_.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
}

SocketLine::~SocketLine() {
  lines_.erase(this);
}

bool SocketLine::on_the_way() const {
  return !ended_ && (!unsent_.empty() || net::unsent_bytes(socket_.fd()) > 0);
}

std::unique_ptr<SocketLine> SocketLine::connect(const net::Address& address, SocketLines& lines) {
  net::Socket socket(
      net::make_socket(address.native()->sa_family, SOCK_STREAM, net::Waiting::Allowed));
  if (::connect(socket.fd(), address.native(), static_cast<socklen_t>(address.native_size())) !=
      0) {
    return nullptr;
  }
  return std::make_unique<SocketLine>(std::move(socket), lines);
}

void SocketLine::send(std::string_view bytes) {
  unsent_ += bytes;
  flush();
}

void SocketLine::flush() {
  while (!unsent_.empty()) {
    const ssize_t sent =
        ::send(socket_.fd(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0) {
      if (errno != EAGAIN && errno != EINTR) {
        unsent_.clear();  // The engine has ended the connection; ended() reports it.
      }
      return;
    }
    unsent_.erase(0, static_cast<std::size_t>(sent));
  }
}

void SocketLine::read() {
  flush();
  std::array<char, 65536> bytes;
  while (!ended_) {
    const ssize_t got = ::recv(socket_.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0) {
      received_.append(bytes.data(), static_cast<std::size_t>(got));
      continue;
    }
    ended_ = got == 0 || (errno != EAGAIN && errno != EINTR);
    return;
  }
}

std::string SocketLine::take() {
  read();
  return std::exchange(received_, {});
}

bool SocketLine::ended() {
  read();
  return ended_ && received_.empty();
}

void SocketLine::close() {
  socket_.close();
  ended_ = true;
}

}  // namespace affix::conformance
