// SPDX-License-Identifier: MIT
// Two threads beside the engine: one handles the process's signals and reports to the service
// manager that the workers are alive, the other carries out what waits for the disk.
#pragma once

#include "affix/base/enum_set.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/service_notice.hpp"

#include "service/other_process.hpp"
#include "service/reload.hpp"
#include "service/role_duties.hpp"
#include "service/supervised_application.hpp"
#include "service/upgrade.hpp"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <thread>

namespace affix::inline v0::service {

/// Blocks the handled signals in this thread and those it starts; construct it before any other
/// thread. The destructor restores the old mask; a SIGHUP, SIGUSR1 or SIGUSR2 that is pending then
/// has no effect.
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

/// During its lifetime: the first SIGTERM or SIGINT asks the engine to stop, the second ends the
/// process as by default; SIGHUP reloads, unless the configuration excludes it; SIGUSR1 reopens the
/// log and has no other effect. While all workers respond, sends WATCHDOG=1 to the service manager
/// twice per period; when one is stuck it sends no more, and the manager restarts the process.
/// Reloads and reopenings run on a thread of their own, so that a slow disk or a stuck log delays
/// neither a stop nor the watchdog; those that are requested meanwhile become one each. A stop does
/// not interrupt a reload, but the destructor waits for its end. SIGUSR2 is for the upgrade; when
/// all workers have begun, `predecessor`, the process that handed over, if any, is notified. All
/// referenced objects outlive it.
class ControlThread {
 public:
  ControlThread(const BlockedSignals& signals, engine::Engine& engine, WorkerPulse& pulse,
                Reload& reload, Upgrade& upgrade, const RoleDuties& roles, EventLog& log,
                const ServiceNotice& notice, OtherProcess predecessor);
  ControlThread(const ControlThread&) = delete;
  ControlThread& operator=(const ControlThread&) = delete;
  ~ControlThread();

 private:
  void run();
  void take(const siginfo_t& signal);
  void answer_predecessor();
  void stop(int signal);
  void watch();

  void serve_disk();
  void reload();
  void reopen_log();

  /// Tasks that signals give to the disk's thread.
  enum class DiskTask : std::uint8_t { Reload, ReopenLog };
  using DiskTasks = base::EnumSet<DiskTask>;

  const BlockedSignals& signals_;
  engine::Engine& engine_;
  WorkerPulse& pulse_;
  Reload& reload_;
  Upgrade& upgrade_;
  const RoleDuties& roles_;
  EventLog& log_;
  const ServiceNotice& notice_;
  OtherProcess predecessor_;  // None, also once it knows that we serve.
  std::int64_t next_watch_ns_ = 0;
  std::atomic<bool> done_{false};
  // Guards the flags below, and the order of notices; nobody waits for a disk under it. Only the
  // thread of signals writes stopping_, and so reads it without the lock.
  std::mutex mutex_;
  std::condition_variable requested_;
  DiskTasks tasks_;
  bool stopping_ = false;
  bool ending_ = false;
  // Last members: they start when all others exist.
  std::thread disk_thread_;
  std::thread thread_;
};

}  // namespace affix::inline v0::service
