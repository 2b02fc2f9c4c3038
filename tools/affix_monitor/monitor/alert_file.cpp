// SPDX-License-Identifier: MIT
// Reads once, strictly; writes a new file and renames it.
#include "monitor/alert_file.hpp"

#include "affix/os/read_file.hpp"
#include "affix/os/replace_file.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::size_t file_bytes_max = std::size_t{8} << 20;
constexpr mode_t for_us_and_our_group = 0640;

/// Nullopt: it does not exist. A pipe does not block the start.
std::expected<std::optional<std::string>, base::Error> read_file(const std::string& path) {
  const os::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) {
    if (errno == ENOENT) {
      return std::nullopt;
    }
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) {
    return std::unexpected(base::make_system_error("fstat", errno, path));
  }
  if (!S_ISREG(status.st_mode)) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged, "is no file", path, "M112"});
  }
  auto text = os::read_open_file(file, file_bytes_max);
  if (!text && text.error() == EFBIG) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "is larger than 8 MiB", path, "M112"});
  }
  if (!text) {
    return std::unexpected(base::make_system_error("read", text.error(), path));
  }
  return std::optional(std::move(*text));
}

}  // namespace

std::expected<AlertFile, base::Error> AlertFile::open(std::string path) {
  AlertFile file;
  file.path_ = std::move(path);
  const std::string lock = file.path_ + ".lock";
  constexpr mode_t for_us_to_write = 0644;
  file.lock_ =
      os::FileDescriptor(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_us_to_write));
  if (!file.lock_.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, lock));
  }
  if (::flock(file.lock_.number(), LOCK_EX | LOCK_NB) != 0) {
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
                      "is not a file of acknowledged and silenced alerts: " + book.error().message +
                          ". It was left as it is: mend it, or move it away to begin without",
                      file.path_, "M112"});
    }
    file.book_ = std::move(*book);
  }
  return file;
}

std::expected<void, base::Error> AlertFile::store(const AlertBook& book) const {
  return path_.empty() ? std::expected<void, base::Error>()
                       : os::replace_file(path_, book.text(), for_us_and_our_group);
}

}  // namespace affix::inline v0::tools::monitor
