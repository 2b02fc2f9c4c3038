// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM as a wish to end in order.
#pragma once

#include "affix/engine/engine.hpp"

namespace affix::inline v0::tools {

/// While it lives, SIGINT and SIGTERM ask `engine` to stop; a second one ends the process at once,
/// as if nobody had listened. One at a time per process. SIGPIPE and SIGUSR1 are
/// ignored, SIGHUP as configured.
class StopSignals {
 public:
  StopSignals(engine::Engine& engine, bool ignore_sighup) noexcept;

  /// For a program without an engine, which looks at requested().
  StopSignals() noexcept;

  ~StopSignals();

  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// A signal has come.
  [[nodiscard]] static bool requested() noexcept;
};

}  // namespace affix::inline v0::tools
