// SPDX-License-Identifier: MIT
// The program's log: what sessions and the engine report, one line each, to a file or standard
// error. For session life, not for messages; those are in the journals.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"

#include <cstdio>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

class EventLog {
 public:
  using Severity = engine::Event::Severity;

  /// Lines below `settings.log_level` are left out. An empty log_file writes to standard error.
  [[nodiscard]] static std::expected<EventLog, base::Error> open(
      const engine::EngineSettings& settings);

  /// "2026-01-31 12:00:00.123456 INFO  SESSION text". Flushed at once, so that a crash loses no
  /// line.
  void write(Severity severity, std::string_view session, std::string_view text);

  /// Goes on in the file that its path leads to now, for when the old one was moved away. Lines
  /// written meanwhile by other threads are in one of the two. On an error it goes on as it was.
  [[nodiscard]] std::expected<void, base::Error> reopen();

  /// The level and, as reopen() does, the file of `settings`, which must not be standard error
  /// where this is a file, nor the other way round. One thread; others may write.
  [[nodiscard]] std::expected<void, base::Error> change(const engine::EngineSettings& settings);

  /// The words of log_level. Any thread.
  void set_level(std::string_view level) noexcept;
  [[nodiscard]] std::string_view level() const noexcept;

  /// Where the lines go: a path, or "standard error". Any thread.
  [[nodiscard]] std::string place() const {
    const std::lock_guard guard(*place_mutex_);
    return place_;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept {
      if (file != stderr) {
        std::fclose(file);
      }
    }
  };

  EventLog(std::FILE* file, Severity least, std::string place)
      : file_(file), least_(least), place_(std::move(place)) {}

  [[nodiscard]] bool is_file() const noexcept { return file_.get() != stderr; }

  std::unique_ptr<std::FILE, Close> file_;
  mutable Severity least_;  // Read and written as an atomic.
  std::string place_;
  std::unique_ptr<std::mutex> place_mutex_ = std::make_unique<std::mutex>();  // Of place_.
};

}  // namespace affix::inline v0::tools
