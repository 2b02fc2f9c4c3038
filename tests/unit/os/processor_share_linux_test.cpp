// SPDX-License-Identifier: MIT
// Processors and quotas according to the system's files, with any contents.
#include "affix/os/processor_share.hpp"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <sched.h>
#include <string>
#include <string_view>
#include <thread>

namespace affix::os {
namespace {

class Files final : public SystemTexts {
 public:
  std::optional<std::string> text(std::string_view path) const override {
    const auto found = files.find(std::string(path));
    return found == files.end() ? std::nullopt : std::optional(found->second);
  }

  std::map<std::string, std::string> files;
};

/// `quota/period`, or `none`.
std::string quota_text(const Files& files) {
  const auto quota = processor_quota(files);
  return quota ? std::to_string(quota->quota_us) + '/' + std::to_string(quota->period_us) : "none";
}

std::size_t cores(std::size_t processors, std::int64_t quota_us) {
  return ProcessorShare{processors, ProcessorQuota{quota_us, 100'000}}.cores();
}

TEST(ProcessorShare, QuotasAreTwoNumbers) {
  for (const char* const text : {"50000 100000", "50000 100000\n", " 50000 100000 \r\n"}) {
    ASSERT_TRUE(quota_of(text)) << text;
    EXPECT_EQ(quota_of(text)->quota_us, 50'000);
    EXPECT_EQ(quota_of(text)->period_us, 100'000);
  }
  for (const char* const text :
       {"max 100000", "", " ", "\n", "5", "5 ", "0 100000", "-1 100000", "5 0", "5 -1", "a b",
        "5 x", "0x5 100000", "5.5 100000", "5  100000", "5 100000 7", "+5 100000",
        "99999999999999999999 100000", "5 99999999999999999999"}) {
    EXPECT_FALSE(quota_of(text)) << text;
  }
}

TEST(ProcessorShare, OfTheSecondKindOfCgroupsTheTightestAboveCounts) {
  Files machine;
  EXPECT_EQ(quota_text(machine), "none") << "no file at all";
  machine.files["/proc/self/cgroup"] = "0::/a/b\n";
  EXPECT_EQ(quota_text(machine), "none") << "no limit is set";
  machine.files["/sys/fs/cgroup/a/b/cpu.max"] = "max 100000\n";
  EXPECT_EQ(quota_text(machine), "none");
  machine.files["/sys/fs/cgroup/a/cpu.max"] = "150000 100000\n";
  EXPECT_EQ(quota_text(machine), "150000/100000");
  machine.files["/sys/fs/cgroup/a/b/cpu.max"] = "100000 50000\n";
  EXPECT_EQ(quota_text(machine), "150000/100000") << "two processors are more";
  machine.files["/sys/fs/cgroup/cpu.max"] = "10000 100000\n";
  EXPECT_EQ(quota_text(machine), "10000/100000") << "as a container sees its own group";
  machine.files["/sys/fs/cgroup/cpu.max"] = "nonsense\n";
  machine.files["/sys/fs/cgroup/a/cpu.max"] = "";
  EXPECT_EQ(quota_text(machine), "100000/50000");
}

TEST(ProcessorShare, AContainerThatSeesNoneOfItsPathSeesTheRoot) {
  Files machine;
  machine.files["/proc/self/cgroup"] = "0::/system.slice/docker-1.scope\n";
  machine.files["/sys/fs/cgroup/cpu.max"] = "100000 100000\n";
  EXPECT_EQ(quota_text(machine), "100000/100000");
  machine.files["/proc/self/cgroup"] = "0::/../../elsewhere\n";
  EXPECT_EQ(quota_text(machine), "100000/100000");
}

TEST(ProcessorShare, OfTheFirstKindItsOwnFilesCount) {
  Files machine;
  machine.files["/proc/self/cgroup"] =
      "12:cpuset:/docker/1\n4:cpu,cpuacct:/docker/1\n1:name=systemd:/docker/1\n0::/docker/1\n";
  machine.files["/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us"] = "-1\n";
  machine.files["/sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us"] = "100000\n";
  EXPECT_EQ(quota_text(machine), "none");
  machine.files["/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us"] = "200000\n";
  EXPECT_EQ(quota_text(machine), "200000/100000");
  machine.files["/sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "50000\n";
  EXPECT_EQ(quota_text(machine), "200000/100000") << "a quota needs its period";
  machine.files["/sys/fs/cgroup/cpu/cpu.cfs_period_us"] = "100000\n";
  EXPECT_EQ(quota_text(machine), "50000/100000");
  machine.files["/sys/fs/cgroup/cpu/cpu.cfs_period_us"] = "0\n";
  EXPECT_EQ(quota_text(machine), "200000/100000");
  // Both kinds at once: the tighter one applies.
  machine.files["/sys/fs/cgroup/docker/1/cpu.max"] = "100000 100000\n";
  EXPECT_EQ(quota_text(machine), "100000/100000");
}

TEST(ProcessorShare, AnyTextIsTaken) {
  std::mt19937_64 random(24);
  constexpr std::string_view letters = "0123456789:/.,-\n maxcpu\xff";
  for (int round = 0; round < 20'000; ++round) {
    Files machine;
    for (const char* const path :
         {"/proc/self/cgroup", "/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
          "/sys/fs/cgroup/cpu/cpu.cfs_period_us"}) {
      std::string text(random() % 40, '\0');
      for (char& letter : text) {
        letter = letters[random() % letters.size()];
      }
      machine.files[path] = (random() % 2 == 0 ? "0::/" : "3:cpu:/") + text;
      static_cast<void>(quota_of(text));
    }
    if (const auto quota = processor_quota(machine)) {
      EXPECT_GT(quota->processors(), 0);
    }
  }
}

TEST(ProcessorShare, FractionsAreRoundedToWholeCoresOfWhichThereIsOne) {
  EXPECT_EQ(cores(4, 1), 1U);
  EXPECT_EQ(cores(4, 50'000), 1U);
  EXPECT_EQ(cores(4, 149'000), 1U);
  EXPECT_EQ(cores(4, 150'000), 2U);
  EXPECT_EQ(cores(4, 400'000), 4U);
  EXPECT_EQ(cores(4, 9'000'000'000'000'000'000), 4U);
  EXPECT_EQ(cores(1, 400'000), 1U);
  EXPECT_EQ((ProcessorShare{3, std::nullopt}.cores()), 3U);
}

TEST(ProcessorShare, SaysWhyThereAreNoMore) {
  EXPECT_EQ((ProcessorShare{1, std::nullopt}.why()), "1 processor");
  EXPECT_EQ((ProcessorShare{4, ProcessorQuota{150'000, 100'000}}.why()),
            "4 processors, of whose time a cgroup allows 150000 us in each 100000 us");
}

TEST(ProcessorShare, IsThatOfTheThreadThatAsks) {
  std::thread([] {
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    const auto processors = static_cast<std::size_t>(CPU_COUNT(&all));
    EXPECT_EQ(processor_share().processors, processors);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t at = 0; at < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++at) {
      if (CPU_ISSET(at, &all)) {
        CPU_SET(at, &one);
      }
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(processor_share().processors, 1U);
    EXPECT_EQ(processor_share().cores(), 1U);
  }).join();
}

}  // namespace
}  // namespace affix::os
