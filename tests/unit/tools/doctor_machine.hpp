// SPDX-License-Identifier: MIT
// A machine as files below a directory, for `affix doctor`. It has no costs; a test makes one
// setting worse.
#pragma once

#include "doctor/finding.hpp"
#include "doctor/measured.hpp"
#include "doctor/system_files.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace affix::tools::doctor {

class Machine {
 public:
  Machine() {
    set("/sys/module/page_reporting/parameters/page_reporting_order", "11\n");
    set("/proc/self/mountinfo",
        "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n"
        "30 22 0:25 / /mnt/memory rw - tmpfs tmpfs rw\n"
        "31 22 0:40 / /mnt/far\\040away rw - nfs4 server:/all rw\n"
        "32 22 8:16 / /mnt/turning rw - xfs /dev/sdb rw\n");
    set("/sys/dev/block/259:2/queue/rotational", "0\n");
    set("/sys/dev/block/8:16/queue/rotational", "1\n");
    set("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    set("/sys/kernel/mm/transparent_hugepage/defrag", "always defer defer+madvise [madvise] never");
    for (const char* const processor : {"cpu0", "cpu1", "cpu2", "cpu3"}) {
      set(folder_of(processor) + "cpufreq/scaling_governor", "performance\n");
      set(folder_of(processor) + "topology/thread_siblings_list", std::string(processor + 3, 1));
    }
    set(folder_of("cpu0") + "cpuidle/state0/latency", "0\n");
    set(folder_of("cpu0") + "cpuidle/state0/name", "POLL\n");
    set(folder_of("cpu0") + "cpuidle/state1/latency", "2\n");
    set(folder_of("cpu0") + "cpuidle/state1/name", "C1\n");
    set("/sys/devices/system/cpu/online", "0-3\n");
    set("/sys/devices/system/cpu/isolated", "2-3\n");
    set("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    set("/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy\n");
    set("/proc/irq/24/effective_affinity_list", "0\n");
    set("/proc/irq/24/eth0-rx-0/keep", "");
    set("/proc/self/status", "Name:\taffix\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n");
    set("/proc/self/cgroup", "0::/service/desk\n");
    set("/sys/fs/cgroup/service/desk/cpu.max", "max 100000\n");
    set_limits("1048576", "unlimited");
    set("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "0\n");
    set("/proc/sys/net/core/somaxconn", "4096\n");
    set("/proc/sys/net/core/rmem_max", "212992\n");
    set("/proc/sys/net/core/wmem_max", "212992\n");
    measured.clock_read_ns = 25;
    measured.wake_up = Spread{.median_ns = 4'000, .p99_ns = 9'000, .largest_ns = 60'000};
    measured.gaps = SpinGaps{.largest_ns = 20'000, .over_10_us = 3};
    measured.pages = PageCosts{.fault_ns = 2'100'000,
                               .pieces_ns = 1'300,
                               .single_ns = 7'100,
                               .large_ns = 6'800,
                               .large_piece_ns = 3'500'000};
    measured.flush = Spread{.median_ns = 90'000, .p99_ns = 200'000, .largest_ns = 900'000};
  }

  void set(std::string_view path, std::string_view text) {
    const std::filesystem::path whole = directory_.path() + std::string(path);
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole, std::ios::binary) << text;
  }

  void remove(std::string_view path) {
    std::filesystem::remove_all(directory_.path() + std::string(path));
  }

  void set_limits(const std::string& files, const std::string& locked) {
    set("/proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max locked memory         " +
            locked +
            "            unlimited            bytes     \n"
            "Max open files            " +
            files + "              1048576              files     \n");
  }

  [[nodiscard]] SystemFiles files() const { return SystemFiles(directory_.path()); }

  Measured measured;

 private:
  static std::string folder_of(const char* processor) {
    return std::string("/sys/devices/system/cpu/") + processor + "/";
  }

  support::TemporaryDirectory directory_;
};

/// Every finding with a cost, `name: found; cost; advice` per line.
[[nodiscard]] inline std::string dear(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    if (finding.verdict == Verdict::Costs) {
      text +=
          finding.name + ": " + finding.found + "; " + finding.cost + "; " + finding.advice + "\n";
    }
  }
  return text;
}

/// The first finding of that name: `verdict: found`.
[[nodiscard]] inline std::string said(const Findings& findings, std::string_view name) {
  const auto finding = std::find_if(findings.begin(), findings.end(),
                                    [name](const Finding& one) { return one.name == name; });
  return finding == findings.end() ? std::string("nothing")
                                   : std::string(to_text(finding->verdict)) + ": " + finding->found;
}

}  // namespace affix::tools::doctor
