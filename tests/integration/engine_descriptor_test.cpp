// SPDX-License-Identifier: MIT
// Engines in a loop that waits for their descriptors only: it has no timeout of its own, so a
// descriptor that misses something stops the test.
#include "affix/config/words.hpp"
#include "affix/net/reactor.hpp"

#include "support/tls_case.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <poll.h>
#include <string>
#include <thread>
#include <tuple>

namespace affix::support {
namespace {

/// The loop of a program: turns an engine when its descriptor is readable.
class Loop {
 public:
  /// Adds an engine, and begins its first turn.
  void add(engine::Engine& engine) {
    const auto descriptor = engine.descriptor();
    ASSERT_TRUE(descriptor) << descriptor.error().message;
    ASSERT_EQ(engine.descriptor().value(), *descriptor);
    engines_.push_back(&engine);
    descriptors_.push_back({.fd = *descriptor, .events = POLLIN, .revents = 0});
    turn(engine);
  }

  void remove(const engine::Engine& engine) {
    const auto at = std::find(engines_.begin(), engines_.end(), &engine) - engines_.begin();
    engines_.erase(engines_.begin() + at);
    descriptors_.erase(descriptors_.begin() + at);
  }

  void turn(engine::Engine& engine) {
    ++turns;
    engine.poll(0);
    engine.prepare_journals();
  }

  /// False if no descriptor became readable for `patience`, or too long after.
  [[nodiscard]] bool run_until(const std::function<bool()>& wanted,
                               std::int64_t patience = patience_ns) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience;
    while (!wanted()) {
      const std::int64_t left_ms = (give_up_ns - os::now().steady_ns) / base::ns_per_ms;
      if (left_ms <= 0 ||
          ::poll(descriptors_.data(), descriptors_.size(), static_cast<int>(left_ms)) <= 0) {
        return wanted();
      }
      for (std::size_t at = 0; at < engines_.size(); ++at) {
        if (descriptors_[at].revents != 0) {
          turn(*engines_[at]);
        }
      }
    }
    return true;
  }

  int turns = 0;

 private:
  Engines engines_;
  std::vector<pollfd> descriptors_;
};

using Kind = std::tuple<std::string, std::string, bool>;

/// Both engines on one loop, until their session is logged on.
bool log_on(Loop& loop, Pair& pair) {
  loop.add(*pair.acceptor);
  loop.add(*pair.initiator);
  return loop.run_until([&] { return pair.firm().logged_on() && pair.venue().logged_on(); });
}

class EngineDescriptor : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (tested_workers() != 1) {
      GTEST_SKIP() << "one loop drives one worker";
    }
    if (tested_reactor() == config::ReactorKind::Poll) {
      GTEST_SKIP() << "poll() has no descriptor";
    }
  }

  [[nodiscard]] std::function<void(config::Configuration&)> adjust(
      const std::function<void(config::SessionSettings&)>& session = {}) {
    return [this, session](config::Configuration& configuration) {
      const auto& [reactor, wait_mode, tls] = GetParam();
      const auto choose = [&](config::InstanceSettings& instance) {
        EXPECT_TRUE(config::choose(instance, "reactor", reactor));
        EXPECT_TRUE(config::choose(instance, "wait_mode", wait_mode));
      };
      std::for_each(configuration.servers.begin(), configuration.servers.end(), choose);
      std::for_each(configuration.clients.begin(), configuration.clients.end(), choose);
      if (tls) {
        if (!files) {
          files.emplace();
        }
        files->secure(configuration);
      }
      if (session) {
        session(configuration.sessions.front());
      }
    };
  }

  std::optional<TlsFiles> files;
};

TEST_P(EngineDescriptor, OrdersGoBothWaysAndBothSidesLogOut) {
  Pair pair("FIX.4.4", adjust());
  pair.venue_application.when_message =
      [](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        wire::Encoder report = session.begin("8");
        report.text(11, message.find(11U).value_or("?"));
        EXPECT_TRUE(session.commit(report).sent());
      };
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  for (std::size_t order = 1; order <= 200; ++order) {
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(order)).sent());
    ASSERT_TRUE(loop.run_until([&] { return pair.firm_application.messages.size() == order; }));
  }
  pair.firm().logout("done");
  ASSERT_TRUE(loop.run_until(
      [&] { return pair.firm().disconnected() && pair.venue_application.logouts.size() == 1; }));
}

TEST_P(EngineDescriptor, CommandsBetweenTurnsMakeItReadable) {
  Pair pair("FIX.4.4", adjust([](config::SessionSettings& session) {
              session.send_throttle_limit = 5;
              session.send_throttle_action = config::SendThrottleAction::Refuse;
              session.send_throttle_window_in_milliseconds = 100;
            }));
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  std::size_t sent = 0;
  while (send_order(pair.firm(), std::to_string(sent)).sent()) {
    ++sent;
    ASSERT_LT(sent, 100U);
  }
  ASSERT_TRUE(loop.run_until([&] { return pair.firm_application.rooms == 1; }));
  ASSERT_TRUE(send_order(pair.firm(), "again").sent());
  pair.firm().logout("done");
  ASSERT_TRUE(loop.run_until([&] { return pair.firm().disconnected(); }));
  pair.firm().connect();
  ASSERT_TRUE(loop.run_until([&] { return pair.firm_application.logons.size() == 2; }));
}

TEST_P(EngineDescriptor, AMessageThatWaitsForTheDiskLeaves) {
  Pair pair("FIX.4.4", adjust([](config::SessionSettings& session) {
              session.durability = journal::Durability::Sync;
            }));
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  for (std::size_t order = 1; order <= 5; ++order) {
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(order)).sent());
    ASSERT_TRUE(loop.run_until([&] { return pair.venue_application.messages.size() == order; }));
  }
}

