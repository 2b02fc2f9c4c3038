// SPDX-License-Identifier: MIT
// Several workers: sessions on several threads, connections passed to the worker that owns their
// session, two peers at once for one session, too many connections in transit, callers' own loops.
#include "support/raw_peer.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace affix::support {
namespace {

/// Answers each message with the next one; every session's part is used only by its own thread.
class Spread final : public host::Application {
 public:
  struct Part {
    std::thread::id thread;
    std::atomic<bool> moved{false};  ///< A callback came on another thread than the first.
    std::atomic<std::uint64_t> messages{0};
    std::atomic<int> logons{0};
    std::atomic<int> logouts{0};
  };

  explicit Spread(const config::Configuration& configuration) {
    for (const config::SessionSettings& session : configuration.sessions) {
      parts[session.name];
    }
  }

  void on_logon(host::SessionHandle session) noexcept override {
    ++part(session).logons;
    if (session.is_initiator()) {
      EXPECT_TRUE(send_order(session, "first").sent());
    }
  }

  void on_message(host::SessionHandle session, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    ++part(session).messages;
    static_cast<void>(send_order(session, "next"));  // Refused once the logout has begun.
  }

  void on_logout(host::SessionHandle session, std::string_view) noexcept override {
    ++part(session).logouts;
  }

  void on_event(const host::Event& event) noexcept override {
    const std::lock_guard guard(mutex);
    events.emplace_back(event.code, event.text);
  }

  [[nodiscard]] bool heard_code(base::MessageCode code, std::string_view part) {
    const std::lock_guard guard(mutex);
    return std::ranges::any_of(events, [&](const auto& event) {
      return event.first == code && event.second.find(part) != std::string::npos;
    });
  }

  [[nodiscard]] bool all_have(std::uint64_t messages) const {
    return std::all_of(parts.begin(), parts.end(),
                       [messages](const auto& one) { return one.second.messages >= messages; });
  }

  std::map<std::string, Part, std::less<>> parts;  ///< Never changes its shape.
  std::mutex mutex;
  std::vector<std::pair<base::MessageCode, std::string>> events;

 private:
  Part& part(host::SessionHandle session) {
    Part& found = parts.find(session.name())->second;
    if (found.thread == std::thread::id()) {
      found.thread = std::this_thread::get_id();
    }
    found.moved = found.moved || found.thread != std::this_thread::get_id();
    return found;
  }
};

/// Waits until `wanted`, while other threads work.
template <typename Wanted>
[[nodiscard]] bool wait_until(Wanted wanted) {
  return turn_until({}, wanted);
}

class EngineWorkers : public testing::Test {
 protected:
  static constexpr int sessions = 10;

  [[nodiscard]] config::Configuration venue_configuration(std::int64_t workers, int count) {
    config::Configuration configuration = acceptor_configuration();
    configuration.servers.front().worker_thread_count = workers;
    for (int session = 0; session < count; ++session) {
      add_session(configuration, "VENUE", "FIRM" + std::to_string(session),
                  directory_.path("venue"));
    }
    return configuration;
  }

  [[nodiscard]] config::Configuration firm_configuration(std::uint16_t port, std::int64_t workers,
                                                         int count) {
    config::Configuration configuration = initiator_configuration(port);
    configuration.clients.front().worker_thread_count = workers;
    for (int session = 0; session < count; ++session) {
      const std::string name = "FIRM" + std::to_string(session);
      add_session(configuration, name, "VENUE", directory_.path("firm")).name = name;
    }
    return configuration;
  }

