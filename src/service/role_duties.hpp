// SPDX-License-Identifier: MIT
// Acts beside the engine when this node's part in a failover group changes: runs the
// operator's programs, and tells the service manager.
#pragma once

#include "affix/base/time.hpp"
#include "affix/config/configuration.hpp"
#include "affix/host/failover_notice.hpp"
#include "affix/net/waker.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/service_notice.hpp"

#include "os/child_process.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace affix::inline v0::service {

/// Runs `promote_program` and `demote_program` on a thread of its own, with the group's name and
/// the epoch as arguments: those of one group one after the other in the order of the changes,
/// those of different groups at the same time. One that does not end in time is killed. A process
/// that is no node has no thread. All references outlive it.
class RoleDuties {
 public:
  /// Maximum time of one run of a program.
  static constexpr std::int64_t program_ns_max = 10 * base::ns_per_second;

  RoleDuties(const config::Configuration& configuration, const ServiceNotice& notice, EventLog& log,
             std::int64_t program_ns = program_ns_max);
  RoleDuties(const RoleDuties&) = delete;
  RoleDuties& operator=(const RoleDuties&) = delete;

  /// Waits for the programs that still have to run.
  ~RoleDuties();

  /// A change of role. Any thread; does not wait for a program or a disk.
  void note(const host::FailoverNotice& notice) noexcept;

  /// The engine has ended: this node leads nothing any more, so `demote_program` runs for each
  /// group that it led.
  void step_down() noexcept;

  /// A sentence for the service manager: "running; leads EQ, FX; standby of OPT". Any thread.
  [[nodiscard]] std::string status() const;

 private:
  enum class Part : std::uint8_t { Standby, Leading, Alone };

  /// A run of a program that is due or under way.
  struct Run {
    const char* key;  ///< That names the program.
    std::string program;
    std::uint64_t epoch = 0;
  };

  /// The program of the first run that is due. The thread's own.
  struct Running {
    os::ChildProcess program;
    std::int64_t started_ns = 0;  ///< Steady.
    bool killed = false;
  };

  struct Group {
    const config::FailoverSettings* settings;
    Part part = Part::Standby;
    std::uint64_t epoch = 0;
    std::deque<Run> due{};  ///< The first one runs if `running` has a value.
    std::optional<Running> running{};
  };

  void run();
  void add_run(Group& group, const char* key, const std::string& program);
  [[nodiscard]] bool look_at(Group& group, std::int64_t now_ns);
  void report_end(const Group& group, const Run& run, const os::ChildProcess::End& end,
                  std::int64_t now_ns);
  [[nodiscard]] std::string status_locked() const;
  [[nodiscard]] static std::string name_of(const Group& group, const Run& run);

  const ServiceNotice& notice_;
  EventLog& log_;
  const std::int64_t program_ns_;
  std::string node_;
  net::Waker waker_;
  mutable std::mutex mutex_;  // Guards the groups, but for `running`.
  std::vector<Group> groups_;
  bool status_changed_ = false;
  std::atomic<bool> ending_{false};
  std::thread thread_;  // Last: it starts when all others exist.
};

}  // namespace affix::inline v0::service
