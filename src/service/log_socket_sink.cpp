// SPDX-License-Identifier: MIT
// Sends datagrams to the system's log daemons.
#include "affix/service/log_sink.hpp"

#include "service/log_lines.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::service {

namespace {

using Severity = host::Event::Severity;

int priority_of(Severity severity) noexcept {
  switch (severity) {
    case Severity::Debug:
      return LOG_DEBUG;
    case Severity::Info:
      return LOG_INFO;
    case Severity::Warning:
      return LOG_WARNING;
    case Severity::Error:
      return LOG_ERR;
  }
  return LOG_INFO;
}

class SocketSink : public LogSink {
 public:
  SocketSink(std::string program, std::string socket_path)
      : program_(std::move(program)), socket_path_(std::move(socket_path)) {}

  ~SocketSink() override { drop(); }

  bool write(const LogRecord& record) override {
    const std::string datagram = datagram_of(record);
    if (send(datagram)) {
      return true;
    }
    // A restarted daemon has a new socket under the old name.
    return reopen().has_value() && send(datagram);
  }

  std::expected<void, base::Error> flush() override { return {}; }

  [[nodiscard]] std::uint64_t waiting() const noexcept override { return 0; }

  std::expected<void, base::Error> reopen() override {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_path_.size() >= sizeof address.sun_path) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "longer than the name of a socket may be", socket_path_,
                                         "E118"});
    }
    std::memcpy(address.sun_path, socket_path_.data(), socket_path_.size());
    const int fresh = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fresh < 0 ||
        ::connect(fresh, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      auto error = base::make_system_error("connect", errno, socket_path_);
      if (fresh >= 0) {
        ::close(fresh);
      }
      return std::unexpected(std::move(error));
    }
    drop();
    fd_ = fresh;
    return {};
  }

 protected:
  [[nodiscard]] virtual std::string datagram_of(const LogRecord& record) const = 0;

  [[nodiscard]] const std::string& program() const noexcept { return program_; }

 private:
  [[nodiscard]] bool send(std::string_view datagram) const noexcept {
    ssize_t sent = 0;
    do {
      sent = ::send(fd_, datagram.data(), datagram.size(), MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(datagram.size());
  }

  void drop() noexcept {
    if (fd_ >= 0) {
      ::close(std::exchange(fd_, -1));
    }
  }

  std::string program_;
  std::string socket_path_;
  int fd_ = -1;
};

class SyslogSink final : public SocketSink {
 public:
  using SocketSink::SocketSink;

  [[nodiscard]] std::string place() const override { return "syslog"; }

 protected:
  // Without a time: local programs may leave it to the daemon, whose time is right.
  [[nodiscard]] std::string datagram_of(const LogRecord& record) const override {
    std::string text = log_line(record, LogForm::Text);
    text.pop_back();
    const std::size_t stamp_and_level = sizeof "2026-01-31 12:00:00.123456 WARNING" - 1;
    return "<" + std::to_string(LOG_DAEMON | priority_of(record.severity)) + ">" + program() + "[" +
           std::to_string(::getpid()) + "]:" + text.substr(stamp_and_level);
  }
};

/// A field in journald's native format; a value with a line end is preceded by its length.
void append_field(std::string& datagram, std::string_view name, std::string_view value) {
  datagram += name;
  if (value.find('\n') == std::string_view::npos) {
    datagram += '=';
  } else {
    datagram += '\n';
    std::uint64_t size = value.size();
    for (std::size_t byte = 0; byte < sizeof size; ++byte, size >>= 8U) {
      datagram += static_cast<char>(size & 0xffU);
    }
  }
  datagram += value;
  datagram += '\n';
}

class JournaldSink final : public SocketSink {
 public:
  using SocketSink::SocketSink;

  [[nodiscard]] std::string place() const override { return "journald"; }

 protected:
  [[nodiscard]] std::string datagram_of(const LogRecord& record) const override {
    std::string datagram;
    append_field(datagram, "MESSAGE",
                 record.session.empty()
                     ? std::string(record.text)
                     : std::string(record.session) + ": " + std::string(record.text));
    append_field(datagram, "PRIORITY", std::to_string(priority_of(record.severity)));
    append_field(datagram, "SYSLOG_IDENTIFIER", program());
    if (!record.session.empty()) {
      append_field(datagram, "FIX_SESSION", record.session);
    }
    if (record.code) {
      append_field(datagram, "AFFIX_CODE", record.code.text());
    }
    return datagram;
  }
};

template <typename Sink>
SinkOrError open_socket_sink(const std::string& program, const std::string& socket_path) {
  auto sink = std::make_unique<Sink>(program, socket_path);
  if (auto opened = sink->reopen(); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return sink;
}

}  // namespace

SinkOrError open_syslog(const std::string& program, const std::string& socket_path) {
  return open_socket_sink<SyslogSink>(program, socket_path);
}

SinkOrError open_journald(const std::string& program, const std::string& socket_path) {
  return open_socket_sink<JournaldSink>(program, socket_path);
}

}  // namespace affix::inline v0::service
