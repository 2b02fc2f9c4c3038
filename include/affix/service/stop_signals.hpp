// SPDX-License-Identifier: MIT
// Turns SIGINT and SIGTERM into an orderly end.
#pragma once

#include "affix/engine/engine.hpp"

namespace affix::inline v0::tools {

/// During its lifetime SIGINT and SIGTERM ask `engine` to stop; a second one ends the process at
/// once, as by default. One object at a time per process. Ignores SIGPIPE and SIGUSR1, and SIGHUP
/// as configured.
class StopSignals {
 public:
  StopSignals(engine::Engine& engine, bool ignore_sighup) noexcept;

  /// For a program without an engine, which polls requested().
  StopSignals() noexcept;

  ~StopSignals();

  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True after a signal.
  [[nodiscard]] static bool requested() noexcept;
};

}  // namespace affix::inline v0::tools
