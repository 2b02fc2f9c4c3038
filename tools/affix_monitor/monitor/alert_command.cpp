// SPDX-License-Identifier: MIT
// A queue and a child process.
#include "monitor/alert_command.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "process/child_process.hpp"

#include <cstdio>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::int64_t program_patience_ns = 10 * base::ns_per_second;

void run_program(const std::string& program, const std::string& engine, const Alert& alert) {
  auto child = ChildProcess::start({program, alert.cleared_ns == 0 ? "raised" : "cleared",
                                    to_text(alert.kind), severity_of(alert.kind), alert.session,
                                    alert.text, engine});
  if (!child) {
    std::fprintf(stderr, "affix-monitor: %s\n", child.error().text().c_str());
    return;
  }
  const std::int64_t deadline_ns = os::now().steady_ns + program_patience_ns;
  while (child->wait_line(deadline_ns - os::now().steady_ns) && os::now().steady_ns < deadline_ns) {
  }
  if (os::now().steady_ns >= deadline_ns) {
    std::fprintf(stderr, "affix-monitor: %s took too long and was ended [M132]\n", program.c_str());
  }
  child->stop(base::ns_per_second);
}

}  // namespace

AlertCommand::AlertCommand(std::string program) : program_(std::move(program)) {
  if (!program_.empty()) {
    thread_ = std::thread([this] { run(); });
  }
}

AlertCommand::~AlertCommand() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void AlertCommand::report(const std::string& engine, const std::vector<Alert>& alerts) {
  if (program_.empty() || alerts.empty()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    for (const Alert& alert : alerts) {
      waiting_.emplace_back(engine, alert);
    }
    while (waiting_.size() > waiting_max) {
      waiting_.pop_front();
    }
  }
  changed_.notify_all();
}

void AlertCommand::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) {
      return;
    }
    const auto [engine, alert] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    run_program(program_, engine, alert);
    lock.lock();
  }
}

}  // namespace affix::inline v0::tools::monitor
