// SPDX-License-Identifier: MIT
// The exchange's log of commands on the disk, in the order of execution. A file begins with the
// complete state at that time, followed by a record per command. Does not interpret records.
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

/// Failures that an appended record survives.
enum class CommandSafety : std::uint8_t {
  Process,  ///< The process being killed.
  Soon,     ///< Also a power loss, after the flushing thread's next pass: some milliseconds.
  OnFlush,  ///< Also a power loss, once flush() has returned.
};

/// A record read back. Views the file's bytes.
struct StoredCommand {
  char type = 0;
  std::int64_t utc_ns = 0;
  std::string_view body;
};

/// One thread. One process at a time uses the directory. Files are `0000000001.book` and so on; the
/// newest counts, and a file becomes the newest when it is complete.
class CommandFile {
 public:
  /// Contents of the newest file.
  struct Contents {
    std::vector<StoredCommand> records;  ///< None for an empty directory.
    std::size_t cut_bytes = 0;  ///< Size of a record that a kill or a power loss left incomplete.
    std::string bytes;          ///< Owner of the views' bytes.
  };

  /// Locks the directory, creating it if necessary. Errors: Locked, Denied, Io.
  [[nodiscard]] static std::expected<std::unique_ptr<CommandFile>, base::Error> open(
      std::string directory, CommandSafety safety);

  CommandFile(const CommandFile&) = delete;
  CommandFile& operator=(const CommandFile&) = delete;
  /// Flushes appended records to the disk, if the disk accepts them.
  ~CommandFile();

  /// Reads the newest file. Damaged: records are cut short in a way that no crash explains; an
  /// operator must decide, and nothing has been changed. Io, Denied.
  [[nodiscard]] std::expected<std::unique_ptr<Contents>, base::Error> read() const;

  /// Begins a new file with these records, which counts once it is on the disk; then removes the
  /// older ones. On an error the newest stays unchanged.
  [[nodiscard]] std::expected<void, base::Error> begin(std::span<const StoredCommand> records);

  /// Call after begin(). A system call. On an error nothing was appended, and the caller may try
  /// again.
  [[nodiscard]] std::expected<void, base::Error> append(const StoredCommand& record);

  /// CommandSafety::OnFlush: waits for the disk if something was appended. Otherwise does nothing.
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

  // Shared by the flushing thread and append().
  std::mutex mutex_;
  std::condition_variable wanted_;
  bool flush_wanted_ = false;
  bool ending_ = false;
  std::atomic<int> flush_error_{0};
  std::thread flusher_;
};

}  // namespace affix::inline v0::tools::exchange
