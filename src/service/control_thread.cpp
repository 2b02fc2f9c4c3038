// SPDX-License-Identifier: MIT
// Waits for signals in a loop: a thread, unlike a handler, may log and take a lock.
#include "service/control_thread.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/thread_precedence.hpp"

#include "os/awaited_signal.hpp"
#include "service/hand_over_signal.hpp"

#include <algorithm>
#include <ctime>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::service {

namespace {

using Severity = host::Event::Severity;

/// Maximum delay before the engine's end is noticed if its own signal is missed.
constexpr std::int64_t longest_wait_ns = base::ns_per_second;

/// Ends this thread's wait if the process sends it to this thread.
constexpr int own_signal = SIGUSR2;

/// Pause between two looks whether all workers have begun, while another process waits for that.
constexpr std::int64_t answer_wait_ns = 2 * base::ns_per_ms;

/// Maximum delay of an end at once, for the log's last line.
constexpr std::int64_t last_line_wait_ns = 200 * base::ns_per_ms;

timespec timespec_of(std::int64_t ns) noexcept {
  return {.tv_sec = ns / base::ns_per_second, .tv_nsec = ns % base::ns_per_second};
}

/// The log may be stuck: its disk, or the reader of its pipe.
void await_last_line(const EventLog& log) noexcept {
  const std::uint64_t position = log.position();
  const std::int64_t end_ns = os::now().steady_ns + last_line_wait_ns;
  const timespec pause = timespec_of(base::ns_per_ms);
  while (!log.has_passed_on(position) && os::now().steady_ns < end_ns) {
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace

BlockedSignals::BlockedSignals() noexcept {
  sigemptyset(&taken_);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, own_signal}) {
    sigaddset(&taken_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
  ::signal(SIGPIPE, SIG_IGN);
}

BlockedSignals::~BlockedSignals() {
  // One that came after the control thread's end is void: nothing is left to reopen or reload, and
  // its default action would end the process before the log and the pid file are closed. A SIGTERM
  // keeps its meaning: ends at once.
  sigset_t late{};
  sigemptyset(&late);
  for (const int signal : {SIGHUP, SIGUSR1, own_signal}) {
    sigaddset(&late, signal);
  }
  siginfo_t ignored{};
  while (os::await_signal(late, ignored, 0)) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

ControlThread::ControlThread(const BlockedSignals& signals, engine::Engine& engine,
                             WorkerPulse& pulse, Reload& reload, Upgrade& upgrade,
                             const RoleDuties& roles, EventLog& log, const ServiceNotice& notice,
                             OtherProcess predecessor)
    : signals_(signals),
      engine_(engine),
      pulse_(pulse),
      reload_(reload),
      upgrade_(upgrade),
      roles_(roles),
      log_(log),
      notice_(notice),
      predecessor_(std::move(predecessor)),
      disk_thread_([this] { serve_disk(); }),
      thread_([this] { run(); }) {}

ControlThread::~ControlThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  requested_.notify_one();
  // Before the thread of signals: if the log is stuck, a second SIGTERM still ends the process.
  disk_thread_.join();
  done_.store(true, std::memory_order_release);
  ::pthread_kill(thread_.native_handle(), own_signal);
  thread_.join();
}

void ControlThread::run() {
  os::name_this_thread("affix-control");
  os::give_way_to_workers();
  const std::int64_t watch_ns = notice_.watchdog_ns() / 2;
  // So that the first check has an answer.
  pulse_.ask();
  engine_.wake();
  while (!done_.load(std::memory_order_acquire)) {
    const std::int64_t now_ns = os::now().steady_ns;
    if (watch_ns != 0 && now_ns >= next_watch_ns_) {
      watch();
      // A quarter of the whole period: a late answer is seen half a period before its end.
      next_watch_ns_ = now_ns + watch_ns / 2;
    }
    answer_predecessor();
    upgrade_.tend();
    const std::int64_t longest_ns = predecessor_.number() != 0 ? answer_wait_ns : longest_wait_ns;
    const std::int64_t wait_ns =
        watch_ns == 0 ? longest_ns
                      : std::clamp<std::int64_t>(next_watch_ns_ - now_ns, 1, longest_ns);
    siginfo_t signal{};
    if (os::await_signal(signals_.taken(), signal, wait_ns)) {
      take(signal);
    }
  }
}

void ControlThread::watch() {
  // A worker whose sessions have all logged out has ended, while others may still be logging out:
  // shutdown_timeout_seconds limits that time, not the watchdog.
  if (stopping_ || pulse_.all_noted(engine_.worker_count())) {
    notice_.alive();
    pulse_.ask();
  }
  // Asks again in either case: a worker that was busy answers when it runs its next turn.
  engine_.wake();
}

void ControlThread::answer_predecessor() {
  if (predecessor_.number() != 0 && pulse_.all_noted(engine_.worker_count())) {
    say(std::exchange(predecessor_, OtherProcess()), HandOverWord::Answered);
  }
}

void ControlThread::take(const siginfo_t& taken) {
  const int signal = taken.si_signo;
  if (signal == SIGUSR2) {
    // Its own, when it is to end.
    if (taken.si_pid != ::getpid() && !stopping_ && !done_.load(std::memory_order_acquire)) {
      upgrade_.take(taken);
    }
    return;
  }
  if (signal == SIGTERM || signal == SIGINT) {
    stop(signal);
  } else if (signal == SIGUSR1 || signal == SIGHUP) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.add(signal == SIGHUP ? DiskTask::Reload : DiskTask::ReopenLog);
    }
    requested_.notify_one();
  }
}

void ControlThread::stop(int signal) {
  const std::string name = signal == SIGTERM ? "SIGTERM" : "SIGINT";
  if (stopping_) {
    log_.write(Severity::Warning, {}, name + " again: ends at once", "P103");
    await_last_line(log_);
    // Takes the signal's default action, so that a waiting parent sees the signal.
    ::signal(signal, SIG_DFL);
    sigset_t one{};
    sigemptyset(&one);
    sigaddset(&one, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    ::raise(signal);
    return;
  }
  log_.write(Severity::Info, {}, name + ": logging out", "P103");
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    notice_.stopping("logging out");
  }
  engine_.request_stop();
}

void ControlThread::serve_disk() {
  os::name_this_thread("affix-reload");
  // A reload reads files and makes sessions while workers trade.
  os::give_way_to_workers();
  std::unique_lock lock(mutex_);
  for (;;) {
    requested_.wait(lock, [this] { return !tasks_.empty() || ending_; });
    const DiskTasks taken = std::exchange(tasks_, {});
    if (ending_ && !taken.has(DiskTask::ReopenLog)) {
      return;
    }
    const bool is_ending = ending_;
    lock.unlock();
    if (taken.has(DiskTask::ReopenLog)) {
      reopen_log();
    }
    if (taken.has(DiskTask::Reload) && !is_ending && reload_.is_wanted()) {
      reload();
    }
    lock.lock();
  }
}

void ControlThread::reopen_log() {
  if (const auto reopened = log_.reopen(); !reopened) {
    log_.write(Severity::Error, {}, "SIGUSR1: log: " + reopened.error().text(), "A111");
  } else {
    log_.write(Severity::Info, {}, "SIGUSR1: the log goes on here", "A111");
  }
  log_.flush();  // So that a process that waits for it finds the lines.
}

// The manager awaits no notice of a reload once it has that of the stop.
void ControlThread::reload() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) {
      return;
    }
    notice_.reloading();
  }
  log_.write(Severity::Info, {}, "SIGHUP: reloading", "P103");
  const bool taken = reload_.reload().has_value();
  log_.flush();  // So that a process that receives the notice finds the lines.
  const std::lock_guard lock(mutex_);
  if (!stopping_) {
    notice_.ready(roles_.status() + (taken ? "" : "; the last reload was refused, see the log"));
  }
}

}  // namespace affix::inline v0::service
