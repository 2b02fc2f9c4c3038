// SPDX-License-Identifier: MIT
// An engine is repeatedly killed with SIGKILL under load, while its counterparty keeps running. In
// the end both journals are compared: no number was used twice, nothing is missing, and messages
// that the killed application had not finished were redelivered and marked as such.
#include "affix/config/words.hpp"
#include "affix/journal/reader.hpp"

#include "support/engine_case.hpp"
#include "support/fix_text.hpp"
#include "support/recording_disk.hpp"

#include <atomic>
#include <new>
#include <random>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace affix::support {
namespace {

/// Lives of the killed side in one campaign; `./dev torture` sets more.
int rounds() {
  return static_cast<int>(chosen_number("AFFIX_ROUNDS", 20));
}

/// Progress of the killed application, in memory that outlives it.
struct Reported {
  std::atomic<std::uint64_t> finished{0};  ///< Last number whose callback returned.
  std::atomic<std::uint64_t> begun{0};     ///< Last number whose callback began.
  std::atomic<std::uint64_t> count{0};
  std::atomic<std::uint64_t> again{0};  ///< Redelivered messages.
  std::atomic<bool> failed{false};
  std::atomic<std::uint16_t> port{0};
};

/// Sends ten orders a turn, each with an id that no other life uses.
class Loader final : public host::Application {
 public:
  Loader(std::string life, Reported* reported, bool synced = false)
      : life_(std::move(life)), reported_(reported), synced_(synced) {}

  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery& delivery) noexcept override {
    if (reported_ == nullptr) {
      in_order = in_order && delivery.sequence > last;
      last = delivery.sequence;
      ++count;
      return;
    }
    // Redelivers only messages begun and not recorded as finished; skips only numbers of session
    // messages, which the application does not see.
    const std::uint64_t begun = reported_->begun.load();
    // With durability sync, received messages that were not flushed are gone, and the peer resends
    // them.
    const bool asked_for_again = synced_ && delivery.possible_duplicate;
    const bool right = delivery.redelivered ? synced_ || delivery.sequence == begun ||
                                                  delivery.sequence > reported_->finished
                                            : delivery.sequence > begun || asked_for_again;
    if (!right) {
      reported_->failed = true;
    }
    reported_->again += delivery.redelivered ? 1U : 0U;
    reported_->begun = delivery.sequence;
    ++reported_->count;
    reported_->finished = delivery.sequence;
  }

  void load(host::SessionHandle session) {
    for (int order = 0; order < 10 && session.logged_on(); ++order) {
      static_cast<void>(send_order(session, life_ + "-" + std::to_string(++sent_)));
    }
  }

  std::uint64_t count = 0;
  std::uint64_t last = 0;
  bool in_order = true;

 private:
  std::string life_;
  Reported* reported_;
  bool synced_;
  std::uint64_t sent_ = 0;
};

struct Row {
  std::string id;
  std::string type;
};

using Rows = std::map<std::uint64_t, Row>;

/// The records of one kind by number. A duplicate number is a failure.
Rows read_rows(const std::string& directory, journal::Kind kind) {
  Rows rows;
  auto reader = journal::Reader::open(directory);
  EXPECT_TRUE(reader) << directory;
  while (const auto record = reader->next()) {
    if (record->kind == kind) {
      const bool fresh = rows.emplace(record->sequence,
                                      Row{field(record->bytes, "11"), field(record->bytes, "35")})
                             .second;
      EXPECT_TRUE(fresh) << "number " << record->sequence << " twice in " << directory;
    }
  }
  EXPECT_FALSE(reader->damage());
  return rows;
}

/// Every number sent by one side is the same message on the other side. Session messages may be
/// missing, as gap fills replace them; of a Logon ahead of a gap only the number is stored.
void compare(const Rows& sent, const Rows& received) {
  std::uint64_t next = 1;
  std::size_t orders = 0;
  for (const auto& [number, row] : sent) {
    ASSERT_EQ(number, next);
    ++next;
    const auto found = received.find(number);
    if (row.type == "D") {
      ++orders;
      ASSERT_NE(found, received.end()) << number;
    }
    const bool logon_ahead =
        row.type == "A" && found != received.end() && found->second.type.empty();
    if (found != received.end() && found->second.type != "4" && !logon_ahead) {
      ASSERT_EQ(found->second.id, row.id) << number;
      ASSERT_EQ(found->second.type, row.type) << number;
    }
  }
  EXPECT_GT(orders, 100U);
}

