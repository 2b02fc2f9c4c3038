// SPDX-License-Identifier: MIT
// The power fails at any call to the disk under an engine that forwards each order by another
// session: an order whose copy is lost is redelivered. A kill alone removes no mark.
#include "affix/config/words.hpp"
#include "affix/journal/reader.hpp"
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/recording_disk.hpp"
#include "support/virtual_engine.hpp"

#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace affix::support {
namespace {

using Ids = std::set<std::string>;

class MarkPowerLoss : public ::testing::TestWithParam<const char*> {
 protected:
  MarkPowerLoss() : random_(seed_) {}

  /// One process of the broker, and its peers.
  struct Life {
    explicit Life(std::uint64_t seed)
        : network(seed), broker_node(network.add_node()), peers_node(network.add_node()) {}

    testing::VirtualNetwork network;
    testing::NodeId broker_node;
    testing::NodeId peers_node;
    Recorder broker_application;
    Recorder peers_application;
    std::unique_ptr<engine::Engine> broker;
    std::unique_ptr<engine::Engine> peers;
  };

  [[nodiscard]] config::Configuration broker_settings() {
    config::Configuration settings = virtual_acceptor();
    for (const char* const peer : {"DESK", "VENUE"}) {
      config::SessionSettings& session =
          add_session(settings, "BROKER", peer, directory_.path(std::string("broker/") + peer));
      EXPECT_TRUE(config::choose(session, "durability", GetParam()));
      session.group_interval_milliseconds = peer[0] == 'D' ? 1 : 3;
      session.journal_disk = &disk_;
      session.sequence_reserve = 1'000;
      session.max_serialised_file_size = 16 * 1024;
    }
    return settings;
  }

  [[nodiscard]] config::Configuration peers_settings() {
    config::Configuration settings = virtual_initiator();
    for (const char* const peer : {"DESK", "VENUE"}) {
      config::SessionSettings& session =
          add_session(settings, peer, "BROKER", directory_.path("peers"));
      session.name = peer;
      session.durability = journal::Durability::Memory;
      session.logon_reset_sequence_numbers = true;
    }
    return settings;
  }

  /// Forwards the order, or keeps it.
  void take_order(Life& life, host::SessionHandle session, const std::string& id,
                  const host::Delivery& delivery) {
    if (session.name() != "DESK") {
      return;
    }
    if (random_() % 4 == 0) {
      EXPECT_TRUE(session.keep_message());
      kept_.push_back({id, delivery.receipt});
    } else if (!send_on(life, id)) {
      EXPECT_TRUE(session.keep_message());
    }
  }

  bool send_on(Life& life, const std::string& id) {
    const host::SessionHandle venue = life.broker->sessions()[1];
    const bool sent = venue.logged_on() && send_order(venue, id).sent();
    if (sent) {
      dealt_with_.insert(id);
    }
    return sent;
  }

