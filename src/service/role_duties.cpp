// SPDX-License-Identifier: MIT
// The thread that runs the programs of changes of role.
#include "service/role_duties.hpp"

#include "affix/os/clock.hpp"
#include "affix/os/thread_precedence.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace affix::inline v0::service {

namespace {

using Severity = host::Event::Severity;

/// Pause between two looks whether a program has ended.
constexpr std::int64_t look_ns = 5 * base::ns_per_ms;

/// Maximum sleep while no program runs.
constexpr std::int64_t longest_sleep_ns = 10 * base::ns_per_second;

}  // namespace

RoleDuties::RoleDuties(const config::Configuration& configuration, const ServiceNotice& notice,
                       EventLog& log, std::int64_t program_ns)
    : notice_(notice), log_(log), program_ns_(program_ns), node_(configuration.engine.node) {
  if (node_.empty()) {
    return;
  }
  for (const config::FailoverSettings& group : configuration.failovers) {
    const auto nodes = config::replication_nodes_of(group);
    if (std::ranges::find(nodes, node_) != nodes.end()) {
      groups_.push_back({.settings = &group});
    }
  }
  if (const auto opened = waker_.open(); !opened) {
    log_.write(Severity::Error, {}, "programs of changes of role: " + opened.error().text(),
               "R302");
    return;
  }
  thread_ = std::thread([this] { run(); });
}

RoleDuties::~RoleDuties() {
  if (thread_.joinable()) {
    ending_.store(true, std::memory_order_release);
    waker_.wake();
    thread_.join();
  }
}

void RoleDuties::note(const host::FailoverNotice& notice) noexcept {
  using Kind = host::FailoverNotice::Kind;
  {
    const std::lock_guard guard(mutex_);
    const auto group = std::ranges::find_if(
        groups_, [&](const Group& one) { return one.settings->name == notice.group; });
    if (group == groups_.end()) {
      return;
    }
    if (notice.kind == Kind::Leading) {
      group->part = Part::Leading;
      group->epoch = notice.epoch;
      add_run(*group, "promote_program", group->settings->promote_program);
    } else if (notice.kind == Kind::SteppedDown) {
      group->part = Part::Standby;
      group->epoch = notice.epoch;
      add_run(*group, "demote_program", group->settings->demote_program);
    } else if (group->part != Part::Standby) {
      group->part = notice.kind == Kind::Alone ? Part::Alone : Part::Leading;
    }
    status_changed_ = true;
  }
  waker_.wake();
}

void RoleDuties::step_down() noexcept {
  {
    const std::lock_guard guard(mutex_);
    for (Group& group : groups_) {
      if (std::exchange(group.part, Part::Standby) != Part::Standby) {
        add_run(group, "demote_program", group.settings->demote_program);
      }
    }
  }
  waker_.wake();
}

void RoleDuties::add_run(Group& group, const char* key, const std::string& program) {
  if (!program.empty()) {
    group.due.push_back({.key = key, .program = program, .epoch = group.epoch});
  }
}

std::string RoleDuties::status() const {
  const std::lock_guard guard(mutex_);
  return status_locked();
}

std::string RoleDuties::status_locked() const {
  std::string leads;
  std::string follows;
  for (const Group& group : groups_) {
    std::string& list = group.part == Part::Standby ? follows : leads;
    list += (list.empty() ? "" : ", ") + group.settings->name +
            (group.part == Part::Alone ? " (alone)" : "");
  }
  return "running" + (leads.empty() ? "" : "; leads " + leads) +
         (follows.empty() ? "" : "; standby of " + follows);
}

void RoleDuties::run() {
  os::name_this_thread("affix-roles");
  for (;;) {
    // Before the look: what came until then is done before the end.
    const bool ending = ending_.load(std::memory_order_acquire);
    bool status_changed = false;
    std::string status;
    {
      const std::lock_guard guard(mutex_);
      status_changed = std::exchange(status_changed_, false);
      status = status_changed ? status_locked() : std::string();
    }
    if (status_changed) {
      notice_.status(status);
    }
    bool busy = false;
    const std::int64_t now_ns = os::now().steady_ns;
    for (Group& group : groups_) {
      busy = look_at(group, now_ns) || busy;
    }
    if (ending && !busy) {
      return;
    }
    waker_.block(busy ? look_ns : longest_sleep_ns);
  }
}

/// True: a program of the group runs, or is due.
bool RoleDuties::look_at(Group& group, std::int64_t now_ns) {
  Run run;
  {
    const std::lock_guard guard(mutex_);
    if (group.due.empty()) {
      return false;
    }
    run = group.due.front();
  }
  if (!group.running) {
    auto started =
        os::ChildProcess::start({run.program, group.settings->name, std::to_string(run.epoch)});
    if (started) {
      log_.write(Severity::Info, {},
                 name_of(group, run) + " is started as process " + std::to_string(started->id()),
                 "R301");
      group.running.emplace(*started, now_ns);
      return true;
    }
    log_.write(Severity::Error, {},
               name_of(group, run) + " cannot be started: " + started.error().text(), "R302");
  } else if (const auto end = group.running->program.end()) {
    report_end(group, run, *end, now_ns);
    group.running.reset();
  } else {
    Running& running = *group.running;
    if (now_ns - running.started_ns >= program_ns_ && !std::exchange(running.killed, true)) {
      running.program.kill();
    }
    return true;
  }
  const std::lock_guard guard(mutex_);
  group.due.pop_front();
  return !group.due.empty();
}

void RoleDuties::report_end(const Group& group, const Run& run, const os::ChildProcess::End& end,
                            std::int64_t now_ns) {
  const std::string after =
      " after " + std::to_string((now_ns - group.running->started_ns) / base::ns_per_ms) + " ms";
  if (group.running->killed) {
    log_.write(Severity::Error, {},
               name_of(group, run) + " did not end in time and was killed" + after, "R302");
    return;
  }
  const bool in_order = end.in_order();
  log_.write(in_order ? Severity::Info : Severity::Error, {},
             name_of(group, run) + " " + end.text() + after,
             in_order ? base::MessageCode("R301") : base::MessageCode("R302"));
}

std::string RoleDuties::name_of(const Group& group, const Run& run) {
  return "failover group " + group.settings->name + ": " + run.key + " " + run.program +
         " (epoch " + std::to_string(run.epoch) + ")";
}

}  // namespace affix::inline v0::service
