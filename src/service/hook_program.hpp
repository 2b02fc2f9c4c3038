// SPDX-License-Identifier: MIT
// A program of the operator's that runs beside this process for a bounded time, such as one that
// moves a virtual address.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace affix::inline v0::service {

/// A child process in a process group of its own. Its standard input is empty, and its standard
/// output and error are this process's standard error. One thread.
class HookProgram {
 public:
  /// Starts `words[0]`, a path, with the other words as its arguments. Any error is the system's.
  [[nodiscard]] static std::expected<HookProgram, base::Error> start(std::vector<std::string> words,
                                                                     std::int64_t now_ns);

  [[nodiscard]] pid_t process() const noexcept { return process_; }

  /// Steady time at which it was started.
  [[nodiscard]] std::int64_t started_ns() const noexcept { return started_ns_; }

  /// Whether it has ended, and how, as a predicate for a report: "has ended in order", "has ended
  /// with status 3"; nullopt: it runs. Do not call it again after an end.
  struct End {
    bool in_order = false;
    std::string text;
  };

  [[nodiscard]] std::optional<End> end() noexcept;

  /// Kills it and everything that it has started in its process group.
  void kill() noexcept;

 private:
  HookProgram(pid_t process, std::int64_t started_ns) noexcept
      : process_(process), started_ns_(started_ns) {}

  pid_t process_;
  std::int64_t started_ns_;
};

}  // namespace affix::inline v0::service