  TemporaryDirectory directory_;
};

class EngineWorkersTrade : public EngineWorkers, public testing::WithParamInterface<int> {};

TEST_P(EngineWorkersTrade, EverySessionTradesOnOneThreadOfItsOwnWorker) {
  const int workers = GetParam();
  const config::Configuration venue_settings = venue_configuration(workers, sessions);
  Spread venue_application(venue_settings);
  const auto venue = open_engine(venue_settings, venue_application);
  ASSERT_TRUE(venue);
  EXPECT_EQ(venue->worker_count(), static_cast<std::size_t>(workers));
  EXPECT_EQ(venue->accepts_apart(), workers > 1);
  const config::Configuration firm_settings =
      firm_configuration(port_of(*venue), workers, sessions);
  Spread firm_application(firm_settings);
  const auto firm = open_engine(firm_settings, firm_application);
  ASSERT_TRUE(firm);

  std::thread venue_thread([&] { venue->run(); });
  std::thread firm_thread([&] { firm->run(); });
  EXPECT_TRUE(wait_until([&] { return firm_application.all_have(100); }));
  firm->request_stop();
  firm_thread.join();
  venue->request_stop();
  venue_thread.join();

  for (Spread* application : {&venue_application, &firm_application}) {
    std::set<std::thread::id> threads;
    for (const auto& [name, part] : application->parts) {
      EXPECT_FALSE(part.moved) << name;
      EXPECT_EQ(part.logons, 1) << name;
      EXPECT_EQ(part.logouts, 1) << name;
      threads.insert(part.thread);
    }
    EXPECT_EQ(threads.size(), static_cast<std::size_t>(workers));
  }
  for (int session = 0; session < sessions; ++session) {
    const host::SessionHandle ours = venue->sessions()[static_cast<std::size_t>(session)];
    const host::SessionHandle theirs = firm->session(ours.name());
    EXPECT_EQ(ours.worker(), static_cast<std::size_t>(session % workers));
    EXPECT_EQ(ours.next_target_seq(), theirs.next_sender_seq());
    EXPECT_EQ(ours.next_sender_seq(), theirs.next_target_seq());
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, EngineWorkersTrade, testing::Values(1, 2, 4));

/// A venue that runs on its own threads, for hand-written peers.
class RunningVenue : public EngineWorkers {
 protected:
  void start(const config::Configuration& configuration) {
    application_ = std::make_unique<Spread>(configuration);
    venue_ = open_engine(configuration, *application_);
    ASSERT_TRUE(venue_);
    thread_ = std::thread([this] { venue_->run(); });
  }

  void TearDown() override {
    peers_.clear();  // Nothing is left to wait for.
    if (thread_.joinable()) {
      venue_->request_stop();
      thread_.join();
    }
  }

  RawPeer& connect(const std::string& us) {
    RawPeer& peer = peers_.emplace_back(Engines{}, us, "VENUE");
    peer.connect(port_of(*venue_));
    return peer;
  }

  std::unique_ptr<Spread> application_;
  std::unique_ptr<engine::Engine> venue_;
  std::thread thread_;
  std::list<RawPeer> peers_;
};

TEST_F(RunningVenue, OfTwoLogonsForOneSessionAtOnceOneIsAnswered) {
  start(venue_configuration(2, 4));
  for (int round = 0; round < 20; ++round) {
    const std::string us = "FIRM" + std::to_string(round % 4);
    std::array<RawPeer*, 2> peers{&connect(us), &connect(us)};
    const std::string number = std::to_string(1 + round / 4 * 2);
    for (RawPeer* peer : peers) {
      peer->next_sequence = static_cast<std::uint64_t>(1 + round / 4 * 2);
      peer->send_logon();
    }
    std::array<bool, 2> answered{};
    ASSERT_TRUE(wait_until([&] {
      for (std::size_t one = 0; one < 2; ++one) {
        peers[one]->read();
        answered[one] = answered[one] || peers[one]->holds(
                                             "\x01"
                                             "35=A\x01");
      }
      return answered[0] != answered[1] && (peers[0]->ended() || peers[1]->ended());
    })) << round;
    RawPeer& winner = *peers[answered[0] ? 0 : 1];
    RawPeer& loser = *peers[answered[0] ? 1 : 0];
    EXPECT_FALSE(winner.ended());
    EXPECT_TRUE(loser.ended());
    winner.expect("A");
    winner.send("5");
    winner.expect("5");
    winner.close();
  }
  EXPECT_TRUE(application_->heard_code("N208", "has one"));
}

TEST_F(RunningVenue, MessagesAfterTheLogonAreNotLost) {
  start(venue_configuration(2, 2));
  for (const char* us : {"FIRM0", "FIRM1"}) {
    RawPeer& peer = connect(us);
    std::string bytes = peer.message("A", 1, "98=0|108=30|");
    for (std::uint64_t order = 2; order < 102; ++order) {
      bytes += peer.message("D", order, "11=x|55=ACME|54=1|");
    }
    peer.send_bytes(bytes);
    peer.expect("A");
    for (std::uint64_t order = 2; order < 102; ++order) {
      EXPECT_EQ(peer.expect("D").number(), order);
    }
  }
}

TEST_F(RunningVenue, GarbageAndStrangersReachNoWorker) {
  config::Configuration configuration = venue_configuration(2, 2);
  for (config::SessionSettings& session : configuration.sessions) {
    session.logon_timeout_seconds = 1;
  }
  start(configuration);
  connect("FIRM0").send_bytes("GET / HTTP/1.1\r\nHost: venue\r\n\r\n");
  connect("NOBODY").send_logon();
  connect("FIRM0").send("D", "11=1|");
  connect("FIRM1").send_bytes(
      "8=FIX.4.4\x01"
      "9=999999999\x01");
  RawPeer& half = connect("FIRM1");
  half.send_bytes(half.message("A", 1, "98=0|108=30|").substr(0, 40));
  connect("FIRM1");
  for (RawPeer& peer : peers_) {
    EXPECT_TRUE(peer.closed());
    EXPECT_FALSE(peer.holds("35="));
  }
  EXPECT_TRUE(wait_until([&] { return application_->heard_code("N204", "in time"); }));
  RawPeer& sound = connect("FIRM0");
  sound.log_on();
}

TEST_F(RunningVenue, StopsFromASignalHandlerWithSessionsOnEveryWorker) {
  static std::atomic<engine::Engine*> to_stop{nullptr};
  start(venue_configuration(3, 3));
  for (const char* us : {"FIRM0", "FIRM1", "FIRM2"}) {
    connect(us).log_on();
  }
  to_stop = venue_.get();
  std::signal(SIGUSR1, [](int) { to_stop.load()->request_stop(); });
  EXPECT_EQ(std::raise(SIGUSR1), 0);
  for (RawPeer& peer : peers_) {
    peer.expect("5");
    peer.send("5");
    EXPECT_TRUE(peer.closed());
    peer.close();
  }
  thread_.join();
  std::signal(SIGUSR1, SIG_DFL);
  for (const auto& [name, part] : application_->parts) {
    EXPECT_EQ(part.logouts, 1) << name;
  }
}

/// One worker is not driven at all, and its queue of connections fills.
TEST_F(EngineWorkers, ConnectionsForABusyWorkerAreBoundedAndTheRestIsClosed) {
  const config::Configuration configuration = venue_configuration(2, 2);
  Spread application(configuration);
  const auto venue = open_engine(configuration, application);
  ASSERT_TRUE(venue);
  constexpr int bound = 256;
  std::list<RawPeer> peers;
  for (int count = 0; count < bound + 5; ++count) {
    RawPeer& peer = peers.emplace_back(Engines{}, "FIRM1", "VENUE");
    peer.connect(port_of(*venue));
    peer.send_logon();
    while (venue->poll_acceptor(0)) {
    }
  }
  const auto closed = [&] {
    venue->poll_acceptor(0);
    return std::count_if(peers.begin(), peers.end(), [](RawPeer& peer) {
      peer.read();
      return peer.ended();
    });
  };
  EXPECT_TRUE(wait_until([&] { return closed() == 5; })) << closed();
  EXPECT_TRUE(application.heard_code("N209", "too many"));
  // The other worker's session is not affected.
  RawPeer other({}, "FIRM0", "VENUE");
  other.connect(port_of(*venue));
  other.send_logon();
  EXPECT_TRUE(wait_until([&] {
    venue->poll_acceptor(0);
    venue->worker(0).poll(0);
    return venue->session("FIRM0").logged_on();
  }));
  EXPECT_FALSE(venue->session("FIRM1").logged_on());
  // Now it is driven: exactly one peer is accepted.
  EXPECT_TRUE(wait_until([&] {
    venue->worker(1).poll(0);
    return closed() == bound + 4;
  })) << closed();
  EXPECT_TRUE(venue->session("FIRM1").logged_on());
}

TEST_F(EngineWorkers, LoopsOfTheCallersOwnDriveThem) {
  const config::Configuration venue_settings = venue_configuration(2, 2);
  Spread venue_application(venue_settings);
  const auto venue = open_engine(venue_settings, venue_application);
  ASSERT_TRUE(venue);
  const config::Configuration firm_settings = firm_configuration(port_of(*venue), 1, 2);
  Spread firm_application(firm_settings);
  const auto firm = open_engine(firm_settings, firm_application);
  ASSERT_TRUE(firm);

  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < venue->worker_count(); ++number) {
    threads.emplace_back([&, number] {
      const engine::WorkerHandle worker = venue->worker(number);
      EXPECT_EQ(worker.number(), number);
      while (!stop) {
        worker.poll(worker.now().steady_ns + base::ns_per_ms);
      }
      worker.finish("the end");
      while (!worker.all_down()) {
        worker.poll(worker.now().steady_ns + base::ns_per_ms);
      }
    });
  }
  threads.emplace_back([&] {
    while (!stop) {
      venue->poll_acceptor(os::now().steady_ns + base::ns_per_ms);
    }
    venue->finish_acceptor();
  });
  threads.emplace_back([&] {
    while (!stop) {
      venue->prepare_journals();
      std::this_thread::yield();
    }
  });
  EXPECT_TRUE(turn_until({firm.get()}, [&] { return firm_application.all_have(100); }));
  stop = true;
  EXPECT_TRUE(turn_until({firm.get()}, [&] {
    return std::all_of(firm_application.parts.begin(), firm_application.parts.end(),
                       [](const auto& one) { return one.second.logouts == 1; });
  }));
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
}  // namespace affix::support
