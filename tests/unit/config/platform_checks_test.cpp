// SPDX-License-Identifier: MIT
// Keys that ask a system for what it lacks.
#include "config/platform_checks.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace affix::config {

namespace {

constexpr os::Abilities none{.system = "Elsewhere"};
constexpr os::Abilities all{.system = "Somewhere",
                            .pins_threads = true,
                            .has_huge_pages = true,
                            .has_numa_nodes = true,
                            .passes_descriptors = true,
                            .stamps_bytes = true,
                            .acknowledges_at_once = true,
                            .polls_cards = true};

std::vector<std::string> keys_of(Findings& findings) {
  std::vector<std::string> keys;
  for (const Finding& finding : findings.take()) {
    EXPECT_EQ(finding.code, base::MessageCode("C247"));
    EXPECT_NE(finding.message.find("Elsewhere has no "), std::string::npos) << finding.message;
    keys.emplace_back(finding.key);
  }
  std::ranges::sort(keys);
  return keys;
}

using Keys = std::vector<std::string>;

EngineSettings demanding_engine() {
  EngineSettings settings;
  settings.keeper = "/run/affix-keep";
  settings.huge_pages = true;
  settings.numa_bind_node = 0;
  settings.management_server_cpu_core_id = 0;
  return settings;
}

InstanceSettings demanding_instance() {
  InstanceSettings settings;
  settings.cpu_core_id = 0;
  settings.worker_core_ids = "AUTO";
  settings.quick_ack = true;
  settings.busy_poll_microseconds = 50;
  settings.receive_time_stamps = ReceiveTimeStamps::Kernel;
  return settings;
}

}  // namespace

TEST(PlatformChecks, WhatASystemLacksIsRefusedByKey) {
  Findings findings;
  findings.look_at(GroupKind::Engine, "ENGINE");
  check_engine_platform(demanding_engine(), none, findings);
  EXPECT_EQ(keys_of(findings),
            (Keys{"huge_pages", "keeper", "management_server_cpu_core_id", "numa_bind_node"}));
  Findings of_instance;
  of_instance.look_at(GroupKind::Client, "CLIENT");
  check_instance_platform(demanding_instance(), none, of_instance);
  EXPECT_EQ(keys_of(of_instance), (Keys{"busy_poll_microseconds", "cpu_core_id", "quick_ack",
                                        "receive_time_stamps", "worker_core_ids"}));
}

TEST(PlatformChecks, StandardValuesAreRefusedNowhere) {
  Findings findings;
  check_engine_platform(EngineSettings(), none, findings);
  check_instance_platform(InstanceSettings(), none, findings);
  EXPECT_EQ(findings.count(), 0U);
}

TEST(PlatformChecks, WhatASystemHasIsRefusedNot) {
  Findings findings;
  check_engine_platform(demanding_engine(), all, findings);
  check_instance_platform(demanding_instance(), all, findings);
  EXPECT_EQ(findings.count(), 0U);
}

}  // namespace affix::config
