// SPDX-License-Identifier: MIT
// `affix-lab exchange` is repeatedly ended by SIGKILL and SIGTERM under load, while its members
// keep running with orders in flight. In the end the journals of both sides show one outcome for
// every request, two matching sides for every trade, and no duplicate report.
#include "affix/journal/reader.hpp"

#include "support/engine_case.hpp"
#include "support/fix_text.hpp"
#include "support/mortal_program.hpp"
#include "support/recording_disk.hpp"
#include "support/whole_file.hpp"

#include <array>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace affix::support {
namespace {

/// Lives of the exchange in one campaign; `./dev torture` sets more.
int rounds() {
  return static_cast<int>(chosen_number("AFFIX_ROUNDS", 3));
}

/// Allows testing of another build.
std::string program() {
  const char* const chosen = std::getenv("AFFIX_PROGRAM");
  return chosen != nullptr ? chosen : AFFIX_PROGRAM;
}

constexpr std::array members{"T1", "T2", "T3"};

/// Trades at few prices, so that many orders match; replaces and cancels some.
class Traders final : public host::Application {
 public:
  explicit Traders(std::uint64_t seed) : random_(seed) {}

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& /*delivery*/) noexcept override {
    ++reports;
    const std::string name = std::string(session.name());
    if (message.type() == "8" && message.find(150) == "0") {
      open_[name].push_back(
          {std::string(message.value_or_null(11)), std::string(message.value_or_null(54))});
    }
    if (message.type() != "8" || message.find(150) != "F") {
      waiting_[name] -= waiting_[name] != 0 ? 1U : 0U;
    }
  }

  void trade(host::SessionHandle session) {
    const std::string name(session.name());
    for (int count = 0; count < 5 && session.logged_on() && waiting_[name] < 40; ++count) {
      const std::string id = name + "-" + std::to_string(++sent_);
      auto& open = open_[name];
      const bool changes = !open.empty() && random_() % 3 == 0;
      if (!changes) {
        wire::Encoder order = session.begin("D");
        order.text(11, id);
        order.text(55, random_() % 2 == 0 ? "ACME" : "IBM");
        if (random_() % 20 != 0) {
          order.character(54, random_() % 2 == 0 ? '1' : '2');
        }  // Otherwise 35=j answers it.
        order.text(60, "20260101-00:00:00");
        order.integer(38, 1 + static_cast<std::int64_t>(random_() % 90));
        order.character(40, '2');
        order.integer(44, 10 + static_cast<std::int64_t>(random_() % 4));
        order.character(59, random_() % 8 == 0 ? '3' : '0');
        waiting_[name] += session.commit(order).sent() ? 1U : 0U;
        continue;
      }
      const Open target = open.back();
      open.pop_back();
      const bool replaces = random_() % 2 == 0;
      wire::Encoder change = session.begin(replaces ? "G" : "F");
      change.text(41, target.id);
      change.text(11, id);
      change.text(54, target.side);
      change.text(60, "20260101-00:00:00");
      if (replaces) {
        change.text(55, "ACME");  // Sometimes the wrong symbol, which is refused.
        change.integer(38, 5 + static_cast<std::int64_t>(random_() % 90));
        change.character(40, '2');
        change.integer(44, 10 + static_cast<std::int64_t>(random_() % 4));
      } else {
        change.integer(38, 1);
      }
      waiting_[name] += session.commit(change).sent() ? 1U : 0U;
    }
  }

  /// Requests lost with a connection are resent; this test does not wait for their answers.
  void forget_waiting() { waiting_.clear(); }

  std::uint64_t reports = 0;

 private:
  struct Open {
    std::string id;
    std::string side;
  };

  std::mt19937_64 random_;
  std::uint64_t sent_ = 0;
  std::map<std::string, std::vector<Open>> open_;
  std::map<std::string, std::uint64_t> waiting_;
};

struct Execution {
  std::string member;
  std::string id;
  std::string type;
  std::string side;
  std::string symbol;
  std::int64_t last = 0;
  std::int64_t filled = 0;
  std::string price;
};

/// Sent or received messages in one side's journal of a session, in order.
std::vector<std::string> messages_in(const std::string& directory, journal::Kind kind) {
  std::vector<std::string> messages;
  auto reader = journal::Reader::open(directory);
  EXPECT_TRUE(reader) << directory;
  while (const auto record = reader->next()) {
    if (record->kind == kind) {
      messages.emplace_back(record->bytes);
    }
  }
  EXPECT_FALSE(reader->damage());
  return messages;
}

std::int64_t number(const std::string& text) {
  return text.empty() ? 0 : std::strtoll(text.c_str(), nullptr, 10);
}

