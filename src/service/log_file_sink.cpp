// SPDX-License-Identifier: MIT
// Writes lines to a file or to standard error.
#include "affix/service/log_sink.hpp"

#include "service/log_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::service {

namespace {

/// Collects lines and writes them in one call at flush(), or when there are many. The rest of a
/// partial write waits and continues at the next byte.
class LineSink : public LogSink {
 public:
  LineSink(int fd, LogForm form) : fd_(fd), form_(form) {}

  bool write(const LogRecord& record) override {
    const std::string line = log_line(record, form_);
    constexpr std::size_t written_at_once = 64UL * 1024;
    const bool waits = waiting_.size() >= written_at_once && !flush().has_value();
    if (waits && waiting_.size() + line.size() > waiting_bytes_max) {
      return false;
    }
    waiting_ += line;
    return true;
  }

  std::expected<void, base::Error> flush() override {
    while (!waiting_.empty()) {
      const bool ends_line = end_ == FileEnd::WithinLine;
      const std::string_view bytes = ends_line ? "\n" : std::string_view(waiting_);
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written <= 0) {
        return std::unexpected(
            base::make_system_error("write", written == 0 ? ENOSPC : errno, place()));
      }
      if (ends_line) {
        end_ = FileEnd::AfterLine;
      } else {
        take_off(static_cast<std::size_t>(written));
      }
    }
    return {};
  }

  [[nodiscard]] std::uint64_t waiting() const noexcept override {
    return static_cast<std::uint64_t>(std::count(waiting_.begin(), waiting_.end(), '\n'));
  }

 protected:
  /// State of the file's last line when it is opened here.
  enum class FileEnd : std::uint8_t { AfterLine, WithinLine };

  /// Begins with another file: a line partly written to the old one is written completely.
  void begin_anew(FileEnd end) {
    waiting_.insert(0, begun_);
    begun_.clear();
    end_ = end;
  }

  virtual void note_written(std::size_t bytes) noexcept { static_cast<void>(bytes); }

  int fd_;
  LogForm form_;

 private:
  void take_off(std::size_t bytes) {
    const std::string_view gone = std::string_view(waiting_).substr(0, bytes);
    const std::size_t end = gone.rfind('\n');
    if (end == std::string_view::npos) {
      begun_ += gone;
    } else {
      begun_ = gone.substr(end + 1);
    }
    waiting_.erase(0, bytes);
    note_written(bytes);
  }

  std::string waiting_;
  std::string begun_;  // Written part of the line within which waiting_ begins.
  FileEnd end_ = FileEnd::AfterLine;
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
    note_file();
  }

  ~FileSink() override { ::close(fd_); }

  std::expected<void, base::Error> flush() override {
    auto written = LineSink::flush();
    if (written && file_.durability == LogDurability::Disk && unsynced_bytes_ != 0) {
      // EINVAL, EROFS: a pipe or a device, which has no disk.
      if (::fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) {
        return std::unexpected(base::make_system_error("fdatasync", errno, file_.path));
      }
      unsynced_bytes_ = 0;
    }
    if (written && file_.bytes_max != 0 && size_ >= rotate_at_) {
      rotate();
    }
    return written;
  }

  std::expected<void, base::Error> reopen() override {
    static_cast<void>(LineSink::flush());
    auto fresh = open_to_append(file_.path);
    if (!fresh) {
      return std::unexpected(std::move(fresh.error()));
    }
    ::close(std::exchange(fd_, *fresh));
    note_file();
    return {};
  }

  [[nodiscard]] std::string place() const override { return file_.path; }

 private:
  [[nodiscard]] std::string moved(std::uint32_t number) const {
    return file_.path + "." + std::to_string(number);
  }

  /// Opens the successor first: while the process or the disk has no room for one, nothing is
  /// renamed, and the next flush tries again. Then renames from the oldest on, so that a process
  /// that ends in between leaves a gap in the numbers and loses only the surplus file.
  void rotate() {
    const std::string successor = file_.path + ".new";
    const auto fresh = open_to_append(successor);
    if (!fresh) {
      return;
    }
    for (std::uint32_t number = file_.kept; number > 1; --number) {
      static_cast<void>(::rename(moved(number - 1).c_str(), moved(number).c_str()));
    }
    // A file that someone else has removed needs no other name.
    const bool gone =
        file_.kept == 0 || ::rename(file_.path.c_str(), moved(1).c_str()) == 0 || errno == ENOENT;
    if (!gone || ::rename(successor.c_str(), file_.path.c_str()) != 0) {
      // It keeps growing: a log that is too long is better than none. Each attempt may have renamed
      // the files before it, so the next one comes when there is as much to rename as usual.
      ::unlink(successor.c_str());
      ::close(*fresh);
      rotate_at_ = size_ + file_.bytes_max;
      return;
    }
    ::close(std::exchange(fd_, *fresh));
    note_file();
  }

  void note_written(std::size_t bytes) noexcept override {
    size_ += bytes;
    unsynced_bytes_ += bytes;
  }

  void note_file() {
    struct stat found{};
    size_ = ::fstat(fd_, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
    rotate_at_ = file_.bytes_max;
    begin_anew(size_ != 0 && S_ISREG(found.st_mode) && !ends_with_line() ? FileEnd::WithinLine
                                                                         : FileEnd::AfterLine);
  }

  /// True also if the file cannot be read.
  [[nodiscard]] bool ends_with_line() const noexcept {
    char last = '\n';
    const int fd = ::open(file_.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
      static_cast<void>(::pread(fd, &last, 1, static_cast<off_t>(size_ - 1)) == 1);
      ::close(fd);
    }
    return last == '\n';
  }

  LogFile file_;
  std::uint64_t size_ = 0;
  std::uint64_t rotate_at_ = 0;  // The size at which the next rotation is tried.
  std::uint64_t unsynced_bytes_ = 0;
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

}  // namespace affix::inline v0::service