TEST_P(EngineDescriptor, AnIdleSessionSendsHeartbeatsAndTakesFewTurns) {
  Pair pair("FIX.4.4", adjust([](config::SessionSettings& session) {
              session.heartbeat_interval_seconds = 1;
            }));
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  loop.turns = 0;
  const auto beats = [](const Recorder& application) {
    return std::ranges::count(application.admin_types, '0');
  };
  ASSERT_TRUE(loop.run_until(
      [&] { return beats(pair.firm_application) >= 2 && beats(pair.venue_application) >= 2; }));
  // A descriptor that stays readable costs tens of thousands in this time.
  EXPECT_LT(loop.turns, 400);
}

TEST_P(EngineDescriptor, ConnectsAgainByItsTimer) {
  Pair pair("FIX.4.4", adjust());
  pair.keep_port();
  Loop loop;
  loop.add(*pair.acceptor);
  loop.add(*pair.initiator);
  ASSERT_TRUE(loop.run_until([&] { return pair.firm().logged_on(); }));
  loop.remove(*pair.acceptor);
  pair.acceptor.reset();
  ASSERT_TRUE(loop.run_until([&] { return pair.firm_application.logouts.size() == 1; }));
  ASSERT_TRUE(loop.run_until([&] { return pair.firm_application.heard("connect"); }));
  pair.open_venue();
  loop.add(*pair.acceptor);
  ASSERT_TRUE(loop.run_until([&] { return pair.firm_application.logons.size() == 2; }))
      << pair.firm_application.all_events() << pair.venue_application.all_events();
}

TEST_P(EngineDescriptor, AWakeOfAnotherThreadMakesItReadable) {
  Pair pair("FIX.4.4", adjust());
  int woken = 0;
  pair.firm_application.when_woken = [&] { ++woken; };
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  for (int wake = 1; wake <= 50; ++wake) {
    const int before = woken;
    std::thread other([&] { pair.initiator->wake(); });
    EXPECT_TRUE(loop.run_until([&] { return woken > before; }));
    other.join();
  }
}

TEST_P(EngineDescriptor, APeerThatReadsNothingHoldsTheSenderUpOnlyUntilItReads) {
  Pair pair("FIX.4.4", adjust());
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  loop.remove(*pair.acceptor);
  const std::string text(8'000, 'x');
  std::size_t sent = 0;
  while (send_order(pair.firm(), std::to_string(sent), text).sent()) {
    ++sent;
    ASSERT_LT(sent, 100'000U);
  }
  ASSERT_EQ(pair.firm_application.rooms, 0);
  loop.add(*pair.acceptor);
  ASSERT_TRUE(loop.run_until([&] {
    return pair.firm_application.rooms == 1 && pair.venue_application.messages.size() == sent;
  }));
}

TEST_P(EngineDescriptor, FinishWaitsByItself) {
  Pair pair("FIX.4.4", adjust());
  Loop loop;
  ASSERT_TRUE(log_on(loop, pair));
  loop.remove(*pair.initiator);
  std::thread venue([&] {
    static_cast<void>(loop.run_until([&] { return pair.venue_application.logouts.size() == 1; }));
  });
  EXPECT_TRUE(pair.initiator->finish("done", os::now().steady_ns + patience_ns));
  venue.join();
}

std::vector<Kind> kinds() {
  std::vector<Kind> all = {{"EPOLL", "BLOCK", false}, {"EPOLL", "SPIN", false}};
  all.emplace_back("EPOLL", "BLOCK", true);
  if (net::make_reactor("io_uring", {})) {
    all.emplace_back("IO_URING", "BLOCK", false);
    all.emplace_back("IO_URING", "SPIN", true);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EngineDescriptor, testing::ValuesIn(kinds()), [](const auto& kind) {
  std::string name =
      std::get<0>(kind.param) + std::get<1>(kind.param) + (std::get<2>(kind.param) ? "Tls" : "");
  std::erase(name, '_');
  return name;
});

TEST(EngineWithoutDescriptor, SaysSoWithPoll) {
  config::Configuration configuration = acceptor_configuration();
  const TemporaryDirectory directory;
  add_session(configuration, "VENUE", "FIRM", directory.path("venue"));
  configuration.servers.front().reactor = config::ReactorKind::Poll;
  configuration.servers.front().worker_thread_count = 1;
  Recorder application;
  const auto engine = engine::Engine::open(configuration, application);
  ASSERT_TRUE(engine);
  const auto descriptor = (*engine)->descriptor();
  ASSERT_FALSE(descriptor);
  EXPECT_EQ(descriptor.error().code, base::ErrorCode::Unsupported);
}

TEST(EngineWithoutDescriptor, SaysSoWithSeveralWorkers) {
  config::Configuration configuration = acceptor_configuration();
  const TemporaryDirectory directory;
  add_session(configuration, "VENUE", "FIRM", directory.path("venue"));
  configuration.servers.front().worker_thread_count = 2;
  Recorder application;
  const auto engine = engine::Engine::open(configuration, application);
  ASSERT_TRUE(engine);
  const auto descriptor = (*engine)->descriptor();
  ASSERT_FALSE(descriptor);
  EXPECT_EQ(descriptor.error().code, base::ErrorCode::Unsupported);
  EXPECT_TRUE((*engine)->worker(0).descriptor());
}

}  // namespace
}  // namespace affix::support