using Campaign = std::tuple<const char*, const char*, int>;

class ExchangeKill : public testing::TestWithParam<Campaign> {
 protected:
  [[nodiscard]] std::string configuration(std::uint16_t port) const {
    const auto [durability, reactor, signal] = GetParam();
    std::string text = "[ENGINE]\nlog_file=" + directory_.path("exchange.log") +
                       "\n[EXCHANGE]\nreactor=" + reactor +
                       "\nnic_address=127.0.0.1\naccept_port=" + std::to_string(port) + "\n";
    for (const char* const member : members) {
      text += std::string("[") + member + "]\nbegin_string=FIX.4.4\nsender_comp_id=EXCHANGE\n" +
              "target_comp_id=" + member + "\njournal_path=" + directory_.path("exchange") +
              "\ndurability=" + durability +
              (member == members.back() ? "\ncancel_on_disconnect=BOTH\n" : "\n");
    }
    const std::string path = directory_.path("exchange.ini");
    std::ofstream(path) << text;
    return path;
  }

  /// Renews its command file often, or only at its start.
  [[nodiscard]] std::vector<std::string> command(std::uint16_t port) {
    std::vector<std::string> words{program(), "exchange", "--config", configuration(port)};
    if (random_() % 2 == 0) {
      words.insert(words.end(), {"--book-bytes", "1024"});
    }
    return words;
  }

  /// Starts one that is killed during its start or recovery.
  void start_in_vain(const Engines& meanwhile, std::uint16_t port) {
    MortalProgram exchange(command(port));
    const std::int64_t over_ns =
        os::now().steady_ns + static_cast<std::int64_t>(random_() % 200) * base::ns_per_ms;
    ASSERT_TRUE(turn_until(meanwhile, [&] { return os::now().steady_ns >= over_ns; }));
    ASSERT_TRUE(exchange.end(SIGKILL));
  }

  [[nodiscard]] std::unique_ptr<MortalProgram> start(const Engines& meanwhile,
                                                     std::uint16_t& port) {
    auto exchange = std::make_unique<MortalProgram>(command(port));
    std::optional<std::uint16_t> said;
    EXPECT_TRUE(turn_until(meanwhile, [&] {
      said = exchange->port();
      return said.has_value() || !exchange->alive();
    }));
    EXPECT_TRUE(said) << "it does not listen; its log:\n"
                      << read_file(directory_.path("exchange.log"));
    port = said.value_or(0);
    return exchange;
  }

  [[nodiscard]] std::unique_ptr<engine::Engine> open_traders(std::uint16_t port,
                                                             Traders& application) const {
    config::Configuration settings = initiator_configuration(port);
    for (const char* const member : members) {
      add_session(settings, member, "EXCHANGE", directory_.path("traders")).name = member;
    }
    return open_engine(settings, application);
  }

  void judge() const {
    std::map<std::string, int> outcomes;  // By ClOrdID of the request.
    std::map<std::int64_t, Execution> executions;
    for (const char* const member : members) {
      const std::string theirs = directory_.path("exchange") + "/FIX.4.4-EXCHANGE-" + member;
      const std::string ours = directory_.path("traders") + "/FIX.4.4-" + member + "-EXCHANGE";
      for (const std::string& message : messages_in(ours, journal::Kind::Sent)) {
        const std::string type = field(message, "35");
        if (type == "D" || type == "F" || type == "G") {
          outcomes[field(message, "11")] += 0;
        }
      }
      std::vector<std::string> ids_received;
      for (const std::string& message : messages_in(ours, journal::Kind::Received)) {
        const std::string type = field(message, "35");
        const std::string what = field(message, "150");
        if (type == "9" || type == "j" ||
            (type == "8" && (what == "0" || what == "8" || what == "5" ||
                             (what == "4" && !field(message, "41").empty())))) {
          ++outcomes[type == "j" ? field(message, "379") : field(message, "11")];
        }
        if (type == "8") {
          ids_received.push_back(field(message, "17"));
          const std::string id = ids_received.back();
          const std::int64_t exec_id = number(id.substr(id.find('-') + 1));
          const bool fresh =
              executions
                  .emplace(exec_id,
                           Execution{member, field(message, "37"), what, field(message, "54"),
                                     field(message, "55"), number(field(message, "32")),
                                     number(field(message, "14")), field(message, "31")})
                  .second;
          EXPECT_TRUE(fresh) << "report " << id << " twice";
        }
      }
      std::vector<std::string> ids_sent;
      for (const std::string& message : messages_in(theirs, journal::Kind::Sent)) {
        if (field(message, "35") == "8") {
          ids_sent.push_back(field(message, "17"));
        }
      }
      EXPECT_EQ(ids_received, ids_sent) << member;
    }
    for (const auto& [id, count] : outcomes) {
      EXPECT_EQ(count, 1) << "outcomes of " << id;
    }
    // There was traffic, even on a slow machine.
    EXPECT_GT(outcomes.size(), 10U * static_cast<std::size_t>(rounds()));
    // No execution is missing, and the two sides of a trade, which are consecutive, agree.
    std::int64_t next = 1;
    std::map<std::string, std::int64_t> filled;
    std::size_t trades = 0;
    for (auto at = executions.begin(); at != executions.end(); ++at) {
      ASSERT_EQ(at->first, next);
      ++next;
      const Execution& execution = at->second;
      if (execution.type == "F") {
        filled[execution.id] += execution.last;
      }
      ASSERT_EQ(filled[execution.id], execution.filled) << execution.id;
      if (execution.type == "F" && trades % 2 == 1) {
        const Execution& other = std::prev(at)->second;
        ASSERT_EQ(other.type, "F");
        ASSERT_EQ(other.last, execution.last);
        ASSERT_EQ(other.price, execution.price);
        ASSERT_EQ(other.symbol, execution.symbol);
        ASSERT_NE(other.side, execution.side);
      }
      trades += execution.type == "F" ? 1U : 0U;
    }
    EXPECT_EQ(trades % 2, 0U);
    EXPECT_GT(trades, 0U);
    RecordProperty("requests", std::to_string(outcomes.size()));
    RecordProperty("trades", std::to_string(trades / 2));
  }

