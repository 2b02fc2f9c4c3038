// SPDX-License-Identifier: MIT
// Directory of one journal on a POSIX file system.
#include "journal/segment_files.hpp"

#include "affix/base/crc32c.hpp"
#include "affix/journal/record.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
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
    10;  // Digits of the largest 32-bit number, so that names sort as numbers.
constexpr const char* lock_name = "lock";

// The lock's holder wrote its process id there, for the process that is refused.
std::string holder_of(int lock) {
  char text[16] = {};
  const ssize_t size = pread(lock, text, sizeof(text) - 1, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size))
                  : std::string("another process");
}

// Makes parents too. Returns whether it was missing.
std::expected<bool, base::Error> make_directory(const std::string& directory) {
  // Usually its parent exists, and checking each part of the path takes longer than this.
  if (mkdir(directory.c_str(), 0777) == 0) {
    return true;
  }
  std::error_code failure;
  const bool made = std::filesystem::create_directories(directory, failure);
  if (failure) {
    return std::unexpected(base::make_system_error("mkdir", failure.value(), directory));
  }
  return made;
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

std::expected<SegmentFiles, base::Error> SegmentFiles::open(std::string directory, Disk& disk) {
  const std::expected<bool, base::Error> made = make_directory(directory);
  if (!made) {
    return std::unexpected(made.error());
  }
  const std::string path = directory + "/" + lock_name;
  os::FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640));
  if (!lock.is_open()) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    const int error_number = errno;
    base::Error error = base::make_system_error("flock", error_number, path);
    if (error_number == EWOULDBLOCK) {
      error = {base::ErrorCode::Locked,
               "the journal is in use by process " + holder_of(lock.number()), directory, "J201"};
    }
    return std::unexpected(std::move(error));
  }
  // Only for the message above: it does not matter if a full disk cuts it short.
  const std::string process = std::to_string(getpid());
  // Shortened only if need be: that waits for the file system's own journal.
  struct stat before{};
  if (fstat(lock.number(), &before) == 0 &&
      (before.st_size <= static_cast<off_t>(process.size()) ||
       ftruncate(lock.number(), static_cast<off_t>(process.size())) == 0)) {
    [[maybe_unused]] const ssize_t written =
        pwrite(lock.number(), process.data(), process.size(), 0);
  }
  return SegmentFiles(std::move(directory), std::move(lock), *made, disk);
}

namespace {

/// True if the checksum fits the bytes there.
bool is_whole_record(int file, const format::RecordHeader& header, std::uint32_t number,
                     std::uint32_t offset) noexcept {
  if (header.length < format::record_header_bytes) {
    return false;
  }
  std::uint32_t crc = format::record_seed(number, offset);
  std::array<char, 4096> bytes;
  for (std::size_t at = offsetof(format::RecordHeader, kind); at < header.length;) {
    const std::size_t wanted = std::min(bytes.size(), header.length - at);
    if (pread(file, bytes.data(), wanted, static_cast<off_t>(offset + at)) !=
        static_cast<ssize_t>(wanted)) {
      return false;
    }
    crc = base::crc32c({bytes.data(), wanted}, crc);
    at += wanted;
  }
  return crc == header.crc;
}

}  // namespace

SegmentFiles::SegmentFiles(std::string directory, os::FileDescriptor lock, bool made,
                           Disk& disk) noexcept
    : directory_(std::move(directory)), disk_(&disk), lock_(std::move(lock)), made_(made) {}

std::uint64_t SegmentFiles::device() const noexcept {
  struct stat status{};
  return fstat(lock_.number(), &status) == 0 ? status.st_dev : 0;
}

void SegmentFiles::remove(std::uint32_t number) const noexcept {
  static_cast<void>(disk_->remove(path(number)));
}

std::expected<void, base::Error> SegmentFiles::sync_directory() const {
  if (const int error_number = disk_->sync_directory(directory_); error_number != 0) {
    return std::unexpected(base::make_system_error("fsync", error_number, directory_));
  }
  return {};
}

MarkedInFile SegmentFiles::mark_processed(std::uint32_t number, std::uint32_t offset,
                                          format::Mark value) const noexcept {
  const int file = ::open(path(number).c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return MarkedInFile::Not;
  }
  MarkedInFile result = MarkedInFile::Not;
  format::RecordHeader header{};
  const bool read =
      pread(file, &header, sizeof(header), offset) == static_cast<ssize_t>(sizeof(header));
  if (read && header.kind == static_cast<std::uint8_t>(Kind::Received) &&
      is_whole_record(file, header, number, offset)) {
    const off_t at = static_cast<off_t>(offset) + header.length;
    char mark = 0;
    if (pread(file, &mark, 1, at) == 1) {
      const bool was_set = mark != 0;
      const bool stays = was_set && !(mark == static_cast<char>(format::Mark::Late) &&
                                      value == format::Mark::Final);
      mark = static_cast<char>(value);
      if (stays || pwrite(file, &mark, 1, at) == 1) {
        result = was_set ? MarkedInFile::Before : MarkedInFile::Now;
      }
    }
  }
  ::close(file);
  return result;
}

std::expected<void, base::Error> SegmentFiles::write_header(const format::Header& header) const {
  const std::string where = path(header.segment_number);
  int file = -1;
  if (const int error_number = disk_->open_file(where, O_RDWR | O_CLOEXEC, file);
      error_number != 0) {
    return std::unexpected(base::make_system_error("open", error_number, where));
  }
  const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof(header));
  const int error_number = disk_->write(file, where, bytes, 0);
  ::close(file);
  if (error_number != 0) {
    return std::unexpected(base::make_system_error("pwrite", error_number, where));
  }
  return {};
}

std::expected<void, base::Error> SegmentFiles::take_mark(std::uint32_t number,
                                                         std::uint32_t offset) const {
  const std::string where = path(number);
  int file = -1;
  if (const int error_number = disk_->open_file(where, O_RDWR | O_CLOEXEC, file);
      error_number != 0) {
    return std::unexpected(base::make_system_error("open", error_number, where));
  }
  std::uint32_t length = 0;
  const char* call = "pread";
  int error_number = pread(file, &length, sizeof(length), offset) == sizeof(length) ? 0 : EIO;
  if (error_number == 0) {
    call = "pwrite";
    error_number = disk_->write(file, where, {"\0", 1}, std::uint64_t{offset} + length);
  }
  if (error_number == 0) {
    call = "fdatasync";
    error_number = disk_->sync_file(file, where);
  }
  ::close(file);
  if (error_number != 0) {
    return std::unexpected(base::make_system_error(call, error_number, where));
  }
  return {};
}

std::expected<void, base::Error> write_file(const std::string& path, std::string_view bytes,
                                            Disk& disk) {
  int file = -1;
  if (const int error_number = disk.open_file(path, O_WRONLY | O_CREAT | O_TRUNC, file);
      error_number != 0) {
    return std::unexpected(base::make_system_error("open", error_number, path));
  }
  const char* call = "pwrite";
  int error_number = disk.write(file, path, bytes, 0);
  if (error_number == 0) {
    call = "fdatasync";
    error_number = disk.sync_file(file, path);
  }
  ::close(file);
  if (error_number != 0) {
    return std::unexpected(base::make_system_error(call, error_number, path));
  }
  return {};
}

}  // namespace affix::inline v0::journal
