// SPDX-License-Identifier: MIT
// A program that runs beside this process, such as a command of the operator's.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::os {

/// A child process in a process group of its own. Its standard input is empty, its standard output
/// and error are this process's standard error, and no signal is blocked or ignored in it that this
/// process blocks or ignores. One thread. The destructor leaves it running.
class ChildProcess {
 public:
  /// How it has ended.
  struct End {
    enum class Kind : std::uint8_t {
      Exit,     ///< `number` is its exit code.
      Signal,   ///< `number` is the signal that ended it.
      Unknown,  ///< Somebody else has asked the system for its end.
    };

    Kind kind = Kind::Unknown;
    int number = 0;

    /// True for exit code 0.
    [[nodiscard]] bool in_order() const noexcept { return kind == Kind::Exit && number == 0; }

    /// A predicate for a report: "has ended in order", "has ended with status 3".
    [[nodiscard]] std::string text() const;
  };

  /// Starts `words[0]`, a path, with the other words as its arguments. System calls that create a
  /// process. Any error is the system's.
  [[nodiscard]] static std::expected<ChildProcess, base::Error> start(
      std::vector<std::string> words);

  [[nodiscard]] std::int64_t id() const noexcept { return id_; }

  /// Its end; nullopt: it runs. One system call. Do not call it again after an end.
  [[nodiscard]] std::optional<End> end() noexcept;

  /// Kills it and everything that it has started in its process group, and waits until it has
  /// ended. Not after an end.
  void kill_and_wait() noexcept;

  /// Kills the same, and leaves its end to end().
  void kill() noexcept;

 private:
  explicit ChildProcess(std::int32_t id) noexcept : id_(id) {}

  std::int32_t id_;
};

}  // namespace affix::inline v0::os
