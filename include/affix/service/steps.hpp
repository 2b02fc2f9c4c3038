// SPDX-License-Identifier: MIT
// Steps in the life of a Service that concern its program.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/net/address.hpp"

namespace affix::inline v0::service {

/// Each function has a default without effect. Service::run() calls the first two, on its thread;
/// a reload calls the last two, on the thread of reloads or one of the administration port, one at
/// a time, and they may wait: a stop may begin meanwhile, and run() then returns after them.
class Steps {
 public:
  virtual ~Steps() = default;

  /// The engine is open, and no callback was called yet: take its sessions, start threads. Signals
  /// are blocked in this thread, and so in threads that it starts.
  virtual void on_open(engine::Engine& /*engine*/) {}

  /// Everything is open, and the engine runs next. `administration` is null without a port; the
  /// address has the port that the kernel chose.
  virtual void on_ready(const engine::Engine& /*engine*/, const net::Address* /*administration*/) {}

  /// Returns differences that need a restart, in groups and keys that belong to the program and not
  /// to the engine; if there are some, the reload is refused and nothing changes.
  [[nodiscard]] virtual config::Problems check_reload(const config::Configuration& /*running*/,
                                                      const config::Configuration& /*wanted*/) {
    return {};
  }

  /// The engine has accepted `wanted`: switch to it.
  virtual void on_reload(const config::Configuration& /*wanted*/) {}

 protected:
  Steps() = default;
  Steps(const Steps&) = default;
  Steps& operator=(const Steps&) = default;
};

}  // namespace affix::inline v0::service
