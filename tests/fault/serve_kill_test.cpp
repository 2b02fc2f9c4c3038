// SPDX-License-Identifier: MIT
// The applications of `affix serve` are repeatedly killed and stopped under load, while their
// counterparties keep running. In the end all journals are compared, wherever the process ended:
// every order has exactly one outcome, forwarded once or rejected once; every copy of a drop copy
// was forwarded once, or is in the log.
#include "affix/config/words.hpp"
#include "affix/journal/reader.hpp"
#include "affix/service/event_log.hpp"

#include "serve/forwarding_application.hpp"
#include "support/engine_case.hpp"
#include "support/fix_text.hpp"
#include "support/recording_disk.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <poll.h>
#include <random>
#include <set>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace affix::support {
namespace {

using service::EventLog;
using tools::serve::DropCopyApplication;
using tools::serve::EchoApplication;
using tools::serve::ForwardingApplication;
using tools::serve::RouterApplication;

/// Lives of the hub in one campaign; `./dev torture` sets more.
int rounds() {
  return static_cast<int>(chosen_number("AFFIX_ROUNDS", 6));
}

std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Shared with the process that is killed.
struct Shared {
  std::atomic<std::uint16_t> port{0};
  std::atomic<bool> failed{false};
};

/// The receiver of a drop copy that takes few messages at a time, so that copies wait for it.
constexpr const char* slow_receiver = "AUDIT";

/// The counterparties: DESK sends orders; VENUE (with a router) and AUDIT (with a drop copy, as
/// VENUE) only receive.
class Counterparty final : public host::Application {
 public:
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    const std::string id(message.find(11U).value_or(""));
    if (message.find(35U) == "D") {
      ++outcomes[id];
      ++copies[std::string(session.name())][id];
      possible_resends += delivery.possible_resend ? 1U : 0U;
    } else if (session.name() == "DESK") {
      ++outcomes[sent[number_of(std::string(message.find(45U).value_or("")))]];
      ++rejects;
    }
    ++count;
  }

  void load(host::SessionHandle desk) {
    for (int order = 0; order < 10 && desk.logged_on() && sent.size() < most_sent(); ++order) {
      const std::string id = "N" + std::to_string(++next_);
      if (const host::SendResult result = send_order(desk, id); result.sent()) {
        sent[result.sequence] = id;
      }
    }
  }

  [[nodiscard]] bool all_have_an_outcome() const { return outcomes.size() >= sent.size(); }

  /// From now on load() sends at most `messages` more than come back as copies to the slow
  /// receiver.
  void bound(std::size_t messages) {
    sent_more_max_ = sent.size() + messages - copies[slow_receiver].size();
  }

  std::map<std::uint64_t, std::string> sent;  ///< By number: there is no reset.
  std::map<std::string, int> outcomes;
  std::map<std::string, std::map<std::string, int>> copies;  ///< By receiver.
  std::uint64_t count = 0;
  std::uint64_t rejects = 0;
  std::uint64_t possible_resends = 0;

 private:
  [[nodiscard]] std::size_t most_sent() {
    return sent_more_max_ ? *sent_more_max_ + copies[slow_receiver].size() : SIZE_MAX;
  }

  std::uint64_t next_ = 0;
  std::optional<std::size_t> sent_more_max_;
};

struct Campaign {
  const char* application;
  const char* durability;
  const char* reactor;
  int signal;
};

std::string name_of(const Campaign& campaign) {
  return std::string(campaign.application) + "_" + campaign.durability + "_" + campaign.reactor +
         (campaign.signal == SIGKILL ? "_killed" : "_stopped");
}

void PrintTo(const Campaign& campaign, std::ostream* out) {
  *out << name_of(campaign);
}

class ServeKill : public testing::TestWithParam<Campaign> {
 protected:
  void SetUp() override {
    void* const shared =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    shared_ = new (shared) Shared;
  }

  void TearDown() override {
    if (hub_ > 0) {
      kill(hub_, SIGKILL);
      waitpid(hub_, nullptr, 0);
    }
    munmap(shared_, sizeof(Shared));
  }

  [[nodiscard]] static bool routes() {
    return std::string_view(GetParam().application) == "router";
  }

  [[nodiscard]] static bool copies() {
    return std::string_view(GetParam().application) == "drop_copy";
  }

  /// All sessions of the counterparties.
  [[nodiscard]] static std::vector<std::string> names() {
    if (copies()) {
      return {"DESK", "VENUE", slow_receiver};
    }
    return routes() ? std::vector<std::string>{"DESK", "VENUE"} : std::vector<std::string>{"DESK"};
  }

