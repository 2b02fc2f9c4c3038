// SPDX-License-Identifier: MIT
// Files, system calls, and checks of a last record that a crash cut short.
#include "exchange/recovery/command_file.hpp"

#include "affix/base/crc32c.hpp"
#include "affix/base/text.hpp"
#include "affix/journal/disk.hpp"
#include "affix/os/read_file.hpp"
#include "affix/os/thread_precedence.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools::exchange {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "AFXBOOK1";
constexpr std::string_view suffix = ".book";

/// A record: length and CRC, then as many bytes as the length: type, time, body.
constexpr std::size_t head_bytes = 2 * sizeof(std::uint32_t);
constexpr std::size_t fixed_bytes = 1 + sizeof(std::int64_t);

std::unexpected<base::Error> system_error(const char* call, const std::string& where) {
  return std::unexpected(base::make_system_error(call, errno, where));
}

template <typename Value>
void put(std::string& bytes, Value value) {
  char text[sizeof(Value)];
  std::memcpy(text, &value, sizeof(Value));
  bytes.append(text, sizeof(Value));
}

template <typename Value>
Value get(std::string_view bytes) {
  Value value;
  std::memcpy(&value, bytes.data(), sizeof(Value));
  return value;
}

/// A record is valid only at its own place: a copy elsewhere is not.
std::uint32_t crc_of(std::string_view payload, std::uint64_t place) {
  char seed[sizeof(place)];
  std::memcpy(seed, &place, sizeof(place));
  return base::crc32c(payload, base::crc32c({seed, sizeof(seed)}));
}

void write_record(std::string& bytes, const StoredCommand& record, std::uint64_t place) {
  const std::size_t begin = bytes.size();
  put(bytes, static_cast<std::uint32_t>(fixed_bytes + record.body.size()));
  put(bytes, std::uint32_t{0});
  put(bytes, record.type);
  put(bytes, record.utc_ns);
  bytes.append(record.body);
  const std::uint32_t crc = crc_of(std::string_view(bytes).substr(begin + head_bytes), place);
  std::memcpy(bytes.data() + begin + sizeof(std::uint32_t), &crc, sizeof(crc));
}

std::expected<void, base::Error> write_all(int file, std::string_view bytes,
                                           const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return system_error("write", where);
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
  return {};
}

/// The number in `0000000012.book`; 0 for any other name.
std::uint64_t number_of(std::string_view name) {
  if (!name.ends_with(suffix)) {
    return 0;
  }
  name.remove_suffix(suffix.size());
  return base::parse_number<std::uint64_t>(name).value_or(0);
}

std::vector<std::uint64_t> numbers_in(const std::string& directory) {
  std::vector<std::uint64_t> numbers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (const std::uint64_t number = number_of(entry.path().filename().string()); number != 0) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// The record at the beginning of `rest`, if complete.
std::string_view payload_of(std::string_view rest, std::uint64_t place) {
  const std::size_t length = rest.size() < head_bytes ? 0 : get<std::uint32_t>(rest);
  if (length < fixed_bytes || length > rest.size() - head_bytes) {
    return {};
  }
  const std::string_view payload = rest.substr(head_bytes, length);
  const bool right =
      get<std::uint32_t>(rest.substr(sizeof(std::uint32_t))) == crc_of(payload, place);
  return right ? payload : std::string_view{};
}

/// One write is one record, so no complete one follows a record that a crash has cut short.
bool may_be_cut_short(std::string_view rest, std::uint64_t place) {
  constexpr std::size_t record_bytes_max = 256 * 1024;
  if (rest.size() > record_bytes_max) {
    return false;
  }
  for (std::size_t at = 1; at + head_bytes < rest.size(); ++at) {
    if (!payload_of(rest.substr(at), place + at).empty()) {
      return false;
    }
  }
  return true;
}

}  // namespace

CommandFile::CommandFile(std::string directory, CommandSafety safety, int lock)
    : directory_(std::move(directory)), safety_(safety), lock_(lock) {
  if (const auto numbers = numbers_in(directory_); !numbers.empty()) {
    number_ = numbers.back();
  }
}

CommandFile::~CommandFile() {
  stop_flushing();
  if (file_ >= 0) {
    if (safety_ != CommandSafety::Process) {
      ::fdatasync(file_);
    }
    ::close(file_);
  }
  ::close(lock_);
}

std::string CommandFile::path_of(std::uint64_t number) const {
  std::string digits = std::to_string(number);
  digits.insert(0, 10 - std::min<std::size_t>(digits.size(), 10), '0');
  return directory_ + "/" + digits + std::string(suffix);
}

std::expected<std::unique_ptr<CommandFile>, base::Error> CommandFile::open(std::string directory,
                                                                           CommandSafety safety) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    return std::unexpected(base::Error{base::ErrorCode::Io, error.message(), directory, "P116"});
  }
  const std::string lock_path = directory + "/lock";
  const int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (lock < 0) {
    return system_error("open", lock_path);
  }
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock);
    return std::unexpected(
        base::Error{base::ErrorCode::Locked, "another exchange uses it", directory, "P120"});
  }
  return std::unique_ptr<CommandFile>(new CommandFile(std::move(directory), safety, lock));
}

