// SPDX-License-Identifier: MIT
// Reads and writes a peer's socket without blocking.
#include "certify/socket_line.hpp"

#include "affix/base/time.hpp"
#include "affix/net/socket_calls.hpp"

#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::certify {

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

std::unique_ptr<SocketLine> SocketLine::connect(const net::Address& address, SocketLines& lines,
                                                std::int64_t within_ns) {
  net::Socket socket(
      net::make_socket(address.native()->sa_family, SOCK_STREAM, net::Waiting::Never));
  if (::connect(socket.fd(), address.native(), static_cast<socklen_t>(address.native_size())) !=
      0) {
    if (errno != EINPROGRESS) {
      return nullptr;
    }
    pollfd connecting{socket.fd(), POLLOUT, 0};
    int fault = 0;
    socklen_t size = sizeof fault;
    if (::poll(&connecting, 1, static_cast<int>(within_ns / base::ns_per_ms)) != 1 ||
        ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &fault, &size) != 0 || fault != 0) {
      return nullptr;
    }
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

void SocketLine::drop() {
  const linger none{1, 0};  // Closing resets the connection.
  static_cast<void>(::setsockopt(socket_.fd(), SOL_SOCKET, SO_LINGER, &none, sizeof none));
  close();
}

void SocketLine::close() {
  socket_.close();
  ended_ = true;
}

}  // namespace affix::inline v0::certify