class EngineKill : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    void* const shared =
        mmap(nullptr, sizeof(Reported), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    reported_ = new (shared) Reported;
  }

  void TearDown() override { munmap(reported_, sizeof(Reported)); }

  [[nodiscard]] config::Configuration venue_settings() const {
    config::Configuration settings = acceptor_configuration();
    EXPECT_TRUE(config::choose(add_session(settings, "VENUE", "FIRM", directory_.path("venue")),
                               "durability", GetParam()));
    return settings;
  }

  [[nodiscard]] config::Configuration firm_settings(std::uint16_t port) const {
    config::Configuration settings = initiator_configuration(port);
    EXPECT_TRUE(config::choose(add_session(settings, "FIRM", "VENUE", directory_.path("firm")),
                               "durability", GetParam()));
    return settings;
  }

  /// The killed side's process.
  [[noreturn]] void live(const config::Configuration& settings, int life) {
    // Closes the other side's sockets, which this process inherited.
    for (int fd = 3; fd < 1'024; ++fd) {
      ::close(fd);
    }
    Loader application("mortal" + std::to_string(life), reported_,
                       std::string_view(GetParam()) == "sync");
    auto opened = engine::Engine::open(settings, application);
    if (!opened) {
      reported_->failed = true;
      _exit(1);
    }
    if (!(*opened)->listening_addresses().empty()) {
      reported_->port = port_of(**opened);
    }
    for (;;) {
      (*opened)->poll(os::now().steady_ns + base::ns_per_ms);
      (*opened)->prepare_journals();
      application.load((*opened)->sessions().front());
    }
  }

  /// Runs `survivor` until it has received `more` messages, or a check fails.
  void trade(engine::Engine& survivor, Loader& application, std::uint64_t more) const {
    const std::uint64_t wanted = application.count + more;
    ASSERT_TRUE(turn_until({&survivor}, [&] {
      application.load(survivor.sessions().front());
      return application.count >= wanted || reported_->failed;
    }));
    ASSERT_FALSE(reported_->failed);
  }

  static void kill_and_wait(pid_t process) {
    ASSERT_EQ(kill(process, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  /// Restarts a last time without a kill, until neither side misses anything; then compares both
  /// journals.
  void settle_and_compare() {
    Recorder venue_application;
    const auto venue = open_engine(venue_settings(), venue_application);
    ASSERT_TRUE(venue);
    Recorder firm_application;
    const auto firm = open_engine(firm_settings(port_of(*venue)), firm_application);
    ASSERT_TRUE(firm);
    const host::SessionHandle venue_session = venue->sessions().front();
    const host::SessionHandle firm_session = firm->sessions().front();
    ASSERT_TRUE(turn_until({venue.get(), firm.get()}, [&] {
      return venue_session.logged_on() && firm_session.logged_on() &&
             venue_session.next_sender_seq() == firm_session.next_target_seq() &&
             firm_session.next_sender_seq() == venue_session.next_target_seq();
    }));
    const std::string venue_directory(venue_session.journal_directory());
    const std::string firm_directory(firm_session.journal_directory());
    compare(read_rows(venue_directory, journal::Kind::Sent),
            read_rows(firm_directory, journal::Kind::Received));
    compare(read_rows(firm_directory, journal::Kind::Sent),
            read_rows(venue_directory, journal::Kind::Received));
  }

  const std::uint64_t seed_ = chosen_seed();
  const testing::ScopedTrace trace_{__FILE__, __LINE__, "AFFIX_SEED=" + std::to_string(seed_)};
  std::mt19937_64 random_{seed_};
  TemporaryDirectory directory_;
  Reported* reported_ = nullptr;
};

TEST_P(EngineKill, AnInitiatorLosesNothingAndUsesNoNumberTwice) {
  Loader venue_application("venue", nullptr);
  auto venue = open_engine(venue_settings(), venue_application);
  ASSERT_TRUE(venue);
  for (int life = 0; life < rounds(); ++life) {
    SCOPED_TRACE(life);
    const pid_t firm = fork();
    ASSERT_GE(firm, 0);
    if (firm == 0) {
      live(firm_settings(port_of(*venue)), life);
    }
    trade(*venue, venue_application, 50 + random_() % 500);
    kill_and_wait(firm);
  }
  EXPECT_TRUE(venue_application.in_order);
  EXPECT_GT(reported_->count, 100U);
  EXPECT_FALSE(reported_->failed);
  venue.reset();
  settle_and_compare();
}

TEST_P(EngineKill, AnAcceptorLosesNothingAndUsesNoNumberTwice) {
  std::uint64_t firm_count = 0;
  for (int life = 0; life < rounds(); ++life) {
    SCOPED_TRACE(life);
    reported_->port = 0;
    const pid_t venue = fork();
    ASSERT_GE(venue, 0);
    if (venue == 0) {
      live(venue_settings(), life);
    }
    ASSERT_TRUE(turn_until({}, [&] { return reported_->port != 0 || reported_->failed; }));
    Loader firm_application("firm" + std::to_string(life), nullptr);
    auto firm = open_engine(firm_settings(reported_->port), firm_application);
    ASSERT_TRUE(firm);
    trade(*firm, firm_application, 50 + random_() % 500);
    kill_and_wait(venue);
    EXPECT_TRUE(firm_application.in_order);
    firm_count += firm_application.count;
  }
  EXPECT_GT(firm_count, 500U);
  EXPECT_FALSE(reported_->failed);
  settle_and_compare();
}

/// Not with sync: the peer resends received messages that were not flushed.
class EngineKillInCallback : public EngineKill {};

TEST_P(EngineKillInCallback, AMessageWhoseCallbackDidNotReturnComesAgain) {
  Loader venue_application("venue", nullptr);
  const auto venue = open_engine(venue_settings(), venue_application);
  ASSERT_TRUE(venue);
  const pid_t firm = fork();
  ASSERT_GE(firm, 0);
  if (firm == 0) {
    for (int fd = 3; fd < 1'024; ++fd) {
      ::close(fd);
    }
    Recorder application;
    application.when_message = [this](host::SessionHandle, const wire::MessageView&,
                                      const host::Delivery& delivery) {
      reported_->begun = delivery.sequence;
      while (delivery.sequence == 3) {
        ::pause();  // The third message is never finished.
      }
      reported_->finished = delivery.sequence;
    };
    auto opened = engine::Engine::open(firm_settings(port_of(*venue)), application);
    while (opened) {
      (*opened)->poll(os::now().steady_ns + base::ns_per_ms);
      (*opened)->prepare_journals();
    }
    _exit(1);
  }
  ASSERT_TRUE(turn_until({venue.get()}, [&] { return venue->sessions().front().logged_on(); }));
  ASSERT_TRUE(send_order(venue->sessions().front(), "2").sent());
  ASSERT_TRUE(send_order(venue->sessions().front(), "3").sent());
  ASSERT_TRUE(send_order(venue->sessions().front(), "4").sent());
  ASSERT_TRUE(turn_until({venue.get()}, [&] { return reported_->begun == 3; }));
  kill_and_wait(firm);
  ASSERT_TRUE(turn_until({venue.get()}, [&] { return !venue->sessions().front().logged_on(); }));

  Recorder application;
  const auto again = open_engine(firm_settings(port_of(*venue)), application);
  ASSERT_TRUE(again);
  again->poll(0);
  EXPECT_TRUE(application.messages.empty()) << "before the logon";
  ASSERT_TRUE(
      turn_until({venue.get(), again.get()}, [&] { return application.messages.size() == 2; }));
  EXPECT_EQ(application.messages[0].id, "3") << "before anything new";
  EXPECT_TRUE(application.messages[0].delivery.redelivered);
  EXPECT_EQ(application.messages[1].id, "4");
  EXPECT_FALSE(application.messages[1].delivery.redelivered);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, EngineKillInCallback, testing::Values("process", "group"),
                         [](const auto& one) { return std::string(one.param); });

INSTANTIATE_TEST_SUITE_P(Durabilities, EngineKill, testing::Values("process", "group", "sync"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace affix::support