std::expected<std::unique_ptr<CommandFile::Contents>, base::Error> CommandFile::read() const {
  auto contents = std::make_unique<Contents>();
  if (number_ == 0) {
    return contents;
  }
  const std::string path = path_of(number_);
  auto read = os::read_file(path, SIZE_MAX);
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  contents->bytes = std::move(*read);
  const std::string_view bytes = contents->bytes;
  const auto damaged = [&](std::size_t place) {
    return std::unexpected(base::Error{
        base::ErrorCode::Damaged,
        "the record at byte " + std::to_string(place) +
            " is damaged where no crash explains it. Moved away, it leaves the exchange with an "
            "empty book: its members' open orders are unknown then",
        path, "P122"});
  };
  if (!bytes.starts_with(magic)) {
    return damaged(0);
  }
  std::size_t at = magic.size();
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    const std::string_view payload = payload_of(rest, at);
    if (payload.empty()) {
      // A write cut short is the last one; a page that never reached the disk reads as zeros.
      if (rest.find_first_not_of('\0') != std::string_view::npos && !may_be_cut_short(rest, at)) {
        return damaged(at);
      }
      contents->cut_bytes = rest.size();
      break;
    }
    contents->records.push_back({.type = payload.front(),
                                 .utc_ns = get<std::int64_t>(payload.substr(1)),
                                 .body = payload.substr(fixed_bytes)});
    at += head_bytes + payload.size();
  }
  return contents;
}

std::expected<void, base::Error> CommandFile::begin(std::span<const StoredCommand> records) {
  std::string bytes(magic);
  for (const StoredCommand& record : records) {
    write_record(bytes, record, bytes.size());
  }
  const std::string path = path_of(number_ + 1);
  const std::string unfinished = path + ".new";
  const int file =
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0640);
  if (file < 0) {
    return system_error("open", unfinished);
  }
  auto written = write_all(file, bytes, unfinished);
  if (written && ::fsync(file) != 0) {
    written = system_error("fsync", unfinished);
  }
  if (written && ::rename(unfinished.c_str(), path.c_str()) != 0) {
    written = system_error("rename", unfinished);
  }
  if (written) {
    if (const int number = affix::journal::system_disk().sync_directory(directory_); number != 0) {
      written = std::unexpected(base::make_system_error("fsync", number, directory_));
    }
  }
  if (!written) {
    ::close(file);
    return written;
  }
  stop_flushing();
  if (file_ >= 0) {
    ::close(file_);
  }
  file_ = file;
  ++number_;
  size_ = bytes.size();
  unflushed_ = false;
  for (const std::uint64_t older : numbers_in(directory_)) {
    if (older < number_) {
      ::unlink(path_of(older).c_str());  // If it stays, it is ignored.
    }
  }
  start_flushing();
  return {};
}

std::expected<void, base::Error> CommandFile::append(const StoredCommand& record) {
  if (const int error = flush_error_.load(std::memory_order_relaxed); error != 0) {
    return std::unexpected(base::make_system_error("fdatasync", error, directory_));
  }
  buffer_.clear();
  write_record(buffer_, record, size_);
  auto written = write_all(file_, buffer_, directory_);
  if (!written) {
    // A partial write must not stay before the next record.
    if (::ftruncate(file_, static_cast<off_t>(size_)) != 0) {
      return system_error("ftruncate", directory_);
    }
    return written;
  }
  size_ += buffer_.size();
  unflushed_ = true;
  if (safety_ == CommandSafety::Soon) {
    const std::lock_guard lock(mutex_);
    flush_wanted_ = true;
    wanted_.notify_one();
  }
  return {};
}

std::expected<void, base::Error> CommandFile::flush() {
  if (safety_ == CommandSafety::OnFlush && unflushed_) {
    if (::fdatasync(file_) != 0) {
      return system_error("fdatasync", directory_);
    }
    unflushed_ = false;
  }
  return {};
}

void CommandFile::start_flushing() {
  if (safety_ == CommandSafety::Soon) {
    // Signals belong to the program; this thread takes none.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ending_ = false;
    flusher_ = std::thread([this] { flush_soon(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
}

void CommandFile::stop_flushing() {
  if (flusher_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      wanted_.notify_one();
    }
    flusher_.join();
  }
}

void CommandFile::flush_soon() {
  os::name_this_thread("affix-commands");
  os::give_way_to_workers();
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [this] { return flush_wanted_ || ending_; });
    if (ending_) {
      return;
    }
    flush_wanted_ = false;
    lock.unlock();
    if (::fdatasync(file_) != 0) {
      // Appended records may not be on the disk, and further appends do not change that. Relaxed:
      // no other data is read after the value.
      flush_error_.store(errno, std::memory_order_relaxed);
    }
    lock.lock();
  }
}

}  // namespace affix::inline v0::tools::exchange
