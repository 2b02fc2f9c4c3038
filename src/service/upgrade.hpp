// SPDX-License-Identifier: MIT
// Hands a running service over to another process, which goes on with its connections: a new
// version of the program, or one that was started for it.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/service_notice.hpp"

#include "service/other_process.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <expected>
#include <mutex>
#include <string>
#include <sys/types.h>

namespace affix::inline v0::service {

/// The order of a hand-over: upgrade() starts the successor, which loads its configuration and
/// waits in line at the keeper; it says so by a signal, take() asks the engine to leave, and when
/// that is gone the keeper gives everything to the successor. end() waits until that answers, and
/// makes this process go on itself if it does not. A process that was started by somebody else with
/// --take-over begins at take(). One that upgrade() started and that is not in line within
/// upgrade_timeout_seconds is ended; one that is and does not serve within 10 s, too.
class Upgrade final : public Upgrader {
 public:
  /// References outlive it.
  Upgrade(const config::EngineSettings& settings, engine::Engine& engine,
          const ServiceNotice& notice, EventLog& log)
      : settings_(settings), engine_(&engine), notice_(notice), log_(log) {}

  /// Starts `program`, or if it is empty the program that this process was started from, with this
  /// process's arguments. Under SYSTEMD leaves at once: the service manager starts it. Any thread.
  /// Unsupported: there is no keeper. AlreadyExists: one is under way. Others: the system's.
  [[nodiscard]] std::expected<void, base::Error> upgrade(const std::string& program) override;

  /// Takes a SIGUSR2: a word of a successor, or, from anybody else, upgrade(). On the thread of
  /// signals.
  void take(const siginfo_t& signal);

  /// Ends a successor that is late, and reports one that has ended before it waited in line. About
  /// once a second, on the thread of signals.
  void tend();

  /// The engine was asked to leave.
  [[nodiscard]] bool leaving() const noexcept { return leaving_.load(std::memory_order_acquire); }

  /// Call when the engine is gone. Returns when the successor serves, or will be started by the
  /// service manager; else this process becomes its own successor, and this does not return.
  void end() noexcept;

 private:
  /// How far the program is that upgrade() has started.
  enum class Child : std::uint8_t {
    None,      ///< There is none, or it has ended.
    Begins,    ///< It has yet to stand in line.
    WasEnded,  ///< It took too long and was sent SIGKILL: it does not take over any more.
  };

  [[nodiscard]] bool child_has_ended() noexcept;
  void leave(pid_t successor);
  [[nodiscard]] pid_t await_answer() noexcept;
  [[noreturn]] void begin_again() noexcept;

  const config::EngineSettings& settings_;
  engine::Engine* engine_;  // Not used once it was asked to leave.
  const ServiceNotice& notice_;
  EventLog& log_;
  std::mutex mutex_;  // upgrade() may be called by the administration port and by a signal.
  Child child_state_ = Child::None;
  OtherProcess child_;
  std::int64_t child_due_ns_ = 0;  // Steady time until which it may begin.
  OtherProcess successor_;
  std::atomic<bool> leaving_{false};
};

}  // namespace affix::inline v0::service
