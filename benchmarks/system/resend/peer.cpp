// SPDX-License-Identifier: MIT
// Finds messages by their last field alone, since all senders here are well-behaved.
#include "peer.hpp"

#include "support/fix_text.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace affix_bench {

namespace {

std::string utc_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%d-%H:%M:%S", &parts);
  return {text.data(), size};
}

}  // namespace

void die(const char* what) {
  std::perror(what);
  std::exit(2);
}

Peer::Peer(std::string name, std::uint16_t port)
    : name_(std::move(name)), socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  if (socket_ < 0 || setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    die("connect");
  }
}

Peer::~Peer() {
  close(socket_);
}

void Peer::log_on() {
  send("A", "98=0|108=600|");
  await(1);
}

void Peer::send(std::string_view type, std::string_view fields) {
  const std::string message = affix::support::make_message(
      "35=" + std::string(type) + "|49=" + name_ + "|56=VENUE|34=" + std::to_string(next_++) +
      "|52=" + utc_text() + "|" + std::string(fields));
  if (::send(socket_, message.data(), message.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(message.size())) {
    die("send");
  }
}

void Peer::await(std::uint64_t count) {
  while (counted_ < count) {
    read();
  }
  counted_ -= count;
}

void Peer::read() {
  static constexpr std::string_view trailer =
      "\x01"
      "10=";
  static constexpr std::size_t trailer_rest = 4;  // Three digits and a SOH after it.
  std::array<char, 256 * 1024> bytes;
  const ssize_t got = recv(socket_, bytes.data(), bytes.size(), 0);
  if (got <= 0) {
    die("the engine closed the connection");
  }
  rest_.append(bytes.data(), static_cast<std::size_t>(got));
  std::size_t begin = 0;
  for (;;) {
    const std::size_t at = rest_.find(trailer, begin);
    if (at == std::string::npos || at + trailer.size() + trailer_rest > rest_.size()) {
      break;
    }
    begin = at + trailer.size() + trailer_rest;
    ++counted_;
  }
  rest_.erase(0, begin);
}

}  // namespace affix_bench