  [[nodiscard]] config::Configuration hub_settings() const {
    config::Configuration settings = acceptor_configuration();
    settings.servers.front().accept_port = shared_->port;
    EXPECT_TRUE(config::choose(settings.servers.front(), "reactor", GetParam().reactor));
    settings.engine.log_file = directory_.path("log");
    settings.engine.shutdown_timeout_seconds = 10;
    for (const std::string& peer : names()) {
      EXPECT_TRUE(config::choose(add_session(settings, "HUB", peer, directory_.path("hub")),
                                 "durability", GetParam().durability));
    }
    settings.application.application =
        routes() ? config::ServedApplication::Router : config::ServedApplication::Echo;
    if (copies()) {
      settings.application.application = config::ServedApplication::DropCopy;
      settings.application.drop_copy_from = "DESK";
      settings.application.drop_copy_to = std::string("VENUE,") + slow_receiver;
      settings.sessions.back().send_throttle_limit = 20;
      settings.sessions.back().send_throttle_window_in_milliseconds = 10;
      settings.sessions.back().send_throttle_action = config::SendThrottleAction::Refuse;
    }
    if (routes()) {
      settings.routes = {{.name = "ROUTE",
                          .route_from = "DESK",
                          .route_tag = 0,
                          .route_values = "",
                          .route_to = "VENUE"}};
    }
    return settings;
  }

  [[nodiscard]] config::Configuration peer_settings() const {
    config::Configuration settings = initiator_configuration(shared_->port);
    for (const std::string& name : names()) {
      add_session(settings, name, "HUB", directory_.path("peers")).name = name;
    }
    return settings;
  }

  /// The hub's process.
  [[noreturn]] void live() {
    for (int fd = 3; fd < 1'024; ++fd) {
      ::close(fd);  // Closes the counterparties' sockets, which this process inherited.
    }
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &term, nullptr);
    const config::Configuration settings = hub_settings();
    auto log = service::EventLog::open(settings.engine);
    std::unique_ptr<ForwardingApplication> application;
    if (copies()) {
      application = std::make_unique<DropCopyApplication>(*log, settings.application);
    } else if (routes()) {
      application = std::make_unique<RouterApplication>(*log, settings.routes);
    } else {
      application = std::make_unique<EchoApplication>(*log);
    }
    auto opened = engine::Engine::open(settings, *application);
    // The kernel closes the io_uring files of a killed process with a delay.
    for (int attempt = 0; !opened && attempt < 1'000 &&
                          opened.error().front().message_code == base::MessageCode("O105");
         ++attempt) {
      ::poll(nullptr, 0, 10);
      opened = engine::Engine::open(settings, *application);
    }
    if (!opened) {
      std::fprintf(stderr, "%s\n", config::text_of(opened.error()).c_str());
      shared_->failed = true;
      _exit(1);
    }
    for (const host::SessionHandle session : (*opened)->sessions()) {
      application->add(session);
    }
    shared_->port = port_of(**opened);
    std::thread([&] {
      int signal = 0;
      sigwait(&term, &signal);
      (*opened)->request_stop();
    }).detach();
    static_cast<void>((*opened)->run());
    opened->reset();
    log->flush();
    _exit(0);
  }

  /// Starts the hub, and the first time the counterparties.
  void begin_life() {
    hub_ = fork();
    ASSERT_GE(hub_, 0);
    if (hub_ == 0) {
      live();
    }
    ASSERT_TRUE(turn_until({}, [&] { return shared_->port != 0 || shared_->failed; }));
    ASSERT_FALSE(shared_->failed);
    if (peers_ == nullptr) {
      peers_ = open_engine(peer_settings(), peer_);
      ASSERT_TRUE(peers_);
    }
  }

  /// The counterparties keep running meanwhile.
  void end_hub() {
    ASSERT_EQ(kill(hub_, GetParam().signal), 0);
    int status = 0;
    pid_t ended = 0;
    ASSERT_TRUE(turn_until({peers_.get()}, [&] {
      peer_.load(desk());
      ended = waitpid(hub_, &status, WNOHANG);
      return ended != 0;
    }));
    ASSERT_EQ(ended, hub_);
    EXPECT_EQ(WIFSIGNALED(status), GetParam().signal == SIGKILL);
    hub_ = 0;
  }

  /// At the end, with nothing in flight.
  void end_in_order() {
    ASSERT_EQ(kill(hub_, SIGTERM), 0);
    pid_t ended = 0;
    ASSERT_TRUE(
        turn_until({peers_.get()}, [&] { return (ended = waitpid(hub_, nullptr, WNOHANG)) != 0; }));
    hub_ = 0;
  }

  [[nodiscard]] host::SessionHandle desk() const { return peers_->session("DESK"); }

  /// Derives from the journals how often each of DESK's orders was forwarded or rejected.
  void judge() {
    std::map<std::uint64_t, std::string> ids;
    std::map<std::string, int> outcomes;
    auto sent = journal::Reader::open(std::string(desk().journal_directory()));
    ASSERT_TRUE(sent);
    while (const auto record = sent->next()) {
      if (record->kind == journal::Kind::Sent && field(record->bytes, "35") == "D") {
        ids[record->sequence] = field(record->bytes, "11");
        outcomes[ids[record->sequence]] += 0;
      } else if (record->kind == journal::Kind::Received && field(record->bytes, "35") == "j") {
        ++outcomes[ids[number_of(field(record->bytes, "45"))]];
      } else if (record->kind == journal::Kind::Received && field(record->bytes, "35") == "D") {
        ++outcomes[field(record->bytes, "11")];
      }
    }
    if (routes()) {
      auto received =
          journal::Reader::open(std::string(peers_->session("VENUE").journal_directory()));
      ASSERT_TRUE(received);
      while (const auto record = received->next()) {
        if (record->kind == journal::Kind::Received && field(record->bytes, "35") == "D") {
          ++outcomes[field(record->bytes, "11")];
        }
      }
    }
    EXPECT_GT(outcomes.size(), 100U);
    std::size_t wrong = 0;
    for (const auto& [id, count] : outcomes) {
      if (count != 1 && ++wrong <= 10) {
        ADD_FAILURE() << id << " has " << count << " outcomes";
      }
    }
    EXPECT_EQ(wrong, 0U);
  }

  /// No message received by the hub is unprocessed.
  void expect_nothing_left() const {
    auto reader = journal::Reader::open(hub_journal());
    ASSERT_TRUE(reader);
    while (const auto record = reader->next()) {
      if (record->kind == journal::Kind::Received) {
        EXPECT_TRUE(record->processed) << record->sequence;
      }
    }
  }

  [[nodiscard]] std::string hub_journal() const {
    auto application = std::make_unique<Recorder>();
    config::Configuration settings = hub_settings();
    settings.servers.front().accept_port = 0;
    const auto engine = open_engine(settings, *application);
    return std::string(engine->session("DESK").journal_directory());
  }

  const std::uint64_t seed_ = chosen_seed();
  const testing::ScopedTrace trace_{__FILE__, __LINE__, "AFFIX_SEED=" + std::to_string(seed_)};
  std::mt19937_64 random_{seed_};
  TemporaryDirectory directory_;
  Shared* shared_ = nullptr;
  pid_t hub_ = 0;
  Counterparty peer_;
  std::unique_ptr<engine::Engine> peers_;
};

