// SPDX-License-Identifier: MIT
// Memory of the process for many sessions: little while they are idle, logged on or not, and no
// more after all of them were busy in the same turn, or had a heartbeat due in it.
#include "support/own_memory.hpp"
#include "support/raw_peer.hpp"

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <thread>

namespace affix::support {
namespace {

constexpr int sessions_count = 150;
constexpr double at_rest_kib_max = 14.5;  // 3 of them are its settings.

double own_kib() {
  return static_cast<double>(own_memory_bytes()) / 1024;
}

/// Reports and stores nothing.
class Silent final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    wire::Encoder report = session.begin("8");
    report.text(58, "taken");
    sent += session.commit(report).sent() ? 1 : 0;
  }

  int sent = 0;
};

config::Configuration configuration_of(int sessions, const std::string& journals) {
  config::Configuration configuration = acceptor_configuration();
  for (int session = 0; session < sessions; ++session) {
    config::SessionSettings& settings =
        add_session(configuration, "VENUE", "FIRM" + std::to_string(session), journals);
    settings.name = settings.target_comp_id;
    settings.max_serialised_file_size = 1 << 20;
    settings.validations_enabled = false;
  }
  return configuration;
}

class EngineMemory : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's memory counts too";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "a sanitizer's memory counts too";
#endif
#endif
  }
};

TEST_F(EngineMemory, SessionsAtRestHaveNoBuffers) {
  const TemporaryDirectory directory;
  Silent application;
  const double at_first = own_kib();
  const auto alone = open_engine(configuration_of(1, directory.path("alone")), application);
  ASSERT_TRUE(alone);
  // The cost of an engine, its workers and one session is not that of a further session.
  const double before = 2 * own_kib() - at_first;
  const std::unique_ptr<engine::Engine> venue =
      open_engine(configuration_of(sessions_count, directory.path("venue")), application);
  ASSERT_TRUE(venue);
  EXPECT_LE((own_kib() - before) / sessions_count, at_rest_kib_max) << "after opening";
  std::list<RawPeer> peers;
  for (int session = 0; session < sessions_count; ++session) {
    peers.emplace_back(Engines{venue.get()}, "FIRM" + std::to_string(session), "VENUE")
        .connect(port_of(*venue));
    static_cast<void>(peers.back().log_on());
  }
  // The peers' memory in this process is counted before: they are read one after the other.
  const double logged_on = own_kib();
  EXPECT_LE((logged_on - before) / sessions_count, at_rest_kib_max) << "after the logons";
  for (RawPeer& peer : peers) {
    peer.send("D", "11=all in one turn|");
  }
  for (RawPeer& peer : peers) {
    static_cast<void>(peer.expect("8"));
  }
  EXPECT_EQ(application.sent, sessions_count);
  // One set of buffers a turn is given back once there are clearly too many.
  const bool small_again = turn_until(
      Engines{venue.get()}, [&] { return own_kib() - logged_on <= 4.0 * sessions_count; });
  EXPECT_TRUE(small_again) << (own_kib() - logged_on) / sessions_count << " KiB a session more";
}

TEST_F(EngineMemory, JournalsInMemoryTakeAsMuchAsTheyStore) {
  const TemporaryDirectory directory;
  Silent application;
  const auto in_memory = [&directory](int sessions) {
    config::Configuration configuration = configuration_of(sessions, directory.path());
    for (config::SessionSettings& session : configuration.sessions) {
      session.durability = journal::Durability::Memory;
    }
    return configuration;
  };
  const double at_first = own_kib();
  const auto alone = open_engine(in_memory(1), application);
  ASSERT_TRUE(alone);
  const double before = 2 * own_kib() - at_first;
  const auto venue = open_engine(in_memory(sessions_count), application);
  ASSERT_TRUE(venue);
  const double opened = (own_kib() - before) / sessions_count;
  constexpr double segments_kib = 17 * 128 / 1024.0;  // The ring's data about each.
  EXPECT_LE(opened, at_rest_kib_max + segments_kib + 8)
      << "two pages: a header, and where the first record goes";
  std::list<RawPeer> peers;
  for (int session = 0; session < sessions_count; ++session) {
    peers.emplace_back(Engines{venue.get()}, "FIRM" + std::to_string(session), "VENUE")
        .connect(port_of(*venue));
    static_cast<void>(peers.back().log_on());
  }
  const double logged_on = (own_kib() - before) / sessions_count;
  EXPECT_LE(logged_on, at_rest_kib_max + segments_kib + 8 + 24)
      << "these two, and pages 24 KiB ahead";
  RecordProperty("opened_kib", std::to_string(opened));
  RecordProperty("logged_on_kib", std::to_string(logged_on));
}

TEST_F(EngineMemory, HeartbeatsThatAreDueAtOnceAreSentAFewAtATime) {
  const TemporaryDirectory directory;
  Silent application;
  const std::unique_ptr<engine::Engine> venue =
      open_engine(configuration_of(sessions_count, directory.path()), application);
  ASSERT_TRUE(venue);
  std::list<RawPeer> peers;
  for (int session = 0; session < sessions_count; ++session) {
    peers.emplace_back(Engines{venue.get()}, "FIRM" + std::to_string(session), "VENUE")
        .connect(port_of(*venue));
    peers.back().send("A", "98=0|108=1|");
    static_cast<void>(peers.back().expect("A"));
  }
  const double before = own_kib();
  std::this_thread::sleep_for(std::chrono::seconds(1));  // HeartBtInt: all are due now.
  while (venue->poll(0)) {
  }
  // A set of buffers has some pages; a worker lends sixteen at a time, not one per session.
  EXPECT_LE(own_kib() - before, 4.0 * sessions_count);
  for (RawPeer& peer : peers) {
    // On a busy machine some peers have been silent long enough for a TestRequest (35=1).
    const std::optional<RawMessage> due = peer.receive();
    ASSERT_TRUE(due);
    EXPECT_TRUE((*due)[35] == "0" || (*due)[35] == "1") << due->bytes();
  }
}

}  // namespace
}  // namespace affix::support
