// SPDX-License-Identifier: MIT
// Findings of `affix doctor` about a configuration on a machine without findings.
#include "doctor/checks.hpp"
#include "doctor/configuration_needs.hpp"
#include "doctor/instances.hpp"
#include "doctor_machine.hpp"

#include <gtest/gtest.h>

namespace affix::tools::doctor {
namespace {

class DoctorConfiguration : public testing::Test {
 protected:
  DoctorConfiguration() {
    affix::config::ServerSettings server;
    server.name = "S";
    server.wait_mode = config::WaitMode::Spin;
    server.cpu_core_id = 2;
    configuration_.servers.push_back(server);
    affix::config::SessionSettings session;
    session.name = "A";
    session.instance = "S";
    session.journal_path = "/var/lib/affix";
    configuration_.sessions.push_back(session);
  }

  affix::config::ServerSettings& server() { return configuration_.servers.front(); }

  affix::config::SessionSettings& session() { return configuration_.sessions.front(); }

  Findings all() {
    return check_configuration(machine_.files(), machine_.measured, configuration_);
  }

  std::string cost() { return dear(all()); }

  Machine machine_;
  affix::config::Configuration configuration_;
};

TEST_F(DoctorConfiguration, OfAGoodOneNothingCosts) {
  EXPECT_EQ(cost(), "");
  for (const char* const name : {"durability", "waiting", "workers", "pinning", "open-files",
                                 "locked-memory", "socket-buffers"}) {
    EXPECT_TRUE(said(all(), name).starts_with("fine: ")) << name << " " << said(all(), name);
  }
}

TEST_F(DoctorConfiguration, EachMessageThatWaitsForTheDisk) {
  session().durability = journal::Durability::Sync;
  EXPECT_EQ(cost(),
            "durability: durability=sync of A; each message waits for the disk: 90.000 us here, "
            "900.000 us at most; durability=group, which loses milliseconds with the machine's "
            "power and no number, or process\n");
  // Each kind by itself, including templates.
  for (const char* const name : {"B", "C", "D", "E"}) {
    configuration_.templates.push_back(session());
    configuration_.templates.back().name = name;
  }
  session().durability = journal::Durability::Group;
  EXPECT_TRUE(cost().starts_with("durability: durability=sync of B, C, D and 1 more; ")) << cost();
  EXPECT_EQ(said(all(), "durability"), "fine: durability=group of A");
}

TEST_F(DoctorConfiguration, AWorkerThatSleepsWhereItCouldSpin) {
  server().wait_mode = config::WaitMode::Block;
  EXPECT_TRUE(
      cost().starts_with("waiting: [S] waits by wait_mode=BLOCK; a message that comes while "
                         "its worker sleeps waits until it runs: 4.000 us here, 1 of 100 "
                         "9.000 us; wait_mode=SPIN"))
      << cost();
  server().worker_thread_count = 4;
  server().cpu_core_id = -1;
  EXPECT_EQ(cost(), "");
  EXPECT_TRUE(said(all(), "waiting").ends_with("and there is no processor to spin on"));
}

TEST_F(DoctorConfiguration, MoreWorkersThanProcessors) {
  server().wait_mode = config::WaitMode::Block;
  server().worker_thread_count = 5;
  server().cpu_core_id = -1;
  EXPECT_EQ(cost(),
            "workers: 5 workers, of which 0 spin, on 4 processors; workers wait for each other's "
            "processors; worker_thread_count for all groups together of at most 4\n");
  machine_.remove("/proc/self/status");
  EXPECT_TRUE(said(all(), "workers").starts_with("unknown: "));
}

TEST_F(DoctorConfiguration, WorkersThatSpinLeaveNoProcessor) {
  machine_.set("/proc/self/status", "Cpus_allowed_list:\t2\n");
  EXPECT_TRUE(cost().starts_with("workers: 1 workers, of which 1 spin, on 1 processors; "))
      << cost();
  server().wait_mode = config::WaitMode::SpinThenBlock;
  EXPECT_EQ(cost(), "");
}

TEST_F(DoctorConfiguration, OneThatSpinsAnywhere) {
  server().cpu_core_id = -1;
  EXPECT_TRUE(cost().starts_with("pinning: [S] spins and is pinned nowhere; ")) << cost();
}

TEST_F(DoctorConfiguration, OneThatIsPinnedWhereItMayNotRun) {
  machine_.set("/sys/devices/system/cpu/isolated", "");
  server().cpu_core_id = 7;
  EXPECT_TRUE(
      cost().starts_with("pinning: [S] has a worker on processor 7; this process may use 0-3 "
                         "only, so it runs anywhere; "))
      << cost();
}

TEST_F(DoctorConfiguration, TwoOnOneProcessor) {
  affix::config::ClientSettings client;
  client.name = "C";
  client.wait_mode = config::WaitMode::Spin;
  client.cpu_core_id = 2;
  configuration_.clients.push_back(client);
  EXPECT_TRUE(
      cost().starts_with("pinning: [S] has a worker on processor 2; a worker of [C] is "
                         "there, too"))
      << cost();
}

TEST_F(DoctorConfiguration, TwoOnHalvesOfOneCore) {
  server().cpu_core_id = -1;
  server().worker_thread_count = 2;
  server().worker_core_ids = "3, 2";
  EXPECT_EQ(cost(), "");
  machine_.set("/sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2-3\n");
  machine_.set("/sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "2-3\n");
  EXPECT_TRUE(
      cost().starts_with("pinning: workers are on processors 2 and 3; they are halves of one "
                         "core"))
      << cost();
}

TEST_F(DoctorConfiguration, InterruptsWhereAWorkerIsPinned) {
  machine_.set("/proc/irq/24/effective_affinity_list", "2\n");
  EXPECT_TRUE(
      cost().starts_with("pinning: interrupts 24 (eth0-rx-0) come to workers' processors; "))
      << cost();
}

TEST_F(DoctorConfiguration, PinnedBesideTheCoresThatAreKeptFree) {
  server().cpu_core_id = 1;
  EXPECT_TRUE(cost().starts_with("pinning: workers are on processors 1, and 2-3 are kept free; "))
      << cost();
}

TEST_F(DoctorConfiguration, MoreSessionsThanOpenFilesAllow) {
  configuration_.templates.push_back(session());
  configuration_.templates.back().template_sessions_max = 1'000;
  machine_.set_limits("4096", "unlimited");
  EXPECT_TRUE(
      cost().starts_with("open-files: 1065 sessions may need 4772 open files, and 4096 are "
                         "allowed; "))
      << cost();
  machine_.remove("/proc/self/limits");
  EXPECT_TRUE(said(all(), "open-files").starts_with("unknown: "));
}

TEST_F(DoctorConfiguration, MemoryThatMayNotBeLocked) {
  configuration_.engine.lock_pages = true;
  EXPECT_EQ(cost(), "");
  machine_.set_limits("1048576", "8388608");
  EXPECT_TRUE(
      cost().starts_with("locked-memory: lock_pages=true, and 8388608 bytes may be locked; "))
      << cost();
}

TEST_F(DoctorConfiguration, HugePagesThatTheKernelHasNot) {
  configuration_.engine.huge_pages = true;
  EXPECT_EQ(cost(), "");
  machine_.set("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
  EXPECT_TRUE(
      cost().starts_with("huge-pages: huge_pages=true, and transparent huge pages are never; "))
      << cost();
}

TEST_F(DoctorConfiguration, SocketsThatAreLargerThanTheSystemGives) {
  server().socket_tx_size = 4'194'304;
  EXPECT_TRUE(
      cost().starts_with("socket-buffers: [S] has socket_tx_size=4194304, and the system "
                         "gives 212992; "))
      << cost();
  machine_.remove("/proc/sys/net/core");
  EXPECT_EQ(cost(), "");
}

TEST_F(DoctorConfiguration, AnArchiveThatCopies) {
  session().journal_archive_path = "/var/archive";
  EXPECT_EQ(said(all(), "archive"),
            "fine: segments go from /var/lib/affix to /var/archive, in one file system");
  session().journal_archive_path = "/mnt/turning/archive";
  EXPECT_TRUE(
      cost().starts_with("archive: segments go from /var/lib/affix to /mnt/turning/archive, "
                         "in another file system; each is copied, 64 MiB or less"))
      << cost();
  machine_.remove("/proc/self/mountinfo");
  EXPECT_TRUE(said(all(), "archive").starts_with("unknown: "));
}

TEST_F(DoctorConfiguration, JournalsOfEachFileSystemAreLookedAtOnce) {
  for (const char* const folder : {"/var/lib/affix/b", "/mnt/turning/c"}) {
    configuration_.sessions.push_back(session());
    configuration_.sessions.back().journal_path = folder;
  }
  configuration_.sessions.push_back(session());
  configuration_.sessions.back().journal_path = "/mnt/memory/d";
  configuration_.sessions.back().durability = journal::Durability::Memory;
  EXPECT_EQ(journal_folders(machine_.files(), configuration_),
            (std::vector<std::string>{"/var/lib/affix", "/mnt/turning/c"}));
}

TEST_F(DoctorConfiguration, WorkersAreCountedAsTheyAreStarted) {
  server().worker_thread_count = 0;
  server().worker_core_ids = "AUTO";
  const auto automatic = instances_of(configuration_, {0, 1, 5});
  ASSERT_EQ(automatic.size(), 1U);
  EXPECT_EQ(automatic.front().workers, 3U);
  EXPECT_EQ(automatic.front().pinned, (std::vector<std::int64_t>{0, 1, 5}));
  server().worker_thread_count = 2;
  server().worker_core_ids = "5,0";
  EXPECT_EQ(instances_of(configuration_, {0, 1, 5}).front().pinned,
            (std::vector<std::int64_t>{5, 0}));
}

}  // namespace
}  // namespace affix::tools::doctor
