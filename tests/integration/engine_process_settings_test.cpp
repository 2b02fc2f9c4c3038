// SPDX-License-Identifier: MIT
// Settings that change the process or its sockets, checked in the kernel: NUMA binding, locked
// memory, busy polling.
#include "support/has_message.hpp"
#include "support/raw_peer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace affix::support {
namespace {

class EngineProcessSettings : public ::testing::Test {
 protected:
  EngineProcessSettings() {
    ::sched_getaffinity(0, sizeof cores_, &cores_);
    configuration_ = acceptor_configuration();
    add_session(configuration_, "VENUE", "FIRM", directory_.path()).max_serialised_file_size =
        1 << 20;
  }

  // Undoes the test's changes to the process.
  ~EngineProcessSettings() override {
    venue_.reset();
    ::sched_setaffinity(0, sizeof cores_, &cores_);
    ::syscall(SYS_set_mempolicy, MPOL_DEFAULT, nullptr, 0);
    ::munlockall();
  }

  [[nodiscard]] std::string problem() {
    const auto opened = engine::Engine::open(configuration_, application_);
    return opened ? std::string() : config::text_of(opened.error());
  }

  static std::string line_of(const char* path, std::string_view begin) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && !line.starts_with(begin)) {
    }
    return line;
  }

  cpu_set_t cores_{};
  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
};

/// The policy of the calling thread, and whether it only has node 0.
std::pair<int, bool> memory_policy() {
  int mode = -1;
  std::array<unsigned long, 16> nodes{};
  if (::syscall(SYS_get_mempolicy, &mode, nodes.data(), 8 * sizeof nodes, nullptr, 0) != 0) {
    return {-1, false};
  }
  const bool first_only =
      nodes[0] == 1 &&
      std::all_of(nodes.begin() + 1, nodes.end(), [](unsigned long word) { return word == 0; });
  return {mode, first_only};
}

TEST_F(EngineProcessSettings, ANumaNodeHasTheProcessAndItsMemory) {
  if (line_of("/sys/devices/system/node/node0/cpulist", "").empty() || memory_policy().first < 0) {
    GTEST_SKIP() << "no NUMA nodes here, or no policies";
  }
  configuration_.engine.numa_bind_node = 0;
  venue_ = open_engine(configuration_, application_);
  ASSERT_TRUE(venue_);
  EXPECT_EQ(memory_policy().first, MPOL_DEFAULT) << "memory was not asked for";
  venue_.reset();
  configuration_.engine.numa_aware_allocations = true;
  venue_ = open_engine(configuration_, application_);
  ASSERT_TRUE(venue_);
  EXPECT_EQ(memory_policy(), std::pair(int{MPOL_BIND}, true));
  std::pair<int, bool> inherited;
  std::thread([&] { inherited = memory_policy(); }).join();
  EXPECT_EQ(inherited, std::pair(int{MPOL_BIND}, true));
}

TEST_F(EngineProcessSettings, ANumaNodeNarrowsWhereTheProcessRuns) {
  if (line_of("/sys/devices/system/node/node0/cpulist", "").empty() || CPU_COUNT(&cores_) < 2) {
    GTEST_SKIP() << "one core or no NUMA nodes here";
  }
  // Cores that were not allowed before stay so.
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &cores_)) {
      CPU_SET(static_cast<std::size_t>(core), &one);
    }
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  configuration_.engine.numa_bind_node = 0;
  venue_ = open_engine(configuration_, application_);
  ASSERT_TRUE(venue_);
  cpu_set_t now;
  ASSERT_EQ(::sched_getaffinity(0, sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &one));
}

TEST_F(EngineProcessSettings, ANumaNodeThatIsNotThereIsAProblem) {
  configuration_.engine.numa_bind_node = 1'023;
  EXPECT_TRUE(has_message(problem(), "E102", {"1023"}));
}

// Sanitizers make mlockall() do nothing, since their own memory is too large to be locked.
constexpr bool locks_are_real =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    false;
#else
    true;
#endif
#else
    true;
#endif

TEST_F(EngineProcessSettings, LockedPagesAreLocked) {
  if (!locks_are_real) {
    GTEST_SKIP() << "a sanitizer keeps pages from being locked";
  }
  rlimit limit{};
  ::getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur != RLIM_INFINITY && ::geteuid() != 0) {
    GTEST_SKIP() << "the process may not lock so much";
  }
  const auto locked_kib = [] {
    const std::string line = line_of("/proc/self/status", "VmLck:");
    return std::atoll(line.c_str() + std::string_view("VmLck:").size());
  };
  EXPECT_EQ(locked_kib(), 0);
  configuration_.engine.lock_pages = true;
  if (const std::string why = problem(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  EXPECT_GT(locked_kib(), 1'000);
}

TEST_F(EngineProcessSettings, BusyPollingIsSetOnItsSockets) {
  configuration_.servers.front().busy_poll_microseconds = 37;
  if (const std::string why = problem(); why.find("busy_poll") != std::string::npos) {
    GTEST_SKIP() << "the process may not: " << why;
  }
  venue_ = open_engine(configuration_, application_);
  ASSERT_TRUE(venue_);
  RawPeer peer(Engines{venue_.get()}, "FIRM", "VENUE");
  peer.connect(port_of(*venue_));
  static_cast<void>(peer.log_on());
  int found = 0;
  for (int fd = 3; fd < 256; ++fd) {
    int type = 0;
    int polls = 0;
    socklen_t size = sizeof type;
    if (fd != peer.fd() && ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
        type == SOCK_STREAM && ::getsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &polls, &size) == 0) {
      found += polls == 37 ? 1 : 0;
    }
  }
  EXPECT_GE(found, 1) << "neither the accepted socket nor the listener has it";
}

}  // namespace
}  // namespace affix::support
