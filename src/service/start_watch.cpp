// SPDX-License-Identifier: MIT
// Detects activity by the system's figures for the process: processor time, and blocks read.
#include "service/start_watch.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <chrono>
#include <string>
#include <sys/resource.h>

namespace affix::inline v0::service {

namespace {

constexpr std::int64_t block_bytes = 512;
constexpr std::int64_t bytes_per_megabyte = 1'000'000;

/// The watch itself uses up to this much.
constexpr std::int64_t busy_us = 1'000;

/// Number of intervals that the manager waits for the next notice.
constexpr std::int64_t patience = 6;

struct Effort {
  std::int64_t computed_us = 0;
  std::int64_t read_bytes = 0;
};

Effort effort_so_far() noexcept {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto us_of = [](const timeval& time) {
    return time.tv_sec * (base::ns_per_second / base::ns_per_us) + time.tv_usec;
  };
  return {us_of(usage.ru_utime) + us_of(usage.ru_stime), usage.ru_inblock * block_bytes};
}

}  // namespace

StartWatch::StartWatch(const ServiceNotice& notice, EventLog& log, std::int64_t interval_ns)
    : notice_(notice), log_(log), interval_ns_(interval_ns), thread_([this] { run(); }) {}

StartWatch::~StartWatch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void StartWatch::run() {
  const std::int64_t began_ns = os::read_clock_ns(CLOCK_MONOTONIC);
  const Effort first = effort_so_far();
  Effort before = first;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::nanoseconds(interval_ns_), [this] { return ends_; })) {
    const Effort now = effort_so_far();
    const bool busy =
        now.computed_us - before.computed_us > busy_us || now.read_bytes > before.read_bytes;
    before = now;
    if (!busy) {
      continue;
    }
    const std::int64_t seconds =
        (os::read_clock_ns(CLOCK_MONOTONIC) - began_ns) / base::ns_per_second;
    const std::string text =
        "starting: opening journals, " + std::to_string(seconds) + " s, " +
        std::to_string((now.read_bytes - first.read_bytes) / bytes_per_megabyte) +
        " MB read from the disk";
    log_.write(host::Event::Severity::Info, {}, text, "J206");
    notice_.starting(patience * interval_ns_, text);
    if (notice_.watchdog_ns() != 0) {
      notice_.alive();  // It was ready before, while it waited for another process's end.
    }
  }
}

}  // namespace affix::inline v0::service
