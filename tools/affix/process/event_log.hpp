// SPDX-License-Identifier: MIT
// The program's log: what sessions and the engine report, one line each. For session life, not for
// messages; those are in the journals.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"

#include "process/log_sink.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

/// Lines are handed to a thread of the log's own, which writes them: whoever logs waits for no
/// disk. They are written within 20 ms, errors at once; the destructor writes all that is left.
/// Between them a crash of the process can lose lines that young, never an older one. Lines that
/// repeat themselves too often are counted (RepeatedLines). A place that takes no more is told to
/// standard error once, and to the log itself when it can be written again.
class EventLog {
 public:
  using Severity = engine::Event::Severity;

  /// Where `settings` say: log_destination, log_file (empty: standard error), log_format,
  /// log_level, audit_file. Starts the thread, which takes no signals.
  [[nodiscard]] static std::expected<EventLog, base::Error> open(
      const engine::EngineSettings& settings);

  /// The same with a sink of one's own.
  /// `audit` null: the audit trail is in the log.
  [[nodiscard]] static std::expected<EventLog, base::Error> make(
      std::unique_ptr<LogSink> sink, Severity least, std::unique_ptr<LogSink> audit = nullptr);

  EventLog(EventLog&&) noexcept;
  EventLog& operator=(EventLog&&) noexcept;
  ~EventLog();

  /// Any thread. Copies the line; one below the level costs a comparison. Never waits, makes no
  /// system call but for an error's line, allocates for one of more than LogQueue::short_bytes.
  /// When more comes than can be written the line is dropped, counted, and the log says so later.
  void write(Severity severity, std::string_view session, std::string_view text) noexcept;

  /// The same with the time that the event brings along, that of its turn: no clock is read, which
  /// would cost more than all else. So lines of one turn have one time, and a line of another
  /// thread may stand between them with a later one.
  void write(const engine::Event& event) noexcept;

  /// One line of the audit trail, which is with the system when this returns: whatever the queue
  /// holds, it takes no room there. Into the file that `audit_file` names, which is on the disk
  /// then, and into the log as well; without one into the log. An error says why it is not there
  /// yet: it is kept, as far as room goes, and comes with a later line. Any thread but a worker's:
  /// waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> audit(Severity severity, std::string_view session,
                                                       std::string_view text);

  /// Lines below `least` are left out from now on. Any thread.
  void set_level(Severity least) noexcept;
  [[nodiscard]] Severity level() const noexcept;

  /// Returns when all that this thread has written is with the system. Waits for the disk.
  void flush();

  /// Goes on in the file that its path leads to now, for when the old one was moved away; what was
  /// written before is in the old one. On an error it goes on as it was. Waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> reopen();

  /// Goes on where `settings` say, with their level, as if it had been opened with them. On an
  /// error it goes on as it was. Waits for the disk.
  [[nodiscard]] std::expected<void, base::Error> change(const engine::EngineSettings& settings);

  /// Lines lost so far: for want of room on the way, or because the place would not take them for
  /// too long. The log says so, with their number, as soon as it can be written.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

  /// Lines that the place does not take for the time being, and that are kept for it.
  [[nodiscard]] std::uint64_t waiting() const;

  /// Where the lines go: a path, or "standard error", "syslog", "journald".
  [[nodiscard]] std::string place() const;

 private:
  class Writer;

  explicit EventLog(std::unique_ptr<Writer> writer) noexcept;

  std::unique_ptr<Writer> writer_;
};

}  // namespace affix::inline v0::tools