  const std::uint64_t seed_ = chosen_seed();
  const testing::ScopedTrace trace_{__FILE__, __LINE__, "AFFIX_SEED=" + std::to_string(seed_)};
  std::mt19937_64 random_{seed_};
  TemporaryDirectory directory_;
};

TEST_P(ExchangeKill, EveryRequestHasOneOutcomeAndEveryTradeTwoSides) {
  const int signal = std::get<2>(GetParam());
  std::uint16_t port = 0;
  auto exchange = start({}, port);
  Traders application(random_());
  const auto traders = open_traders(port, application);
  ASSERT_TRUE(traders);
  const std::vector<host::SessionHandle> sessions = traders->sessions();
  for (int life = 0; life < rounds(); ++life) {
    SCOPED_TRACE(life);
    const std::uint64_t wanted = application.reports + 20 + random_() % 300;
    ASSERT_TRUE(turn_until({traders.get()}, [&] {
      for (const host::SessionHandle session : sessions) {
        application.trade(session);
      }
      return application.reports >= wanted;
    }));
    // Between any two of its system calls, not only just after a message has arrived.
    for (std::uint64_t spin = random_() % 2'000; spin != 0; --spin) {
      static_cast<void>(os::now());
    }
    if (signal == SIGTERM) {
      // Its members continue while it ends.
      exchange->signal(SIGTERM);
      ASSERT_TRUE(turn_until({traders.get()}, [&] {
        for (const host::SessionHandle session : sessions) {
          application.trade(session);
        }
        return !exchange->alive();
      }));
    } else {
      ASSERT_TRUE(exchange->end(SIGKILL));
    }
    application.forget_waiting();
    if (random_() % 3 == 0) {
      start_in_vain({traders.get()}, port);
    }
    exchange = start({traders.get()}, port);
    ASSERT_NE(port, 0);
  }
  // Until neither side misses anything: a TestRequest is answered after everything before it.
  const auto settled = [&] {
    for (const host::SessionHandle session : sessions) {
      if (!session.logged_on()) {
        return false;
      }
    }
    return true;
  };
  ASSERT_TRUE(turn_until({traders.get()}, settled));
  std::uint64_t before = 0;
  do {
    before = application.reports;
    turn_for({traders.get()}, 300 * base::ns_per_ms);
  } while (before != application.reports);
  exchange->signal(SIGTERM);
  ASSERT_TRUE(turn_until({traders.get()}, [&] { return !exchange->alive(); }));
  judge();
}

INSTANTIATE_TEST_SUITE_P(Campaigns, ExchangeKill,
                         testing::Combine(testing::Values("process", "group", "sync"),
                                          testing::Values("EPOLL", "IO_URING"),
                                          testing::Values(SIGKILL, SIGTERM)),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param)) + "_" +
                                  std::get<1>(one.param) +
                                  (std::get<2>(one.param) == SIGKILL ? "_SIGKILL" : "_SIGTERM");
                         });

}  // namespace
}  // namespace affix::support
