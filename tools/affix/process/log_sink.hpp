// SPDX-License-Identifier: MIT
// Where a log's records go: a file that rotates, standard error, syslog or systemd's journal.
#pragma once

#include "affix/base/error.hpp"

#include "process/log_lines.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace affix::inline v0::tools {

/// One thread, the log's own; every function may make system calls and wait for the disk.
class LogSink {
 public:
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;
  virtual ~LogSink() = default;

  /// False: it could not be written nor kept, and is lost.
  [[nodiscard]] virtual bool write(const LogRecord& record) = 0;

  /// What was written goes to the system, so that a crash of the process loses none of it. On an
  /// error it is kept, as far as waiting_bytes_max goes, and comes whole and in order with a later
  /// call that succeeds.
  [[nodiscard]] virtual std::expected<void, base::Error> flush() = 0;

  /// Lines that flush() has not brought to the system yet.
  [[nodiscard]] virtual std::uint64_t waiting() const noexcept = 0;

  /// Goes on at the place its name leads to now. On an error it goes on as it was.
  [[nodiscard]] virtual std::expected<void, base::Error> reopen() = 0;

  /// The place in words: a path, or "standard error", "syslog", "journald".
  [[nodiscard]] virtual std::string place() const = 0;

  /// Of lines that a place does not take for the time being.
  static constexpr std::size_t waiting_bytes_max = std::size_t{1} << 20;

 protected:
  LogSink() = default;
};

/// When a line counts as written.
enum class LogDurability : std::uint8_t {
  System,  ///< The system has it: it survives this process.
  Disk,    ///< The disk has it: it survives the machine, and each flush() waits for the disk.
};

/// How a log's file is kept.
struct LogFile {
  std::string path;
  std::uint64_t bytes_max =
      0;                   ///< A file of this size is moved away and a new one begun; 0: never.
  std::uint32_t kept = 5;  ///< Files moved away: path.1, the newest, to path.<kept>.
  LogDurability durability = LogDurability::System;
};

using SinkOrError = std::expected<std::unique_ptr<LogSink>, base::Error>;

/// Appends to a file, which is made if it is not there. Where it ends within a line, as one does
/// whose writer was ended on a full disk, that line is ended first.
[[nodiscard]] SinkOrError open_log_file(const LogFile& file, LogForm form);

[[nodiscard]] std::unique_ptr<LogSink> log_to_standard_error(LogForm form);

/// Datagrams to the local syslog daemon (RFC 3164 as /dev/log wants it, facility "daemon", this
/// process as `program`). Io: nobody listens at `socket_path`. A daemon that restarts is found
/// again.
[[nodiscard]] SinkOrError open_syslog(const std::string& program,
                                      const std::string& socket_path = "/dev/log");

/// Datagrams to systemd's journal in its native form: MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, and
/// FIX_SESSION for a session's matter. As open_syslog() otherwise.
[[nodiscard]] SinkOrError open_journald(
    const std::string& program, const std::string& socket_path = "/run/systemd/journal/socket");

}  // namespace affix::inline v0::tools
