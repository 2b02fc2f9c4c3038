// SPDX-License-Identifier: MIT
// An operator at the administration port: types lines and reads answers, while the same thread
// turns the engines under test.
#pragma once

#include "affix/admin/server.hpp"
#include "affix/base/error.hpp"
#include "affix/net/socket.hpp"
#include "affix/net/socket_calls.hpp"

#include "support/engine_case.hpp"
#include "support/has_message.hpp"

#include <cerrno>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace affix::support {

/// A program's log and level, kept in memory.
class TestProgram : public admin::Program {
 public:
  void log(host::Event::Severity severity, std::string_view session, std::string_view text,
           base::MessageCode code) override {
    static_cast<void>(severity);
    const std::lock_guard guard(mutex_);
    lines_.push_back(std::string(session) + ": " + std::string(text) +
                     base::Error::suffix_of(code));
  }

  [[nodiscard]] std::string log_place() const override { return "memory"; }

  [[nodiscard]] std::string log_level() const override {
    const std::lock_guard guard(mutex_);
    return level_;
  }

  void set_log_level(std::string_view level) override {
    const std::lock_guard guard(mutex_);
    level_ = level;
  }

  [[nodiscard]] std::expected<engine::Change, config::Problems> reload() override {
    auto wanted = config::load_configuration(path);
    if (!wanted) {
      return std::unexpected(std::move(wanted.error()));
    }
    return engine::Change();
  }

  [[nodiscard]] bool heard(std::string_view text) const {
    const std::lock_guard guard(mutex_);
    for (const std::string& line : lines_) {
      if (line.find(text) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  /// True if a line of the log has the code, and these values in this order.
  [[nodiscard]] ::testing::AssertionResult has_logged(
      base::MessageCode code, std::initializer_list<std::string_view> values = {}) const {
    const std::lock_guard guard(mutex_);
    std::string all;
    for (const std::string& line : lines_) {
      all += line + "\n";
    }
    return has_message(all, code, values);
  }

  [[nodiscard]] std::size_t lines() const {
    const std::lock_guard guard(mutex_);
    return lines_.size();
  }

  std::string path;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::string level_ = "INFO";
};

class Console {
 public:
  Console(Engines engines, const net::Address& address, int receive_buffer_bytes = 0)
      : engines_(std::move(engines)) {
    socket_ = net::Socket(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
    if (receive_buffer_bytes != 0) {
      EXPECT_EQ(::setsockopt(socket_.fd(), SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                             sizeof receive_buffer_bytes),
                0);
    }
    EXPECT_EQ(
        ::connect(socket_.fd(), address.native(), static_cast<socklen_t>(address.native_size())), 0)
        << errno;
  }

  /// False: the port has closed the connection, or does not read.
  bool say(std::string_view bytes) {
    return ::send(socket_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
           static_cast<ssize_t>(bytes.size());
  }

  /// The answer to one line, including its last line; lost if the stream ended.
  std::string ask(std::string_view line) {
    EXPECT_TRUE(say(std::string(line) + "\n"));
    return answer();
  }

  std::string answer() {
    std::size_t end = 0;
    const bool came = turn_until(engines_, [&] {
      read();
      end = end_of_answer();
      return end != 0 || ended_;
    });
    EXPECT_TRUE(came) << "no answer; there is: " << text_;
    const std::string answer = text_.substr(0, end == 0 ? text_.size() : end);
    text_.erase(0, answer.size());
    return answer;
  }

  /// The next line of any kind, without its end.
  std::string line() {
    const bool came = turn_until(engines_, [&] {
      read();
      return text_.find('\n') != std::string::npos || ended_;
    });
    EXPECT_TRUE(came) << "no line; there is: " << text_;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return line;
  }

  /// True if the port closes the connection.
  [[nodiscard]] bool is_ended() {
    return turn_until(engines_, [&] {
      read();
      return ended_;
    });
  }

  [[nodiscard]] bool ended_now() {
    read();
    return ended_;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void read() {
    char bytes[65'536];
    ssize_t size = 0;
    while ((size = ::recv(socket_.fd(), bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
      text_.append(bytes, static_cast<std::size_t>(size));
    }
    ended_ = ended_ || size == 0 || (errno != EAGAIN && errno != EINTR);
  }

  /// Position after the first line that ends an answer; 0: not there yet.
  [[nodiscard]] std::size_t end_of_answer() const {
    std::size_t begin = 0;
    for (std::size_t end = text_.find('\n'); end != std::string::npos;
         end = text_.find('\n', begin)) {
      const std::string_view line = std::string_view(text_).substr(begin, end - begin);
      begin = end + 1;
      for (const std::string_view status : {"done", "refused", "busy", "begun", "{"}) {
        if (line.starts_with(status) &&
            (line.size() == status.size() || line[status.size()] == ':' || status == "{")) {
          return begin;
        }
      }
    }
    return 0;
  }

  Engines engines_;
  net::Socket socket_;
  std::string text_;
  bool ended_ = false;
};

}  // namespace affix::support
