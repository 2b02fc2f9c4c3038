// SPDX-License-Identifier: MIT
// The directory of one journal on a POSIX file system.
#include "journal/segment_files.hpp"

#include "affix/journal/format.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

constexpr std::string_view segment_suffix = ".journal";
constexpr std::size_t segment_digits =
    10;  // Of the largest 32-bit number, so that names sort as numbers.
constexpr const char* lock_name = "lock";

// The process that holds the lock wrote its number there, for the one it refuses.
std::string holder_of(int lock) {
  char text[16] = {};
  const ssize_t size = pread(lock, text, sizeof(text) - 1, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size))
                  : std::string("another process");
}

}  // namespace

std::uint32_t segment_number_in(std::string_view name) noexcept {
  if (name.size() != segment_digits + segment_suffix.size() || !name.ends_with(segment_suffix)) {
    return 0;
  }
  std::uint32_t number = 0;
  const std::from_chars_result parsed =
      std::from_chars(name.data(), name.data() + segment_digits, number);
  return parsed.ec == std::errc{} && parsed.ptr == name.data() + segment_digits ? number : 0;
}

std::string segment_path(const std::string& directory, std::uint32_t number) {
  const std::string digits = std::to_string(number);
  return directory + "/" + std::string(segment_digits - digits.size(), '0') + digits +
         std::string(segment_suffix);
}

std::expected<std::vector<std::uint32_t>, base::Error> list_segments(const std::string& directory) {
  std::error_code failure;
  std::filesystem::directory_iterator entry(directory, failure);
  std::vector<std::uint32_t> numbers;
  while (!failure && entry != std::filesystem::directory_iterator()) {
    const std::uint32_t number = segment_number_in(entry->path().filename().native());
    if (number != 0) {
      numbers.push_back(number);
    }
    entry.increment(failure);
  }
  if (failure) {
    return std::unexpected(base::make_system_error("readdir", failure.value(), directory));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::expected<SegmentFiles, base::Error> SegmentFiles::open(std::string directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure) {
    return std::unexpected(base::make_system_error("mkdir", failure.value(), directory));
  }
  const std::string path = directory + "/" + lock_name;
  const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (lock < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    const int error_number = errno;
    base::Error error = base::make_system_error("flock", error_number, path);
    if (error_number == EWOULDBLOCK) {
      error = {base::ErrorCode::Locked, "the journal is in use by process " + holder_of(lock),
               directory};
    }
    ::close(lock);
    return std::unexpected(std::move(error));
  }
  // Only for the message above: that it may be cut short by a full disk does not matter.
  const std::string process = std::to_string(getpid());
  if (ftruncate(lock, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(lock, process.data(), process.size(), 0);
  }
  return SegmentFiles(std::move(directory), lock);
}

SegmentFiles::SegmentFiles(std::string directory, int lock) noexcept
    : directory_(std::move(directory)), lock_(lock) {}

SegmentFiles::SegmentFiles(SegmentFiles&& other) noexcept
    : directory_(std::move(other.directory_)), lock_(std::exchange(other.lock_, -1)) {}

SegmentFiles::~SegmentFiles() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

void SegmentFiles::remove(std::uint32_t number) const noexcept {
  unlink(path(number).c_str());
}

std::expected<void, base::Error> SegmentFiles::sync_directory() const {
  const int file = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) {
    return std::unexpected(base::make_system_error("open", errno, directory_));
  }
  const int result = fsync(file);
  const int error_number = errno;
  ::close(file);
  if (result != 0) {
    return std::unexpected(base::make_system_error("fsync", error_number, directory_));
  }
  return {};
}

void SegmentFiles::mark_processed(std::uint32_t number, std::uint32_t offset) const noexcept {
  const int file = ::open(path(number).c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  std::uint32_t length = 0;
  const bool read =
      pread(file, &length, sizeof(length), offset) == static_cast<ssize_t>(sizeof(length));
  if (read && length >= format::record_header_bytes) {
    const char mark = 1;
    [[maybe_unused]] const ssize_t written =
        pwrite(file, &mark, 1, static_cast<off_t>(offset) + length);
  }
  ::close(file);
}

std::expected<void, base::Error> write_file(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (file < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      const int error_number = errno;
      ::close(file);
      return std::unexpected(base::make_system_error("write", error_number, path));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  const int result = fsync(file);
  const int error_number = errno;
  ::close(file);
  if (result != 0) {
    return std::unexpected(base::make_system_error("fsync", error_number, path));
  }
  return {};
}

std::expected<std::string, base::Error> read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  struct stat status{};
  std::string bytes;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
  }
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      const int error_number = errno;
      ::close(file);
      return std::unexpected(base::make_system_error("read", error_number, path));
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  ::close(file);
  bytes.resize(filled);
  return bytes;
}

BootId read_boot_id() noexcept {
  BootId id;
  const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return id;
  }
  char text[40] = {};
  const ssize_t size = ::read(file, text, sizeof(text));
  ::close(file);
  std::size_t nibble = 0;
  for (ssize_t at = 0; at < size && nibble < 32; ++at) {
    std::uint8_t value = 0;
    if (std::from_chars(text + at, text + at + 1, value, 16).ec != std::errc{}) {
      continue;
    }
    std::uint8_t& byte = id.bytes[nibble / 2];
    byte = static_cast<std::uint8_t>((byte << 4) | value);
    ++nibble;
  }
  return id;
}

}  // namespace affix::inline v0::journal