TEST_P(ServeKill, EveryOrderHasItsOneOutcome) {
  for (int life = 0; life <= rounds(); ++life) {
    SCOPED_TRACE(life);
    ASSERT_NO_FATAL_FAILURE(begin_life());
    if (life == rounds()) {
      break;  // Not killed.
    }
    const std::uint64_t wanted = peer_.count + 50 + random_() % 500;
    const bool venue_leaves = routes() && random_() % 3 == 0;
    bool left = false;
    ASSERT_TRUE(turn_until({peers_.get()},
                           [&] {
                             peer_.load(desk());
                             if (venue_leaves && !left && peer_.count + 40 >= wanted) {
                               // From here on there are rejects.
                               peers_->session("VENUE").logout("away for a while");
                               left = true;
                             }
                             return peer_.count >= wanted || shared_->failed;
                           }))
        << peer_.count << " of " << wanted;
    end_hub();
    if (left) {
      peers_->session("VENUE").connect();
    }
  }
  ASSERT_TRUE(turn_until({peers_.get()}, [&] { return desk().logged_on(); }));
  EXPECT_TRUE(turn_until({peers_.get()}, [&] { return peer_.all_have_an_outcome(); }))
      << peer_.outcomes.size() << " of " << peer_.sent.size();
  // A duplicate would have arrived by then.
  turn_for({peers_.get()}, base::ns_per_second / 4);
  judge();
  EXPECT_EQ(peer_.possible_resends, 0U) << "nothing but a loss of power leaves a doubt";
  ASSERT_NO_FATAL_FAILURE(end_in_order());
  expect_nothing_left();
}

/// A drop copy from DESK to VENUE and AUDIT.
class ServeDropCopyKill : public ServeKill {
 protected:
  using Ids = std::set<std::string>;

