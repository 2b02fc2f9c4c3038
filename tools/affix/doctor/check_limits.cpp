// SPDX-License-Identifier: MIT
// Checks the system's limits for this process.
#include "affix/os/processor_share.hpp"

#include "doctor/checks.hpp"
#include "doctor/system_text.hpp"

namespace affix::inline v0::tools::doctor {

namespace {

// Connections, journals and other open files of a hundred sessions.
constexpr std::int64_t few_descriptors = 4'096;

// The kernel's default since Linux 5.4.
constexpr std::int64_t usual_backlog = 4'096;

Finding processor_quota(const SystemFiles& files) {
  const auto limit = os::processor_quota(files);
  if (!limit) {
    return fine("processor-quota", "the cgroup may have all processor time");
  }
  const std::string found = std::to_string(limit->quota_us) + " us of processor time in each " +
                            std::to_string(limit->period_us) + " us";
  const std::int64_t stopped_us = limit->period_us - limit->quota_us;
  return costs("processor-quota", found,
               stopped_us > 0 ? "threads are stopped for up to " + std::to_string(stopped_us) +
                                    " us when it is used up, with messages before them; a worker "
                                    "that spins uses it up each time"
                              : "threads are stopped until the period's end when it is used up, "
                                "with messages before them",
               "no quota (cpu.max of `max`), but processors of its own (cpuset.cpus)");
}

Finding allowed(const SystemFiles& files) {
  const std::vector<std::int64_t> processors = allowed_processors(files);
  if (processors.empty()) {
    return unknown("allowed-cores", "the allowed processors are unknown");
  }
  if (processors.size() > 1) {
    return fine("allowed-cores", "processors " + text_of(processors));
  }
  return costs("allowed-cores", "only processor " + text_of(processors) + " may be used",
               "the threads that prepare journals, flush and log take their time from the worker",
               "allow a second one (taskset, cpuset.cpus), if there is one");
}

Finding open_files(const std::string& limits) {
  const auto limit = limit_of(limits, "Max open files");
  if (!limit) {
    return unknown("open-files", "the limit on open files is not known");
  }
  if (limit->is_unlimited || limit->soft >= few_descriptors) {
    return fine("open-files", limit->is_unlimited ? "no limit" : std::to_string(limit->soft));
  }
  return costs("open-files", std::to_string(limit->soft) + " open files at most",
               "a session that cannot open its journal's next segment ends; each takes several",
               "LimitNOFILE=1048576 in the unit, or ulimit -n");
}

Finding slow_start(const SystemFiles& files) {
  const auto begins_again = files.number("/proc/sys/net/ipv4/tcp_slow_start_after_idle");
  if (!begins_again) {
    return unknown("slow-start", "nothing says how TCP goes on after a pause");
  }
  if (*begins_again == 0) {
    return fine("slow-start", "TCP goes on after a pause as before it");
  }
  return costs("slow-start", "TCP begins slowly after each pause",
               "a burst after a pause takes a round trip of the network more for each doubling of "
               "14 KB",
               "sysctl -w net.ipv4.tcp_slow_start_after_idle=0");
}

Finding backlog(const SystemFiles& files) {
  const auto most = files.number("/proc/sys/net/core/somaxconn");
  if (!most) {
    return unknown("backlog", "nothing says how many connections may wait to be accepted");
  }
  if (*most >= usual_backlog) {
    return fine("backlog", std::to_string(*most) + " connections may wait to be accepted");
  }
  return costs("backlog", "only " + std::to_string(*most) + " connections may wait to be accepted",
               "when many clients connect at once some are refused, and come again a second later",
               "sysctl -w net.core.somaxconn=" + std::to_string(usual_backlog));
}

}  // namespace

std::vector<std::int64_t> allowed_processors(const SystemFiles& files) {
  const std::string status = files.text("/proc/self/status").value_or("");
  const auto line = line_behind(status, "Cpus_allowed_list:");
  return (line ? processors_of(*line) : std::nullopt).value_or(std::vector<std::int64_t>());
}

Findings check_limits(const SystemFiles& files) {
  const std::string limits = files.text("/proc/self/limits").value_or("");
  return {processor_quota(files), allowed(files), open_files(limits), slow_start(files),
          backlog(files)};
}

}  // namespace affix::inline v0::tools::doctor
