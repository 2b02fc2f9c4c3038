// SPDX-License-Identifier: MIT
// Lines in a file or on standard error.
#include "process/log_sink.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools {

namespace {

bool write_all(int fd, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Lines are collected and written in one call at flush(), or when there are many.
class LineSink : public LogSink {
 public:
  LineSink(int fd, LogForm form) : fd_(fd), form_(form) {}

  bool write(const LogRecord& record) override {
    waiting_ += log_line(record, form_);
    constexpr std::size_t waiting_max = 64UL * 1024;
    return waiting_.size() < waiting_max || flush();
  }

  bool flush() override {
    const bool written = write_all(fd_, waiting_);
    waiting_.clear();
    return written;
  }

 protected:
  int fd_;
  LogForm form_;
  std::string waiting_;
};

class StandardErrorSink final : public LineSink {
 public:
  explicit StandardErrorSink(LogForm form) : LineSink(STDERR_FILENO, form) {}

  std::expected<void, base::Error> reopen() override { return {}; }

  [[nodiscard]] std::string place() const override { return "standard error"; }
};

std::expected<int, base::Error> open_to_append(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  return fd;
}

class FileSink final : public LineSink {
 public:
  FileSink(int fd, LogFile file, LogForm form) : LineSink(fd, form), file_(std::move(file)) {
    note_size();
  }

  ~FileSink() override { ::close(fd_); }

  bool flush() override {
    const std::size_t bytes = waiting_.size();
    const bool written = LineSink::flush();
    size_ += bytes;
    return file_.bytes_max == 0 || size_ < file_.bytes_max ? written : rotate() && written;
  }

  std::expected<void, base::Error> reopen() override {
    static_cast<void>(LineSink::flush());
    auto fresh = open_to_append(file_.path);
    if (!fresh) {
      return std::unexpected(std::move(fresh.error()));
    }
    ::close(std::exchange(fd_, *fresh));
    note_size();
    return {};
  }

  [[nodiscard]] std::string place() const override { return file_.path; }

 private:
  [[nodiscard]] std::string moved(std::uint32_t number) const {
    return file_.path + "." + std::to_string(number);
  }

  /// Renames from the oldest on, so that a process that ends in between leaves a gap in the numbers
  /// and loses no file but the one that is too many.
  [[nodiscard]] bool rotate() {
    for (std::uint32_t number = file_.kept; number > 1; --number) {
      static_cast<void>(::rename(moved(number - 1).c_str(), moved(number).c_str()));
    }
    const bool gone = file_.kept == 0 ? ::unlink(file_.path.c_str()) == 0
                                      : ::rename(file_.path.c_str(), moved(1).c_str()) == 0;
    // Where it cannot be moved it grows on: a log too long is better than none.
    return gone && reopen().has_value();
  }

  void note_size() noexcept {
    struct stat found{};
    size_ = ::fstat(fd_, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
  }

  LogFile file_;
  std::uint64_t size_ = 0;
};

}  // namespace

SinkOrError open_log_file(const LogFile& file, LogForm form) {
  const auto fd = open_to_append(file.path);
  if (!fd) {
    return std::unexpected(fd.error());
  }
  return std::make_unique<FileSink>(*fd, file, form);
}

std::unique_ptr<LogSink> log_to_standard_error(LogForm form) {
  return std::make_unique<StandardErrorSink>(form);
}

}  // namespace affix::inline v0::tools