  /// Ids of DESK's orders with a line in the log that no copy was sent, by receiver.
  [[nodiscard]] std::map<std::string, Ids> logged() const {
    std::map<std::string, Ids> found;
    std::ifstream log(directory_.path("log"));
    constexpr std::string_view words = " is not passed on to ";
    for (std::string line; std::getline(log, line);) {
      const std::size_t middle = line.find(words);
      if (middle == std::string::npos) {
        continue;
      }
      const std::size_t number = line.rfind(' ', middle - 1) + 1;
      const std::size_t receiver = middle + words.size();
      const auto order = peer_.sent.find(number_of(line.substr(number, middle - number)));
      if (order != peer_.sent.end()) {
        found[line.substr(receiver, line.find(':', receiver) - receiver)].insert(order->second);
      }
    }
    return found;
  }

  /// Ids of orders without a copy to this receiver, and without a line in the log.
  [[nodiscard]] Ids lost(const std::string& receiver) {
    const Ids logged_ones = logged()[receiver];
    Ids missing;
    for (const auto& [number, id] : peer_.sent) {
      if (!peer_.copies[receiver].contains(id) && !logged_ones.contains(id)) {
        missing.insert(id);
      }
    }
    return missing;
  }

  [[nodiscard]] bool settled() {
    const auto logged_on = [](host::SessionHandle session) { return session.logged_on(); };
    return std::ranges::all_of(peers_->sessions(), logged_on) && lost("VENUE").empty() &&
           lost(slow_receiver).empty();
  }

  /// No order has two copies in a receiver's journal.
  void expect_no_second_copy(const std::string& receiver) const {
    auto received =
        journal::Reader::open(std::string(peers_->session(receiver).journal_directory()));
    ASSERT_TRUE(received);
    Ids seen;
    while (const auto record = received->next()) {
      if (record->kind == journal::Kind::Received && field(record->bytes, "35") == "D") {
        EXPECT_TRUE(seen.insert(field(record->bytes, "11")).second) << record->bytes;
      }
    }
    EXPECT_GT(seen.size(), 40U);
  }
};

TEST_P(ServeDropCopyKill, EachCopyIsForwardedOnceOrLogged) {
  for (int life = 0; life <= rounds(); ++life) {
    SCOPED_TRACE(life);
    ASSERT_NO_FATAL_FAILURE(begin_life());
    // Whatever was in flight is copied or logged.
    ASSERT_TRUE(turn_until({peers_.get()}, [&] { return settled(); }))
        << lost("VENUE").size() << " and " << lost(slow_receiver).size() << " of "
        << peer_.sent.size();
    if (life == rounds()) {
      break;  // Not killed.
    }
    peer_.bound(100);
    const std::size_t wanted = peer_.copies[slow_receiver].size() + 50 + random_() % 300;
    // From then on the log has a line for each copy, and the kill comes while it is being written.
    const bool venue_leaves = random_() % 2 == 0;
    bool left = false;
    ASSERT_TRUE(turn_until({peers_.get()}, [&] {
      peer_.load(desk());
      const std::size_t have = peer_.copies[slow_receiver].size();
      if (venue_leaves && !left && have + 40 >= wanted) {
        peers_->session("VENUE").logout("away for a while");
        left = true;
      }
      return have >= wanted;
    }));
    end_hub();
    if (left) {
      peers_->session("VENUE").connect();
    }
  }
  // A second copy would have arrived by then.
  turn_for({peers_.get()}, base::ns_per_second / 4);
  EXPECT_EQ(peer_.possible_resends, 0U) << "nothing but a loss of power leaves a doubt";
  expect_no_second_copy("VENUE");
  expect_no_second_copy(slow_receiver);
  ASSERT_NO_FATAL_FAILURE(end_in_order());
  expect_nothing_left();
}

std::vector<Campaign> campaigns(std::initializer_list<const char*> applications) {
  std::vector<Campaign> all;
  for (const char* application : applications) {
    for (const char* durability : {"process", "group", "sync"}) {
      for (const char* reactor : {"EPOLL", "IO_URING"}) {
        for (const int signal : {SIGKILL, SIGTERM}) {
          all.push_back({application, durability, reactor, signal});
        }
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Campaigns, ServeKill, testing::ValuesIn(campaigns({"echo", "router"})),
                         [](const auto& one) { return name_of(one.param); });

INSTANTIATE_TEST_SUITE_P(Campaigns, ServeDropCopyKill, testing::ValuesIn(campaigns({"drop_copy"})),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace affix::support
