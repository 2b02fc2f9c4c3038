// SPDX-License-Identifier: MIT
// The protocol as https://docs.nats.io/reference/reference-protocols/nats-protocol describes it:
// lines, and payloads whose size is the last word of their line.
#include "publisher.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix_bench {

namespace {

constexpr std::string_view inbox = "_INBOX.affix";
/// Without an answer for so long the cluster is taken for broken.
constexpr int patience_ms = 10'000;

std::int64_t now_ns() noexcept {
  return affix::os::read_clock_ns(CLOCK_MONOTONIC);
}

}  // namespace

Publisher::~Publisher() {
  if (socket_ >= 0) {
    ::close(socket_);
  }
}

bool Publisher::fail(std::string error) {
  error_ = std::move(error);
  return false;
}

bool Publisher::open(const affix::net::Address& address) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(address.port());
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  if (socket_ < 0 || ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    return fail("connect: " + std::string(std::strerror(errno)));
  }
  return await("INFO") &&
         send(
             "CONNECT {\"verbose\":false,\"pedantic\":false,\"tls_required\":false}\r\n"
             "SUB " +
             std::string(inbox) + " 1\r\nPING\r\n") &&
         await("PONG");
}

bool Publisher::publish(std::string_view subject, std::size_t bytes, std::int64_t duration_ns,
                        affix::tools::LatencyHistogram& times) {
  message_ = "PUB " + std::string(subject) + " " + std::string(inbox) + " " +
             std::to_string(bytes) + "\r\n" + std::string(bytes, 'x') + "\r\n";
  const std::int64_t end_ns = now_ns() + duration_ns;
  for (std::int64_t begin_ns = now_ns(); begin_ns < end_ns;) {
    if (!send(message_) || !await_acknowledgement()) {
      return false;
    }
    const std::int64_t answered_ns = now_ns();
    times.record(answered_ns - begin_ns);
    begin_ns = answered_ns;
  }
  return true;
}

bool Publisher::send(std::string_view bytes) {
  const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(bytes.size()) ||
         fail("send: " + std::string(std::strerror(errno)));
}

bool Publisher::read_more() {
  if (at_ == input_.size()) {
    input_.clear();
    at_ = 0;
  }
  std::array<char, 4096> read;
  const std::int64_t end_ns = now_ns() + patience_ms * affix::base::ns_per_ms;
  while (true) {
    if (!spins_) {
      pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
      static_cast<void>(::poll(&waiting, 1, patience_ms));
    }
    const ssize_t size = ::recv(socket_, read.data(), read.size(), MSG_DONTWAIT);
    if (size > 0) {
      input_.append(read.data(), static_cast<std::size_t>(size));
      return true;
    }
    if (size == 0) {
      return fail("the server has closed the connection");
    }
    if (errno != EAGAIN && errno != EINTR) {
      return fail("recv: " + std::string(std::strerror(errno)));
    }
    if (now_ns() >= end_ns) {
      return fail("no answer in time");
    }
  }
}

bool Publisher::read_line() {
  std::size_t end = 0;
  while ((end = input_.find("\r\n", at_)) == std::string::npos) {
    if (!read_more()) {
      return false;
    }
  }
  line_.assign(input_, at_, end - at_);
  at_ = end + 2;
  return true;
}

/// Reads lines up to that operation; answers the server's PINGs on the way.
bool Publisher::await(std::string_view operation) {
  while (read_line()) {
    if (line_.starts_with(operation)) {
      return true;
    }
    if (line_ == "PING") {
      if (!send("PONG\r\n")) {
        return false;
      }
    } else if (line_.starts_with("-ERR")) {
      return fail(line_);
    }
  }
  return false;
}

bool Publisher::await_acknowledgement() {
  if (!await("MSG ")) {
    return false;
  }
  std::size_t size = 0;
  const std::size_t word = line_.rfind(' ') + 1;
  const auto [end, error] = std::from_chars(line_.data() + word, line_.data() + line_.size(), size);
  if (error != std::errc() || end != line_.data() + line_.size()) {
    return fail("not understood: " + line_);
  }
  while (input_.size() - at_ < size + 2) {
    if (!read_more()) {
      return false;
    }
  }
  const std::string_view payload = std::string_view(input_).substr(at_, size);
  if (payload.find("\"error\"") != std::string_view::npos ||
      payload.find("\"seq\"") == std::string_view::npos) {
    return fail(std::string(payload));
  }
  at_ += size + 2;
  return true;
}

}  // namespace affix_bench
