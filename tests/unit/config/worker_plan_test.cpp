// SPDX-License-Identifier: MIT
// Assignment of sessions to workers, and of workers to cores.
#include "config/worker_plan.hpp"

#include "os/cores.hpp"
#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::config {
namespace {

using Places = std::vector<std::size_t>;
using Cores = std::vector<std::int64_t>;

Configuration with_groups(std::int64_t server_workers, std::int64_t client_workers) {
  Configuration configuration;
  configuration.servers.emplace_back();
  configuration.servers.back().name = "SERVER";
  configuration.servers.back().worker_thread_count = server_workers;
  configuration.clients.emplace_back();
  configuration.clients.back().name = "CLIENT";
  configuration.clients.back().worker_thread_count = client_workers;
  return configuration;
}

void add_sessions(Configuration& configuration, const std::string& instance, int count) {
  for (int session = 0; session < count; ++session) {
    configuration.sessions.emplace_back();
    configuration.sessions.back().name = instance + std::to_string(session);
    configuration.sessions.back().instance = instance;
  }
}

std::string refusal(const Configuration& configuration) {
  const auto plan = plan_workers(configuration);
  return plan ? "planned" : text_of(problems_of(plan.error()));
}

TEST(WorkerPlan, OneWorkerHasEverything) {
  Configuration configuration = with_groups(1, 1);
  configuration.servers.front().cpu_core_id = 3;
  add_sessions(configuration, "SERVER", 2);
  add_sessions(configuration, "CLIENT", 2);
  const auto plan = plan_workers(configuration);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->workers.size(), 1U);
  EXPECT_EQ(plan->workers[0].sessions, (Places{0, 1, 2, 3}));
  EXPECT_EQ(plan->workers[0].core, 3);
  EXPECT_FALSE(plan->accepts_apart);
}

TEST(WorkerPlan, SessionsGoInTurnToTheWorkersOfTheirGroup) {
  Configuration configuration = with_groups(3, 2);
  add_sessions(configuration, "SERVER", 4);
  add_sessions(configuration, "CLIENT", 3);
  const auto plan = plan_workers(configuration);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->workers.size(), 3U);
  EXPECT_EQ(plan->workers[0].sessions, (Places{0, 3, 4, 6}));
  EXPECT_EQ(plan->workers[1].sessions, (Places{1, 5}));
  EXPECT_EQ(plan->workers[2].sessions, (Places{2}));
  EXPECT_EQ(plan->workers[2].number, 2U);
  EXPECT_TRUE(plan->accepts_apart);
}

TEST(WorkerPlan, ClientsAloneNeedNoAcceptor) {
  Configuration configuration = with_groups(1, 4);
  configuration.servers.clear();
  add_sessions(configuration, "CLIENT", 1);
  const auto plan = plan_workers(configuration);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->workers.size(), 4U);
  EXPECT_FALSE(plan->accepts_apart);
}

TEST(WorkerPlan, ASessionMayNameItsWorker) {
  Configuration configuration = with_groups(3, 1);
  add_sessions(configuration, "SERVER", 3);
  configuration.sessions[0].worker = 2;
  const auto plan = plan_workers(configuration);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->workers[2].sessions, (Places{0}));
  // It does not count for the rotation.
  EXPECT_EQ(plan->workers[0].sessions, (Places{1}));
  EXPECT_EQ(plan->workers[1].sessions, (Places{2}));
  configuration.sessions[0].worker = 3;
  EXPECT_TRUE(support::has_message(refusal(configuration), "E103",
                                   {"[SERVER0]: ", "worker 3 ", " 3 of [SERVER]"}));
  // The group's number of workers applies, not the engine's.
  configuration.sessions[0].worker = -1;
  add_sessions(configuration, "CLIENT", 1);
  configuration.sessions.back().worker = 1;
  EXPECT_TRUE(support::has_message(refusal(configuration), "E103",
                                   {"[CLIENT0]: ", "worker 1 ", " 1 of [CLIENT]"}));
}

TEST(WorkerPlan, NoCountMeansTheProcessesCores) {
  const auto plan = plan_workers(with_groups(0, 1));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->workers.size(), os::physical_cores().size());
}

TEST(WorkerPlan, CoresAreNamedOrTakenInTheirOrder) {
  Configuration configuration = with_groups(3, 3);
  configuration.servers.front().cpu_core_id = 7;
  configuration.servers.front().worker_core_ids = "4, 5";
  configuration.clients.front().worker_core_ids = "8,9,10";
  const auto plan = plan_workers(configuration);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->acceptor_core, 7);
  EXPECT_EQ(plan->workers[0].core, 4);
  EXPECT_EQ(plan->workers[1].core, 5);
  EXPECT_EQ(plan->workers[2].core, 10) << "whom no earlier group has pinned";
  EXPECT_EQ(worker_cores("AUTO", {0, 2, 4}).value(), (Cores{0, 2, 4}));
  EXPECT_EQ(worker_cores(" AUTO ", {1}).value(), (Cores{1}));
  EXPECT_EQ(worker_cores("", {1}).value(), Cores{});
  for (const char* wrong : {",4", "4,,5", "x", "-1", "4096", "1 2", "AUTO,1"}) {
    EXPECT_FALSE(worker_cores(wrong, {})) << wrong;
  }
  configuration.servers.front().worker_core_ids = "four";
  EXPECT_TRUE(
      support::has_message(refusal(configuration), "E103", {"[SERVER]: ", "'four'", "0 to 4095"}));
}

}  // namespace
}  // namespace affix::config
