// SPDX-License-Identifier: MIT
// Turns SIGINT and SIGTERM into an orderly end, for a program that is no Service.
#pragma once

#include "affix/engine/engine.hpp"

#include <cstdint>

namespace affix::inline v0::service {

/// Effect of SIGHUP on a program that does not reload.
enum class Hangup : std::uint8_t {
  Stop,
  Ignore,  ///< Key ignore_sighup.
};

/// During its lifetime SIGINT and SIGTERM ask `engine` to stop; a second one ends the process at
/// once, as by default. One object at a time per process, which changes the whole process's signal
/// handlers; the destructor sets them to the default. Ignores SIGPIPE and SIGUSR1.
class StopSignals {
 public:
  /// `engine` outlives it.
  StopSignals(engine::Engine& engine, Hangup hangup) noexcept;

  /// For a program without an engine, which polls requested(). SIGHUP stops it too.
  StopSignals() noexcept;

  ~StopSignals();

  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True after a signal. Any thread.
  [[nodiscard]] static bool requested() noexcept;
};

}  // namespace affix::inline v0::service