  void finish_some(Life& life) {
    while (!kept_.empty() && random_() % 4 != 0) {
      const std::size_t at = random_() % kept_.size();
      if (send_on(life, kept_[at].id)) {
        EXPECT_TRUE(life.broker->sessions()[0].finish_message(kept_[at].receipt));
      }
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  /// Without power no flush ends, and a worker that waits for one does not sleep.
  void run(Life& life, std::int64_t ns) {
    constexpr std::uint64_t steps_max = 20'000;
    ASSERT_TRUE(life.network.run(ns, steps_max) || !disk_.powered());
  }

  void start(Life& life) {
    kept_.clear();
    life.broker_application.redelivers = host::Redelivery::WhenAsked;
    life.broker_application.when_message = [this, &life](host::SessionHandle session,
                                                         const wire::MessageView& message,
                                                         const host::Delivery& delivery) {
      take_order(life, session, std::string(message.find(11U).value_or("")), delivery);
    };
    auto opened = engine::Engine::open(
        broker_settings(), life.broker_application,
        life.network.make_reactor(life.broker_node,
                                  engine::Engine::reactor_options(broker_settings())));
    ASSERT_TRUE(opened || !disk_.powered()) << config::text_of(opened.error());
    if (!opened) {
      return;
    }
    life.broker = std::move(*opened);
    life.network.set_turn(life.broker_node, [this, &life] {
      life.broker->poll(testing::VirtualNetwork::never_ns);
      // A worker with synced sessions does not sleep before a flush.
      if (std::string_view(GetParam()) == "sync") {
        flush(life);
      }
    });
    life.peers =
        start_engine(life.network, life.peers_node, peers_settings(), life.peers_application);
    for (int tries = 0; tries < 200 && disk_.powered(); ++tries) {
      ASSERT_NO_FATAL_FAILURE(run(life, 5 * base::ns_per_ms));
      flush(life);
      if (life.peers->sessions()[0].logged_on() && life.peers->sessions()[1].logged_on()) {
        return;
      }
    }
    ASSERT_FALSE(disk_.powered()) << life.broker_application.all_events();
  }

  /// A flush by another thread, during which the worker may run turns; not while a segment is made,
  /// since a worker that needs the segment waits for it.
  void flush(Life& life) {
    disk_.fault = [this, &life](RecordingDisk::Call, const std::string& path) {
      const bool makes_segment = path.ends_with(".new") || path.ends_with("/summary");
      if (random_() % 2 == 0 && !makes_segment && !std::exchange(in_the_middle_, true)) {
        life.broker->poll(testing::VirtualNetwork::never_ns);
        in_the_middle_ = false;
      }
      return 0;
    };
    if (random_() % 4 == 0) {
      life.broker->prepare_journals();
    } else {
      life.broker->flush_journals();
    }
    disk_.fault = nullptr;
  }

  void trade(Life& life) {
    const std::uint64_t steps = 5 + random_() % 60;
    for (std::uint64_t step = 0; step < steps && disk_.powered(); ++step) {
      for (std::uint64_t count = random_() % 6; count != 0; --count) {
        static_cast<void>(send_order(life.peers->sessions()[0], std::to_string(++orders_),
                                     std::string(random_() % 600, 'x')));
      }
      life.network.wake(life.peers_node);
      ASSERT_NO_FATAL_FAILURE(run(life, static_cast<std::int64_t>(random_() % 1'500'000)));
      finish_some(life);
      switch (random_() % 4) {
        case 0:
          disk_.write_back_something();
          break;
        case 1:
        case 2:
          flush(life);
          break;
        default:
          break;
      }
    }
  }

  void die(Life& life) {
    if (life.broker != nullptr) {
      life.broker->abandon();
      life.network.kill(life.broker_node);
      life.broker.reset();
    }
  }

  [[nodiscard]] Ids stored(const char* peer, journal::Kind kind) const {
    Ids ids;
    for (const auto& entry :
         std::filesystem::directory_iterator(directory_.path(std::string("broker/") + peer))) {
      if (!entry.is_directory()) {
        continue;
      }
      auto reader = journal::Reader::open(entry.path().string());
      EXPECT_TRUE(reader);
      while (const auto record = reader ? reader->next() : std::nullopt) {
        const std::size_t at = record->bytes.find(
            "\x01"
            "11=");
        if (record->kind == kind && at != std::string_view::npos) {
          const std::string_view rest = record->bytes.substr(at + 4);
          ids.insert(std::string(rest.substr(0, rest.find('\x01'))));
        }
      }
    }
    return ids;
  }

  /// Messages that the next process gets redelivered.
  [[nodiscard]] Ids left(Ids& received, Ids& sent) {
    Life life(seed_);
    life.broker_application.redelivers = host::Redelivery::AtStart;
    life.broker_application.when_message = [](host::SessionHandle session, const wire::MessageView&,
                                              const host::Delivery&) {
      EXPECT_TRUE(session.keep_message());
    };
    life.broker =
        start_engine(life.network, life.broker_node, broker_settings(), life.broker_application);
    if (life.broker == nullptr) {
      return {};
    }
    EXPECT_TRUE(life.network.run(base::ns_per_ms));
    received = stored("DESK", journal::Kind::Received);
    sent = stored("VENUE", journal::Kind::Sent);
    Ids ids;
    for (const Recorder::Message& message : life.broker_application.messages) {
      ids.insert(message.id);
    }
    die(life);
    return ids;
  }

  const std::uint64_t seed_ = chosen_seed();
  std::mt19937_64 random_;
  TemporaryDirectory directory_;
  RecordingDisk disk_{seed_ + 1};

  struct KeptOrder {
    std::string id;
    host::Receipt receipt;
  };

  std::vector<KeptOrder> kept_;
  Ids dealt_with_;
  std::uint64_t orders_ = 0;
  bool in_the_middle_ = false;
};

TEST_P(MarkPowerLoss, AnOrderWhoseCopyIsGoneComesAgain) {
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
  const std::uint64_t rounds = chosen_number("AFFIX_ROUNDS", 16);
  std::uint64_t lost = 0;
  std::uint64_t marked = 0;
  for (std::uint64_t round = 0; round < rounds && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    const bool killed = random_() % 4 == 0;
    {
      Life life(random_());
      ASSERT_NO_FATAL_FAILURE(start(life));
      if (!killed && random_() % 2 == 0) {
        disk_.lose_power_after(random_() % 60);
      }
      if (life.broker != nullptr && disk_.powered()) {
        ASSERT_NO_FATAL_FAILURE(trade(life));
      }
      die(life);
    }
    if (!killed) {
      disk_.restart(directory_.path("broker"));
    }
    Ids received;
    Ids sent;
    const Ids again = left(received, sent);
    for (const std::string& id : received) {
      if (!again.contains(id)) {
        ++marked;
        ASSERT_TRUE(sent.contains(id)) << "order " << id << " counts as dealt with, and its copy "
                                       << "is gone";
      }
    }
    for (const std::string& id : dealt_with_) {
      lost += sent.contains(id) ? 0U : 1U;
      ASSERT_TRUE(!killed || !again.contains(id) || !received.contains(id))
          << "order " << id << " was dealt with, and a kill brought it again";
    }
    if (random_() % 8 == 0) {
      std::filesystem::remove_all(directory_.path("broker"));
      disk_.forget();
    }
    dealt_with_.clear();
  }
  // In a few rounds it is possible that nothing is lost.
  if (rounds >= 200) {
    EXPECT_GT(lost, rounds / 50) << "hardly a copy was ever lost: the test loses no power";
    EXPECT_GT(marked, rounds / 50) << "hardly a mark outlived a power loss";
  }
}

INSTANTIATE_TEST_SUITE_P(Durabilities, MarkPowerLoss, ::testing::Values("group", "sync"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace affix::support
