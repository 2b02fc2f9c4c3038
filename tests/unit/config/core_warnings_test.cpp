// SPDX-License-Identifier: MIT
// Warnings about workers and the cores that they may use.
#include "affix/config/words.hpp"
#include "affix/os/processor_share.hpp"

#include "config/worker_plan.hpp"
#include "support/has_message.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace affix::config {
namespace {

Configuration workers_that_wait(std::int64_t count, const char* how) {
  Configuration configuration;
  configuration.servers.emplace_back();
  configuration.servers.back().name = "SERVER";
  configuration.servers.back().worker_thread_count = count;
  EXPECT_TRUE(choose(configuration.servers.back(), "wait_mode", how));
  return configuration;
}

std::string all_warnings(const Configuration& configuration, const os::ProcessorShare& share) {
  const auto plan = plan_workers(configuration);
  EXPECT_TRUE(plan);
  std::string all;
  for (const base::Error& warning : core_warnings(*plan, configuration, share)) {
    all += warning.text() + '\n';
  }
  return all;
}

TEST(CoreWarnings, OneCoreIsReportedAndNoMore) {
  EXPECT_EQ(one_core_note({2, std::nullopt}), "");
  EXPECT_TRUE(one_core_note({1, std::nullopt}).starts_with("1 core allowed (1 processor): "));
  EXPECT_TRUE(one_core_note({8, os::ProcessorQuota{100'000, 100'000}})
                  .starts_with("1 core allowed (8 processors, of whose time a cgroup allows 100000 "
                               "us in each 100000 us): "));
}

TEST(CoreWarnings, DefaultsHaveNoneAnywhere) {
  EXPECT_EQ(all_warnings(workers_that_wait(1, "BLOCK"), {1, std::nullopt}), "");
  EXPECT_EQ(all_warnings(workers_that_wait(1, "BLOCK"), {1, os::ProcessorQuota{1, 100'000}}), "");
  EXPECT_EQ(all_warnings(workers_that_wait(1, "SPIN_THEN_BLOCK"), {1, std::nullopt}), "");
}

TEST(CoreWarnings, MoreWorkersThanCoresAreReported) {
  EXPECT_EQ(all_warnings(workers_that_wait(3, "BLOCK"), {3, std::nullopt}), "");
  EXPECT_TRUE(support::has_message(all_warnings(workers_that_wait(3, "BLOCK"), {2, std::nullopt}),
                                   "E130", {"3 workers and 2 cores ", "(2 processors)"}));
}

TEST(CoreWarnings, WorkersThatNeverSleepAreToLeaveACore) {
  EXPECT_EQ(all_warnings(workers_that_wait(1, "SPIN"), {2, std::nullopt}), "");
  const std::string bare = all_warnings(workers_that_wait(1, "SPIN"), {1, std::nullopt});
  EXPECT_TRUE(support::has_message(bare, "E131", {"wait_mode=SPIN ", "from the workers"}));
  const std::string limited =
      all_warnings(workers_that_wait(1, "SPIN"), {8, os::ProcessorQuota{100'000, 100'000}});
  EXPECT_TRUE(support::has_message(limited, "E131", {"wait_mode=SPIN ", "quota"}));
}

}  // namespace
}  // namespace affix::config
