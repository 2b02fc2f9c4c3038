// SPDX-License-Identifier: MIT
// Destinations of a log's records: a file that rotates, standard error, syslog or systemd's
// journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/service/log_record.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::service {

/// For one thread, the log's own; every function may make system calls and wait for the disk.
class LogSink {
 public:
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;
  virtual ~LogSink() = default;

  /// False: the record could neither be written nor kept, and is lost.
  [[nodiscard]] virtual bool write(const LogRecord& record) = 0;

  /// Passes written records to the system, so that a crash of the process loses none of them. On an
  /// error they are kept, up to waiting_bytes_max, and written completely and in order by a later
  /// call that succeeds.
  [[nodiscard]] virtual std::expected<void, base::Error> flush() = 0;

  /// Number of lines that flush() has not passed to the system yet.
  [[nodiscard]] virtual std::uint64_t waiting() const noexcept = 0;

  /// Continues at the destination that its name refers to now. On an error it continues as before.
  [[nodiscard]] virtual std::expected<void, base::Error> reopen() = 0;

  /// The destination in words: a path, or "standard error", "syslog", "journald".
  [[nodiscard]] virtual std::string place() const = 0;

  /// Maximum bytes of lines kept while a destination fails.
  static constexpr std::size_t waiting_bytes_max = std::size_t{1} << 20;

 protected:
  LogSink() = default;
};

/// Condition under which a line counts as written.
enum class LogDurability : std::uint8_t {
  System,  ///< The system has it: it survives this process.
  Disk,    ///< The disk has it: it survives the machine, and each flush() waits for the disk.
};

/// Settings of a log's file.
struct LogFile {
  std::string path;             ///< Created if it does not exist.
  std::uint64_t bytes_max = 0;  ///< A file of this size is renamed and a new one begun; 0: never.
  std::uint32_t kept =
      5;  ///< Number of renamed files: path.1, the newest, to `path.N` with N = kept.
  LogDurability durability = LogDurability::System;  ///< When a line counts as written.
};

/// A destination, or why it cannot be used.
using SinkOrError = std::expected<std::unique_ptr<LogSink>, base::Error>;

/// Appends to a file, creating it if necessary. If the file ends within a line, as after a full
/// disk, ends that line first.
[[nodiscard]] SinkOrError open_log_file(const LogFile& file, LogForm form);

/// Writes to standard error.
[[nodiscard]] std::unique_ptr<LogSink> log_to_standard_error(LogForm form);

/// Sends datagrams to the local syslog daemon (RFC 3164 as /dev/log expects it, facility "daemon",
/// this process as `program`). Io: no daemon listens at `socket_path`. Reconnects after the
/// daemon's restart.
[[nodiscard]] SinkOrError open_syslog(const std::string& program,
                                      const std::string& socket_path = "/dev/log");

/// Sends datagrams to systemd's journal in its native format: MESSAGE, PRIORITY, SYSLOG_IDENTIFIER,
/// and FIX_SESSION for records about a session. Otherwise like open_syslog().
[[nodiscard]] SinkOrError open_journald(
    const std::string& program, const std::string& socket_path = "/run/systemd/journal/socket");

}  // namespace affix::inline v0::service
