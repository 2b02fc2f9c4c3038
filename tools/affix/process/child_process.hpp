// SPDX-License-Identifier: MIT
// Runs another program and reads its output line by line.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace affix::inline v0::tools {

/// Owns the process and ends it in the destructor. The process has its own process group, so that
/// Ctrl-C in the terminal reaches only this program, which then ends the other in order.
class ChildProcess {
 public:
  /// Starts `arguments[0]` with its standard output readable here.
  [[nodiscard]] static std::expected<ChildProcess, base::Error> start(
      const std::vector<std::string>& arguments);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Sends SIGKILL if it still runs.
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

  /// Whether it has ended, of itself or by a signal.
  [[nodiscard]] bool has_ended() const noexcept;

  /// The next line of its output without the line end; nullopt at the end of the output or after
  /// `timeout_ns`.
  [[nodiscard]] std::optional<std::string> wait_line(std::int64_t timeout_ns);

  struct End {
    std::optional<int> status;  ///< Nullopt: it had to be killed, or a signal ended it.
    std::string output;         ///< What was not read before.
  };

  /// Sends SIGTERM and reads the remaining output for at most `timeout_ns`.
  End stop(std::int64_t timeout_ns);

  /// Sends a signal, if it has not ended. Does not wait.
  void send(int signal) noexcept;

 private:
  ChildProcess(pid_t pid, int output) noexcept : pid_(pid), output_(output) {}

  [[nodiscard]] bool read_more(std::int64_t deadline_ns);

  pid_t pid_ = -1;
  int output_ = -1;
  std::string unread_;
};

}  // namespace affix::inline v0::tools
