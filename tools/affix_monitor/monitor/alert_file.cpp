// SPDX-License-Identifier: MIT
// Reads once, strictly; writes a new file and renames it.
#include "monitor/alert_file.hpp"

#include "journal/packing.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::size_t file_bytes_max = std::size_t{8} << 20;

std::expected<std::string, base::Error> read_open(int file, const std::string& path) {
  struct stat status{};
  if (::fstat(file, &status) != 0) {
    return std::unexpected(base::make_system_error("fstat", errno, path));
  }
  if (!S_ISREG(status.st_mode)) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged, "is no file", path, "M112"});
  }
  std::string text;
  std::array<char, 65'536> piece;
  for (;;) {
    const ssize_t got = ::read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return std::unexpected(base::make_system_error("read", errno, path));
    }
    if (got == 0) {
      return text;
    }
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > file_bytes_max) {
      return std::unexpected(
          base::Error{base::ErrorCode::Limit, "is larger than 8 MiB", path, "M112"});
    }
  }
}

/// Nullopt: it does not exist. A pipe does not block the start.
std::expected<std::optional<std::string>, base::Error> read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    if (errno == ENOENT) {
      return std::nullopt;
    }
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  auto text = read_open(file, path);
  ::close(file);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  return std::optional(std::move(*text));
}

}  // namespace

std::expected<AlertFile, base::Error> AlertFile::open(std::string path) {
  AlertFile file;
  file.path_ = std::move(path);
  const std::string lock = file.path_ + ".lock";
  constexpr mode_t for_us_to_write = 0644;
  file.lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_us_to_write);
  if (file.lock_ < 0) {
    return std::unexpected(base::make_system_error("open", errno, lock));
  }
  if (::flock(file.lock_, LOCK_EX | LOCK_NB) != 0) {
    return std::unexpected(base::Error{
        base::ErrorCode::Locked,
        "another monitor keeps its acknowledged and silenced alerts there: --alerts-directory",
        file.path_, "M113"});
  }
  auto text = read_file(file.path_);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  if (*text) {
    auto book = AlertBook::of_text(**text);
    if (!book) {
      return std::unexpected(
          base::Error{base::ErrorCode::Damaged,
                      "is no file of acknowledged and silenced alerts: " + book.error() +
                          ". It was left as it is: mend it, or move it away to begin without",
                      file.path_, "M112"});
    }
    file.book_ = std::move(*book);
  }
  return file;
}

AlertFile::AlertFile(AlertFile&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      book_(std::move(other.book_)) {}

AlertFile& AlertFile::operator=(AlertFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  std::swap(book_, other.book_);
  return *this;
}

AlertFile::~AlertFile() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

std::expected<void, base::Error> AlertFile::store(const AlertBook& book) const {
  return path_.empty() ? std::expected<void, base::Error>()
                       : journal::write_packed(path_, book.text(), journal::Packing::None);
}

}  // namespace affix::inline v0::tools::monitor
