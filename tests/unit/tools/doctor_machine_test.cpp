// SPDX-License-Identifier: MIT
// Findings of `affix doctor` on machines: a good one, each setting made worse, and invalid files.
#include "doctor_machine.hpp"

#include "doctor/checks.hpp"
#include "doctor/report.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <random>

namespace affix::tools::doctor {
namespace {

class DoctorMachine : public testing::Test {
 protected:
  Findings all(const std::string& folder = "/var/lib/affix") {
    const SystemFiles files = machine_.files();
    Findings findings = check_memory(files, machine_.measured);
    for (const Findings& more : {check_processors(files, machine_.measured), check_limits(files),
                                 check_disk(files, machine_.measured, folder)}) {
      findings.insert(findings.end(), more.begin(), more.end());
    }
    return findings;
  }

  /// The only finding with a cost.
  std::string cost(const std::string& folder = "/var/lib/affix") { return dear(all(folder)); }

  Machine machine_;
};

TEST_F(DoctorMachine, OnAGoodOneThereIsNothingToDo) {
  EXPECT_EQ(cost(), "");
  for (const Finding& finding : all()) {
    EXPECT_EQ(finding.verdict, Verdict::Fine) << finding.name;
    EXPECT_NE(finding.found, "") << finding.name;
  }
}

TEST_F(DoctorMachine, PagesThatAreGivenBackCostTheMeasuredTime) {
  machine_.set("/sys/module/page_reporting/parameters/page_reporting_order", "9\n");
  EXPECT_EQ(cost(),
            "page-reporting: free pages are given back to the host, in blocks of 2^9 pages; a new "
            "page of a journal takes 7.100 us here where it is needed, 1.300 us in pieces of 64 "
            "KiB, 6.800 us of 2 MiB, "
            "as the host has to give it again; echo 11 > "
            "/sys/module/page_reporting/parameters/page_reporting_order, or turn free page "
            "reporting off at the host\n");
  // Not requested: all bits are set.
  machine_.set("/sys/module/page_reporting/parameters/page_reporting_order", "4294967295\n");
  EXPECT_EQ(cost(), "");
  machine_.remove("/sys/module/page_reporting");
  EXPECT_EQ(said(all(), "page-reporting"), "fine: no free pages are given back");
}

TEST_F(DoctorMachine, HugePagesForEverybody) {
  machine_.set("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
  EXPECT_TRUE(cost().starts_with("huge-pages: transparent huge pages: always; ")) << cost();
  machine_.set("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  machine_.set("/sys/kernel/mm/transparent_hugepage/defrag", "[always] defer madvise never");
  EXPECT_TRUE(cost().starts_with("huge-pages: transparent huge pages: defrag is always; "));
  machine_.set("/sys/kernel/mm/transparent_hugepage/enabled", "nonsense");
  EXPECT_TRUE(said(all(), "huge-pages").starts_with("unknown: "));
  machine_.remove("/sys/kernel/mm/transparent_hugepage");
  EXPECT_EQ(said(all(), "huge-pages"), "fine: this kernel has no transparent huge pages");
}

TEST_F(DoctorMachine, AGovernorThatSaves) {
  machine_.set("/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "powersave\n");
  EXPECT_TRUE(cost().starts_with("governor: performance on 3, powersave on 1; ")) << cost();
  for (const char* const processor : {"cpu0", "cpu1", "cpu2", "cpu3"}) {
    machine_.remove(std::string("/sys/devices/system/cpu/") + processor + "/cpufreq");
  }
  EXPECT_TRUE(said(all(), "governor").starts_with("unknown: "));
}

TEST_F(DoctorMachine, ADeepIdleState) {
  machine_.set("/sys/devices/system/cpu/cpu0/cpuidle/state2/latency", "133\n");
  machine_.set("/sys/devices/system/cpu/cpu0/cpuidle/state2/name", "C6\n");
  EXPECT_TRUE(
      cost().starts_with("idle-states: the deepest idle state is C6, 133 us to come back "
                         "from; a thread that slept ran 4.000 us after its event here, 1 "
                         "of 100 times 9.000 us; a worker that sleeps"))
      << cost();
  machine_.set("/sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "1\n");
  EXPECT_EQ(cost(), "");
  machine_.remove("/sys/devices/system/cpu/cpu0/cpuidle");
  EXPECT_TRUE(said(all(), "idle-states").starts_with("unknown: "));
}

TEST_F(DoctorMachine, AClockThatTheKernelReads) {
  machine_.measured.clock_read_ns = 900;
  EXPECT_TRUE(cost().starts_with("clock-source: tsc: a reading of the clock takes 900 ns; "))
      << cost();
  // By its name if nothing was measured.
  machine_.measured.clock_read_ns.reset();
  EXPECT_EQ(cost(), "");
  machine_.set("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
  EXPECT_TRUE(cost().starts_with("clock-source: hpet; ")) << cost();
  machine_.remove("/sys/devices/system/clocksource");
  EXPECT_TRUE(said(all(), "clock-source").starts_with("unknown: "));
}

TEST_F(DoctorMachine, PreemptionIsFoundWhereverItIsReported) {
  constexpr const char* switchable = "/sys/kernel/debug/sched/preempt";
  machine_.set(switchable, "none voluntary full (lazy)\n");
  EXPECT_TRUE(cost().starts_with("preemption: lazy; a worker that is woken waits")) << cost();
  machine_.remove(switchable);
  EXPECT_TRUE(said(all(), "preemption").starts_with("unknown: "));
  machine_.set("/proc/version", "Linux version 6.1.0 (gcc) #1 SMP PREEMPT_DYNAMIC Debian");
  EXPECT_TRUE(said(all(), "preemption").starts_with("unknown: "));
  machine_.set("/proc/cmdline", "quiet preempt=voluntary\n");
  EXPECT_TRUE(cost().starts_with("preemption: voluntary; ")) << cost();
  machine_.remove("/proc/cmdline");
  machine_.set("/proc/version", "Linux version 6.1.0 (gcc) #1 SMP PREEMPT Debian");
  EXPECT_EQ(said(all(), "preemption"), "fine: full");
  machine_.set("/proc/version", "Linux version 6.1.0 (gcc) #1 SMP PREEMPT_LAZY Debian");
  EXPECT_TRUE(cost().starts_with("preemption: lazy; ")) << cost();
  machine_.set("/proc/version", "Linux version 6.1.0 (gcc) #1 SMP PREEMPT_RT Debian");
  EXPECT_EQ(said(all(), "preemption"), "fine: rt");
  machine_.set("/sys/kernel/realtime", "1\n");
  machine_.remove("/proc/version");
  EXPECT_EQ(said(all(), "preemption"), "fine: rt");
}

TEST_F(DoctorMachine, NoCoreIsKeptFree) {
  machine_.set("/sys/devices/system/cpu/isolated", "\n");
  // The measured time is that of a timer.
  EXPECT_EQ(cost(), "");
  machine_.measured.gaps = SpinGaps{.largest_ns = 4'000'000, .over_10_us = 77};
  EXPECT_TRUE(
      cost().starts_with("isolated-cores: no processor is kept free of others; a loop that "
                         "only spins was held up for 4.000 ms at most here, 77 times for "
                         "more than 10 us; isolcpus="))
      << cost();
  // With two there is none to spare.
  machine_.set("/sys/devices/system/cpu/online", "0-1\n");
  EXPECT_EQ(cost(), "");
  EXPECT_TRUE(said(all(), "isolated-cores").ends_with("there is none to spare"));
}

TEST_F(DoctorMachine, InterruptsOnCoresThatAreKeptFree) {
  machine_.set("/proc/irq/24/effective_affinity_list", "2\n");
  EXPECT_TRUE(cost().starts_with("interrupts: interrupts 24 (eth0-rx-0) come to processors 2-3; "));
  for (const char* const more : {"25", "26", "27", "30"}) {
    machine_.set(std::string("/proc/irq/") + more + "/smp_affinity_list", "0-3\n");
    machine_.set(std::string("/proc/irq/") + more + "/nvme0q1/keep", "");
  }
  EXPECT_TRUE(
      cost().starts_with("interrupts: interrupts 24 (eth0-rx-0), 25 (nvme0q1), 26 (nvme0q1) "
                         "and 2 more come to"))
      << cost();
  // The file is missing.
  machine_.remove("/proc/irq");
  machine_.set("/proc/irq/31/smp_affinity_list", "0-3\n");
  EXPECT_EQ(cost(), "");
}

TEST_F(DoctorMachine, AQuotaOfTheCgroupOrOfOneAboveIt) {
  machine_.set("/sys/fs/cgroup/service/cpu.max", "50000 100000\n");
  EXPECT_TRUE(
      cost().starts_with("processor-quota: 50000 us of processor time in each 100000 us; "
                         "threads are stopped for up to 50000 us when it is used up"))
      << cost();
  // The tightest one applies.
  machine_.set("/sys/fs/cgroup/service/desk/cpu.max", "300000 100000\n");
  EXPECT_TRUE(cost().starts_with("processor-quota: 50000 us"));
  machine_.remove("/sys/fs/cgroup/service");
  EXPECT_EQ(cost(), "");
  machine_.set("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  machine_.set("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cost(), "");
  machine_.set("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  EXPECT_TRUE(cost().starts_with("processor-quota: 200000 us")) << cost();
}

TEST_F(DoctorMachine, OneProcessorOnly) {
  machine_.set("/proc/self/status", "Cpus_allowed_list:\t1\n");
  EXPECT_TRUE(cost().starts_with("allowed-cores: only processor 1 may be used; ")) << cost();
  machine_.remove("/proc/self/status");
  EXPECT_TRUE(said(all(), "allowed-cores").starts_with("unknown: "));
}

TEST_F(DoctorMachine, FewOpenFiles) {
  machine_.set_limits("1024", "65536");
  EXPECT_TRUE(cost().starts_with("open-files: 1024 open files at most; ")) << cost();
  machine_.set_limits("unlimited", "65536");
  EXPECT_EQ(said(all(), "open-files"), "fine: no limit");
  machine_.remove("/proc/self/limits");
  EXPECT_TRUE(said(all(), "open-files").starts_with("unknown: "));
}

TEST_F(DoctorMachine, LimitsOfTheNetwork) {
  machine_.set("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "1\n");
  EXPECT_TRUE(cost().starts_with("slow-start: TCP begins slowly after each pause; ")) << cost();
  machine_.set("/proc/sys/net/ipv4/tcp_slow_start_after_idle", "0\n");
  machine_.set("/proc/sys/net/core/somaxconn", "128\n");
  EXPECT_TRUE(cost().starts_with("backlog: only 128 connections may wait to be accepted; "));
  machine_.remove("/proc/sys");
  EXPECT_TRUE(said(all(), "slow-start").starts_with("unknown: "));
  EXPECT_TRUE(said(all(), "backlog").starts_with("unknown: "));
}

TEST_F(DoctorMachine, JournalsOnTheWrongDisk) {
  EXPECT_TRUE(
      cost("/mnt/memory/a").starts_with("journal-disk: /mnt/memory/a is on tmpfs (0:25); "));
  EXPECT_TRUE(cost("/mnt/far away").starts_with("journal-disk: /mnt/far away is on nfs4 (0:40); "));
  // It reports that it rotates, but flushes faster than any rotating disk.
  EXPECT_EQ(cost("/mnt/turning"), "");
  machine_.measured.flush.reset();
  EXPECT_TRUE(cost("/mnt/turning")
                  .starts_with("journal-disk: /mnt/turning is on xfs (8:16), a disk "
                               "that turns; "))
      << cost("/mnt/turning");
  // A partition has no queue of its own.
  machine_.remove("/sys/dev/block/8:16/queue");
  machine_.set("/sys/dev/block/8:16/partition", "1");
  machine_.set("/sys/dev/block/queue/rotational", "1");
  EXPECT_TRUE(cost("/mnt/turning").starts_with("journal-disk: ")) << cost("/mnt/turning");
  machine_.remove("/proc/self/mountinfo");
  EXPECT_TRUE(said(all(), "journal-disk").starts_with("unknown: "));
}

TEST_F(DoctorMachine, ADiskThatIsSlowToFlush) {
  machine_.measured.flush =
      Spread{.median_ns = 4'200'000, .p99_ns = 9'000'000, .largest_ns = 15'000'000};
  EXPECT_TRUE(cost().starts_with(
      "flush: fdatasync of a record takes 4.200 ms, at most 15.000 ms; durability=sync sends"))
      << cost();
  machine_.measured.flush.reset();
  EXPECT_TRUE(said(all(), "flush").starts_with("unknown: "));
}

TEST_F(DoctorMachine, NonsenseInEveryFileIsNoFault) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    for (const char* const path :
         {"/sys/module/page_reporting/parameters/page_reporting_order", "/proc/self/mountinfo",
          "/sys/kernel/mm/transparent_hugepage/enabled",
          "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
          "/sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "/sys/devices/system/cpu/online",
          "/sys/devices/system/cpu/isolated", "/sys/kernel/debug/sched/preempt",
          "/proc/self/cgroup", "/proc/irq/24/effective_affinity_list", "/proc/self/status",
          "/proc/self/limits", "/sys/fs/cgroup/service/desk/cpu.max",
          "/proc/sys/net/core/somaxconn"}) {
      std::string text(random() % 64, '\0');
      for (char& letter : text) {
        letter =
            random() % 2 == 0 ? static_cast<char>(random() & 0xFF) : "0:/-[]( \n9"[random() % 10];
      }
      machine_.set(path, text);
    }
    const Findings findings = all("/a/b");
    EXPECT_EQ(findings.size(), 15U);
    EXPECT_FALSE(nlohmann::json::parse(report_json(machine_.measured, findings)).empty());
    EXPECT_FALSE(report_text(machine_.measured, findings).empty());
  }
}

TEST_F(DoctorMachine, AMachineWithoutAnyFileIsNotKnown) {
  for (const char* const folder : {"/proc", "/sys"}) {
    machine_.remove(folder);
  }
  machine_.measured = {};
  EXPECT_EQ(cost(), "");
  EXPECT_EQ(said(all(), "flush"), "unknown: the time of a flush was not measured");
}

TEST(DoctorReport, CostsComeFirstWithTheirRemedy) {
  const Findings findings{fine("alpha", "good"), costs("be", "there", "takes long", "stop it"),
                          unknown("gamma", "not known")};
  Measured measured;
  measured.clock_read_ns = 31;
  EXPECT_EQ(report_text(measured, findings),
            "measured  clock      31 ns a reading\n"
            "costs    be     there\n"
            "                takes long\n"
            "                do: stop it\n"
            "unknown  gamma  not known\n"
            "fine     alpha  good\n"
            "1 thing costs tail or throughput\n");
  EXPECT_EQ(report_text({}, {fine("alpha", "good")}), "fine     alpha  good\nnothing to do\n");
}

TEST(DoctorReport, JsonHasEveryMember) {
  Measured measured;
  measured.clock_read_ns = 31;
  measured.wake_up = Spread{.median_ns = 1, .p99_ns = 2, .largest_ns = 3};
  measured.gaps = SpinGaps{.largest_ns = 4, .over_10_us = 5};
  measured.pages = PageCosts{
      .fault_ns = 12, .pieces_ns = 13, .single_ns = 6, .large_ns = 7, .large_piece_ns = 8};
  measured.flush = Spread{.median_ns = 9, .p99_ns = 10, .largest_ns = 11};
  EXPECT_EQ(report_json(measured, {costs("be", "th\xffre", "takes long", "stop it")}),
            "{\"measured\":{\"clock_read_ns\":31,"
            "\"wake_up\":{\"median_ns\":1,\"p99_ns\":2,\"largest_ns\":3},"
            "\"spinning\":{\"largest_gap_ns\":4,\"gaps_over_10_us\":5},"
            "\"new_page\":{\"fault_ns\":12,\"single_ns\":6,\"in_pieces_ns\":13,\"in_large_pieces_"
            "ns\":7,\"largest_piece_ns\":8},"
            "\"flush\":{\"median_ns\":9,\"p99_ns\":10,\"largest_ns\":11}},"
            "\"findings\":[{\"name\":\"be\",\"verdict\":\"costs\",\"found\":\"th\xEF\xBF\xBDre\","
            "\"cost\":\"takes long\",\"advice\":\"stop it\"}]}\n");
}

}  // namespace
}  // namespace affix::tools::doctor
