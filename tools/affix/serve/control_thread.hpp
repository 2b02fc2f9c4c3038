// SPDX-License-Identifier: MIT
// The thread beside the engine: takes the process's signals, and tells the service manager that the
// workers are alive.
#pragma once

#include "affix/engine/engine.hpp"

#include "process/event_log.hpp"
#include "process/service_notice.hpp"
#include "serve/reload.hpp"
#include "serve/supervised_application.hpp"

#include <atomic>
#include <csignal>
#include <thread>

namespace affix::inline v0::tools::serve {

/// The signals that are taken, blocked in this thread and those it starts; the constructor's place
/// is before any other thread. The old mask comes back with the end.
class BlockedSignals {
 public:
  BlockedSignals() noexcept;
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals();

  [[nodiscard]] const sigset_t& taken() const noexcept { return taken_; }

 private:
  sigset_t taken_{};
  sigset_t before_{};
};

/// From the constructor to the end of its life: the first SIGTERM or SIGINT asks the engine to
/// stop, the second ends the process as if nobody had listened; SIGHUP reloads, unless the
/// configuration does not want it; SIGUSR1 has the log opened anew and changes nothing else. While
/// all workers come by, the service manager hears WATCHDOG=1 twice in the time it waits; of one
/// that is stuck it hears no more, and restarts the process. Everything it has references to
/// outlives it.
class ControlThread {
 public:
  ControlThread(const BlockedSignals& signals, engine::Engine& engine, WorkerPulse& pulse,
                Reload& reload, EventLog& log, const ServiceNotice& notice);
  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;
  ~ControlThread();

 private:
  void run();
  void take(int signal);
  void stop(int signal);
  void reload();
  void reopen_log();
  void watch();

  const BlockedSignals& signals_;
  engine::Engine& engine_;
  WorkerPulse& pulse_;
  Reload& reload_;
  EventLog& log_;
  const ServiceNotice& notice_;
  bool stopping_ = false;
  std::int64_t next_watch_ns_ = 0;
  std::atomic<bool> done_{false};
  std::thread thread_;  // Last: it starts when all else is there.
};

}  // namespace affix::inline v0::tools::serve
