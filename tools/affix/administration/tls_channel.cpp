// SPDX-License-Identifier: MIT
// Uses OpenSSL on a non-blocking socket, waiting with poll.
#include "administration/tls_channel.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools {

TlsChannel::TlsChannel(int socket) : socket_(socket) {
  const int flags = ::fcntl(socket, F_GETFL);
  ::fcntl(socket, F_SETFL, flags | O_NONBLOCK);
}

TlsChannel::TlsChannel(TlsChannel&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), tls_(std::exchange(other.tls_, nullptr)) {}

TlsChannel::~TlsChannel() {
  end_tls();
  if (socket_ >= 0) {
    ::shutdown(socket_, SHUT_WR);
    ::close(socket_);
  }
}

bool TlsChannel::wait(short events, std::int64_t deadline_ns) const noexcept {
  for (;;) {
    const std::int64_t left_ns = deadline_ns - os::now().steady_ns;
    if (left_ns <= 0) {
      return false;
    }
    pollfd one{socket_, events, 0};
    const int milliseconds =
        static_cast<int>(std::min<std::int64_t>(left_ns / base::ns_per_ms + 1, INT_MAX));
    const int ready = ::poll(&one, 1, milliseconds);
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return false;
    }
  }
}

long TlsChannel::read(char* to, std::size_t size, std::int64_t deadline_ns) {
  if (tls_ != nullptr) {
    return read_tls(to, size, deadline_ns);
  }
  for (;;) {
    const ssize_t result = ::recv(socket_, to, size, 0);
    if (result >= 0) {
      return result;
    }
    if (errno != EINTR &&
        ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait(POLLIN, deadline_ns))) {
      return -1;
    }
  }
}

bool TlsChannel::write(std::string_view bytes, std::int64_t deadline_ns) {
  if (tls_ != nullptr) {
    return write_tls(bytes, deadline_ns);
  }
  while (!bytes.empty()) {
    const ssize_t result = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (result >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(result));
    } else if (errno != EINTR &&
               ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait(POLLOUT, deadline_ns))) {
      return false;
    }
  }
  return true;
}

}  // namespace affix::inline v0::tools
