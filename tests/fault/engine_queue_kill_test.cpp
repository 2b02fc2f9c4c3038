// SPDX-License-Identifier: MIT
// A process queues messages while the session is down and is killed meanwhile: the peer gets every
// message reported as queued, in order and once.
#include "affix/config/words.hpp"

#include "support/venue_case.hpp"

#include <atomic>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace affix::support {
namespace {

constexpr int lives = 5;

class EngineQueueKill : public VenueCase, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    configuration_ = acceptor_configuration();
    config::SessionSettings& settings =
        add_session(configuration_, "VENUE", "FIRM", directory_.path());
    settings.send_while_disconnected = session::SendWhileDown::Queue;
    settings.send_queue_max = 1'000'000;
    EXPECT_TRUE(config::choose(settings, "durability", GetParam()));
    void* const shared = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    queued_ = new (shared) std::atomic<std::uint64_t>(0);
  }

  void TearDown() override { munmap(queued_, sizeof(std::atomic<std::uint64_t>)); }

  /// In its own process: queues orders named by their numbers until it is killed.
  [[noreturn]] void live() {
    auto engine = engine::Engine::open(configuration_, application_);
    if (!engine) {
      _exit(1);
    }
    const host::SessionHandle session = (*engine)->sessions().front();
    for (;;) {
      const std::string id = std::to_string(session.next_sender_seq());
      const host::SendResult result = send_order(session, id);
      if (!result.queued()) {
        _exit(2);
      }
      queued_->store(result.sequence);
    }
  }

  std::atomic<std::uint64_t>* queued_ = nullptr;
};

TEST_P(EngineQueueKill, QueuedMessagesReachThePeerAfterAKill) {
  for (int life = 1; life <= lives; ++life) {
    const std::uint64_t before = queued_->load();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      live();
    }
    const std::int64_t give_up_ns = os::now().steady_ns + patience_ns;
    while (queued_->load() < before + 100 && os::now().steady_ns < give_up_ns) {
      usleep(100);
    }
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    ASSERT_GE(queued_->load(), before + 100);
  }
  start();
  const std::uint64_t reported = queued_->load();
  const std::uint64_t next = session().next_sender_seq();
  // The last one may be stored but not reported.
  EXPECT_TRUE(next == reported + 1 || next == reported + 2) << next << " after " << reported;
  RawPeer& firm = connect();
  EXPECT_EQ(firm.log_on().number(), next);
  firm.send("2", "7=1|16=" + std::to_string(next - 1) + "|");
  for (std::uint64_t number = 1; number < next; ++number) {
    const RawMessage order = firm.expect("D");
    ASSERT_EQ(order.number(), number);
    ASSERT_EQ(order[11], std::to_string(number));
    ASSERT_EQ(order[43], "Y");
  }
}

INSTANTIATE_TEST_SUITE_P(Durabilities, EngineQueueKill,
                         ::testing::Values("process", "group", "sync"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace affix::support
