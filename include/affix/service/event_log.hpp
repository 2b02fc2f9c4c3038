// SPDX-License-Identifier: MIT
// The program's log: reports of sessions and the engine, one line each. For session events, not for
// messages; those are in the journals.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/service/log_sink.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::service {

/// A thread of the log writes the lines, so that threads that log never wait for a disk: within 20
/// ms, errors at once; the destructor writes the rest. A crash of the process can lose only lines
/// not written yet. Of lines that differ only in digits, 256 are written in one second; the others
/// are counted. If a destination fails, this is reported once to standard error, and to the log
/// itself when writing works again.
class EventLog {
 public:
  /// Level of a line.
  using Severity = host::Event::Severity;

  /// Uses the destination in `settings`: log_destination, log_file (empty: standard error),
  /// log_format, log_level, audit_file. Starts the thread, which takes no signals. `program` is the
  /// name for syslog, journald and messages about a log that fails. Io, NotFound, Denied: a file or
  /// a daemon's socket cannot be opened.
  [[nodiscard]] static std::expected<EventLog, base::Error> open(
      const config::EngineSettings& settings, const std::string& program = "affix");

  /// Does the same with a given sink. `audit` null: the audit trail goes to the log.
  [[nodiscard]] static std::expected<EventLog, base::Error> make(
      std::unique_ptr<LogSink> sink, Severity least, std::unique_ptr<LogSink> audit = nullptr,
      std::string_view program = "affix");

  EventLog(EventLog&&) noexcept;
  EventLog& operator=(EventLog&&) noexcept;
  ~EventLog();

  /// Any thread. Copies the line; a line below the level costs a comparison. Never waits, makes a
  /// system call only for an error's line, allocates for a line of more than 440 bytes.
  /// If the queue is full the line is dropped and counted, and the log reports it later.
  /// `code` is the line's for `affix explain`; a line may have none.
  void write(Severity severity, std::string_view session, std::string_view text,
             base::MessageCode code = {}) noexcept;

  /// Does the same with the event's time, that of its turn: reads no clock, which would cost more
  /// than everything else. So lines of one turn have the same time, and a line of another thread
  /// with a later time may stand between them.
  void write(const host::Event& event) noexcept;

  /// Writes a line of the audit trail and returns when the system has it, whatever the queue
  /// contains; it takes no place in the queue. It goes to the file of `audit_file`, flushed to the
  /// disk, and also to the log; without that file only to the log. An error: it could not be
  /// written yet; it is kept, within limits, and written with a later line. Any thread except a
  /// worker's: waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> audit(Severity severity, std::string_view session,
                                                       std::string_view text,
                                                       base::MessageCode code = {});

  /// Omits lines below `least` from now on. Any thread.
  void set_level(Severity least) noexcept;
  /// The level below which lines are omitted.
  [[nodiscard]] Severity level() const noexcept;

  /// Returns when the system has all lines that this thread has written. Waits for the disk.
  void flush();

  /// Position after the lines that this thread has written, for has_passed_on(). Any thread.
  [[nodiscard]] std::uint64_t position() const noexcept;

  /// True if the system has all lines before `position`, so that a crash of the process loses none
  /// of them; lines that the log had no room for are counted in a line of their own instead. False
  /// while the destination fails. Any thread; never waits.
  [[nodiscard]] bool has_passed_on(std::uint64_t position) const noexcept;

  /// Continues in the file that its path names now, after the old one was moved away; earlier lines
  /// are in the old one. On an error it continues as before. Waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> reopen();

  /// Changes to the destination and level in `settings`, as if opened with them. On an error it
  /// continues as before. Waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> change(const config::EngineSettings& settings);

  /// Number of lines lost so far, because the queue was full or the destination failed for too
  /// long. The log reports their number as soon as it can be written.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

  /// Number of lines kept for a destination that fails at present.
  [[nodiscard]] std::uint64_t waiting() const;

  /// The destination: a path, or "standard error", "syslog", "journald".
  [[nodiscard]] std::string place() const;

 private:
  class Writer;

  explicit EventLog(std::unique_ptr<Writer> writer) noexcept;

  std::unique_ptr<Writer> writer_;
};

}  // namespace affix::inline v0::service
