// SPDX-License-Identifier: MIT
// The exchange's own log on the disk: what it is to do, in the one order in which it does it. A
// file begins with all that was known when it was begun, and then has a record for each command.
// Knows no record's meaning.
#pragma once

#include "affix/base/error.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace affix::inline v0::tools::exchange {

/// What a record that append() has taken survives.
enum class CommandSafety : std::uint8_t {
  Process,  ///< The process being killed.
  Soon,     ///< Power loss too, once the flushing thread has come round: some milliseconds.
  OnFlush,  ///< Power loss too, once flush() has returned.
};

/// A record as it is read back. Views into the file's bytes.
struct StoredCommand {
  char type = 0;
  std::int64_t utc_ns = 0;
  std::string_view body;
};

/// One thread. One process has the directory at a time. Files are `0000000001.book` and so on; the
/// newest counts, and a file becomes the newest when it is whole.
class CommandFile {
 public:
  /// What was in the newest file.
  struct Contents {
    std::vector<StoredCommand> records;  ///< Of an empty directory none.
    std::size_t cut_bytes = 0;  ///< Of a record that a kill or a power loss left unfinished.
    std::string bytes;          ///< Behind the views.
  };

  /// Takes the directory, which is made where there is none. Errors: Locked, Denied, Io.
  [[nodiscard]] static std::expected<std::unique_ptr<CommandFile>, base::Error> open(
      std::string directory, CommandSafety safety);

  CommandFile(const CommandFile&) = delete;
  CommandFile& operator=(const CommandFile&) = delete;
  /// What was appended is on the disk then, as far as the disk takes it.
  ~CommandFile();

  /// Reads the newest file. Damaged when its records are cut short where no crash explains it: a
  /// person decides, and nothing has been changed. Io, Denied.
  [[nodiscard]] std::expected<std::unique_ptr<Contents>, base::Error> read() const;

  /// Begins a new file with these records, on the disk before it counts; the older ones are
  /// removed. On an error the newest stays what it was.
  [[nodiscard]] std::expected<void, base::Error> begin(std::span<const StoredCommand> records);

  /// Behind begin(). A system call. On an error nothing was appended, and it may be tried again.
  [[nodiscard]] std::expected<void, base::Error> append(const StoredCommand& record);

  /// CommandSafety::OnFlush: waits for the disk, when something was appended. Else nothing.
  [[nodiscard]] std::expected<void, base::Error> flush();

  /// Bytes of the newest file.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  [[nodiscard]] CommandSafety safety() const noexcept { return safety_; }

  [[nodiscard]] const std::string& directory() const noexcept { return directory_; }

 private:
  CommandFile(std::string directory, CommandSafety safety, int lock);

  [[nodiscard]] std::string path_of(std::uint64_t number) const;
  void start_flushing();
  void stop_flushing();
  void flush_soon();

  std::string directory_;
  CommandSafety safety_;
  int lock_ = -1;
  int file_ = -1;
  std::uint64_t number_ = 0;  // Of the newest file; 0: none.
  std::uint64_t size_ = 0;
  bool unflushed_ = false;
  std::string buffer_;

  // What the flushing thread and append() share.
  std::mutex mutex_;
  std::condition_variable wanted_;
  bool flush_wanted_ = false;
  bool ending_ = false;
  std::atomic<int> flush_error_{0};
  std::thread flusher_;
};

}  // namespace affix::inline v0::tools::exchange
