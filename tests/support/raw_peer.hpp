// SPDX-License-Identifier: MIT
// A hand-written counterparty over a plain socket: sends what a test gives it, right or wrong, and
// knows no protocol. While it waits it turns the engines under test.
#pragma once

#include "affix/net/listener.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "support/accepted.hpp"
#include "support/engine_case.hpp"
#include "support/fix_text.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace affix::support {

/// A received message, its own copy.
class RawMessage {
 public:
  explicit RawMessage(std::string bytes) : bytes_(std::move(bytes)) {}

  /// The first value of a tag; empty without one.
  [[nodiscard]] std::string operator[](std::uint32_t tag) const {
    const std::string wanted = "\x01" + std::to_string(tag) + "=";
    const std::size_t at = bytes_.find(wanted);
    if (at == std::string::npos) {
      return {};
    }
    const std::size_t begin = at + wanted.size();
    return bytes_.substr(begin, bytes_.find('\x01', begin) - begin);
  }

  [[nodiscard]] std::uint64_t number() const {
    return std::strtoull((*this)[34].c_str(), nullptr, 10);
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

inline std::string utc_text() {
  const std::int64_t now_ns = os::now().utc_ns;
  const std::time_t seconds = now_ns / base::ns_per_second;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  std::snprintf(text, sizeof text, "%04d%02d%02d-%02d:%02d:%02d.%03d", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(now_ns % base::ns_per_second / base::ns_per_ms));
  return text;
}

class RawPeer {
 public:
  /// `us` and `them` are 49 and 56 of this peer's messages.
  RawPeer(Engines engines, std::string us, std::string them)
      : engines_(std::move(engines)), us_(std::move(us)), them_(std::move(them)) {}

  std::uint64_t next_sequence = 1;

  void connect(std::uint16_t port, int receive_buffer_bytes = 0) {
    socket_ = net::Socket(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
    if (receive_buffer_bytes != 0) {
      EXPECT_EQ(::setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                             sizeof receive_buffer_bytes),
                0);
    }
    const net::Address address = net::Address::parse("127.0.0.1:" + std::to_string(port)).value();
    EXPECT_EQ(
        ::connect(socket_.fd(), address.native(), static_cast<socklen_t>(address.native_size())), 0)
        << errno;
    received_.clear();
    taken_ = 0;
    ended_ = false;
  }

  /// Waits for the engines to connect to `listener`.
  void accept(const net::Listener& listener) {
    const bool came = turn_until(engines_, [&] {
      const int fd = support::accept_waiting(listener.socket().fd()).release();
      if (fd >= 0) {
        socket_ = net::Socket(fd);
      }
      return fd >= 0;
    });
    EXPECT_TRUE(came) << "nobody connected";
    received_.clear();
    taken_ = 0;
    ended_ = false;
  }

  void send_bytes(std::string_view bytes) const {
    EXPECT_EQ(::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()))
        << errno;
  }

  /// A message with the given number; `fields` as `11=x|55=y|`.
  [[nodiscard]] std::string message(std::string_view type, std::uint64_t sequence,
                                    std::string_view fields = {}) const {
    std::string body = "35=" + std::string(type) + "|49=" + us_ + "|56=" + them_ +
                       "|34=" + std::to_string(sequence) + "|52=" + utc_text() + "|";
    return make_message(body + std::string(fields));
  }

  void send(std::string_view type, std::string_view fields = {}) {
    send_bytes(message(type, next_sequence++, fields));
  }

  void send_logon(std::string_view fields = {}) { send("A", "98=0|108=30|" + std::string(fields)); }

  /// The next message, or nullopt: the stream ended, or the time-out passed (a failure).
  std::optional<RawMessage> receive() {
    std::optional<RawMessage> found = take();
    if (!found && !turn_until(engines_, [&] {
          read();
          found = take();
          return found || ended_;
        })) {
      ADD_FAILURE() << "no message came";
    }
    return found;
  }

  /// The next message, which must be of this type.
  RawMessage expect(std::string_view type) {
    std::optional<RawMessage> found = receive();
    EXPECT_TRUE(found) << "the stream ended before a message of type " << type;
    if (!found) {
      return RawMessage({});
    }
    EXPECT_EQ((*found)[35], type) << found->bytes();
    return *found;
  }

  /// Logs on as the connecting side, and expects the answer.
  RawMessage log_on(std::string_view fields = {}) {
    send_logon(fields);
    return expect("A");
  }

  /// Waits for the end of the stream; drops everything before it.
  [[nodiscard]] bool closed() {
    return turn_until(engines_, [&] {
      read();
      return ended_;
    });
  }

  /// Reads available bytes. Turns nothing.
  void read() {
    char bytes[65536];
    for (;;) {
      const ssize_t got = ::recv(socket_.fd(), bytes, sizeof bytes, MSG_DONTWAIT);
      if (got > 0) {
        received_.append(bytes, static_cast<std::size_t>(got));
        continue;
      }
      ended_ = ended_ || got == 0 || (errno != EAGAIN && errno != EINTR);
      return;
    }
  }

  /// Sends as much as the engine reads; turns nothing. Returns the number of bytes.
  [[nodiscard]] std::size_t send_some(std::string_view bytes) const {
    const ssize_t sent =
        ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
  }

  void close() { socket_.close(); }

  [[nodiscard]] bool ended() const { return ended_; }

  /// True if bytes that were read and not taken contain `text`.
  [[nodiscard]] bool holds(std::string_view text) const {
    return received_.find(text, taken_) != std::string::npos;
  }

  [[nodiscard]] int fd() const { return socket_.fd(); }

 private:
  std::optional<RawMessage> take() {
    const std::string_view rest = std::string_view(received_).substr(taken_);
    const wire::Frame frame = wire::Framer().next(rest);
    if (frame.status != wire::FrameStatus::Complete) {
      EXPECT_EQ(frame.status, wire::FrameStatus::Partial) << rest;
      received_.erase(0, std::exchange(taken_, 0));
      return std::nullopt;
    }
    std::string bytes(rest.substr(0, frame.size));
    taken_ += frame.size;
    wire::FieldIndexOf<512> index;
    wire::index_message(bytes, index);
    EXPECT_TRUE(index.clean()) << bytes;
    return RawMessage(std::move(bytes));
  }

  Engines engines_;
  std::string us_;
  std::string them_;
  net::Socket socket_;
  std::string received_;
  std::size_t taken_ = 0;  // Of received_.
  bool ended_ = false;
};

inline net::Listener open_listener() {
  auto listener = net::Listener::open(net::Address::parse("127.0.0.1:0").value(), {});
  EXPECT_TRUE(listener);
  return std::move(*listener);
}

}  // namespace affix::support
