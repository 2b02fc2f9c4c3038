// SPDX-License-Identifier: MIT
// Another program run by this one, whose output is read line by line.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace affix::inline v0::tools {

/// Owns the process: ends it when destroyed. In a process group of its own, so that Ctrl-C in the
/// terminal reaches this program alone, which then ends the other in order.
class ChildProcess {
 public:
  /// Starts `arguments[0]` with its standard output readable here.
  [[nodiscard]] static std::expected<ChildProcess, base::Error> start(
      const std::vector<std::string>& arguments);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// SIGKILL if it still runs.
  ~ChildProcess();

  /// The next line of its output without its end; nothing at the end of the output or after
  /// `timeout_ns`.
  [[nodiscard]] std::optional<std::string> wait_line(std::int64_t timeout_ns);

  /// Asks it to end (SIGTERM) and reads what it still writes, for at most `timeout_ns`. Its exit
  /// status, or nothing if it had to be killed or was ended by a signal.
  [[nodiscard]] std::optional<int> stop(std::int64_t timeout_ns, std::string& output);

 private:
  ChildProcess(pid_t pid, int output) noexcept : pid_(pid), output_(output) {}

  [[nodiscard]] bool read_more(std::int64_t deadline_ns);

  pid_t pid_ = -1;
  int output_ = -1;
  std::string unread_;
};

}  // namespace affix::inline v0::tools
