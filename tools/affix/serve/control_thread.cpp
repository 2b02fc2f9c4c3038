// SPDX-License-Identifier: MIT
// sigtimedwait in a loop: signals are taken one at a time on a thread that may log, read files and
// wait, which no handler may.
#include "serve/control_thread.hpp"

#include "affix/base/time.hpp"
#include "affix/net/clock.hpp"

#include <algorithm>
#include <pthread.h>
#include <string>

namespace affix::inline v0::tools::serve {

namespace {

using Severity = engine::Event::Severity;

/// How soon the end of the engine is noticed at the latest, should its own signal be missed.
constexpr std::int64_t longest_wait_ns = base::ns_per_second;

/// Ends this thread's wait; nobody outside sends it.
constexpr int own_signal = SIGUSR2;

timespec timespec_of(std::int64_t ns) noexcept {
  return {.tv_sec = ns / base::ns_per_second, .tv_nsec = ns % base::ns_per_second};
}

}  // namespace

BlockedSignals::BlockedSignals() noexcept {
  ::sigemptyset(&taken_);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, own_signal}) {
    ::sigaddset(&taken_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
  ::signal(SIGPIPE, SIG_IGN);
}

BlockedSignals::~BlockedSignals() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

ControlThread::ControlThread(const BlockedSignals& signals, engine::Engine& engine,
                             WorkerPulse& pulse, Reload& reload, EventLog& log,
                             const ServiceNotice& notice)
    : signals_(signals),
      engine_(engine),
      pulse_(pulse),
      reload_(reload),
      log_(log),
      notice_(notice),
      thread_([this] { run(); }) {}

ControlThread::~ControlThread() {
  done_.store(true, std::memory_order_release);
  ::pthread_kill(thread_.native_handle(), own_signal);
  thread_.join();
}

void ControlThread::run() {
  ::pthread_setname_np(::pthread_self(), "affix-control");
  const std::int64_t watch_ns = notice_.watchdog_ns() / 2;
  // The first look has an answer at its end.
  pulse_.ask();
  engine_.wake();
  while (!done_.load(std::memory_order_acquire)) {
    const std::int64_t now_ns = net::now().steady_ns;
    if (watch_ns != 0 && now_ns >= next_watch_ns_) {
      watch();
      // A quarter of the whole: an answer that comes late is seen half a period before the end.
      next_watch_ns_ = now_ns + watch_ns / 2;
    }
    const std::int64_t wait_ns =
        watch_ns == 0 ? longest_wait_ns
                      : std::clamp<std::int64_t>(next_watch_ns_ - now_ns, 1, longest_wait_ns);
    const timespec wait = timespec_of(wait_ns);
    if (const int signal = ::sigtimedwait(&signals_.taken(), nullptr, &wait); signal > 0) {
      take(signal);
    }
  }
}

void ControlThread::watch() {
  // A worker whose sessions have all logged out has ended, while others may still be at it: how
  // long that may take is the bound of the stop, not of the watchdog.
  if (stopping_ || pulse_.all_noted(engine_.worker_count())) {
    notice_.alive();
    pulse_.ask();
  }
  // Asked again either way: a worker that was busy answers when it comes by.
  engine_.wake();
}

void ControlThread::take(int signal) {
  if (signal == SIGTERM || signal == SIGINT) {
    stop(signal);
  } else if (signal == SIGUSR1) {
    reopen_log();
  } else if (signal == SIGHUP && !stopping_ && reload_.is_wanted()) {
    reload();
  }
}

void ControlThread::stop(int signal) {
  const std::string name = signal == SIGTERM ? "SIGTERM" : "SIGINT";
  if (stopping_) {
    log_.write(Severity::Warning, {}, name + " again: ends at once");
    log_.flush();
    // What it does to a process that does not listen, so that whoever waits for this one sees it.
    ::signal(signal, SIG_DFL);
    sigset_t one{};
    ::sigemptyset(&one);
    ::sigaddset(&one, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    ::raise(signal);
    return;
  }
  stopping_ = true;
  log_.write(Severity::Info, {}, name + ": logging out");
  notice_.stopping("logging out");
  engine_.request_stop();
}

void ControlThread::reopen_log() {
  if (const auto reopened = log_.reopen(); !reopened) {
    log_.write(Severity::Error, {}, "SIGUSR1: log: " + reopened.error().text());
  } else {
    log_.write(Severity::Info, {}, "SIGUSR1: the log goes on here");
  }
  log_.flush();  // Whoever waits for it finds it there.
}

void ControlThread::reload() {
  notice_.reloading();
  log_.write(Severity::Info, {}, "SIGHUP: reloading");
  const bool taken = reload_.run().has_value();
  log_.flush();  // Whoever is told finds it there.
  notice_.ready(taken ? "running" : "running; the last reload was refused, see the log");
}

}  // namespace affix::inline v0::tools::serve
