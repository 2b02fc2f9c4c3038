// SPDX-License-Identifier: MIT
// Random sequences of changes and commands against a model: in any state of a session, every change
// is carried out, in order, and none is reported as done before it is. In virtual time; the peer
// falls silent at random, so that logouts are not answered.
#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"
#include "support/has_message.hpp"
#include "support/virtual_engine.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace affix::support {
namespace {

using testing::VirtualNetwork;

constexpr int commands_per_sequence = 25;
constexpr std::array<const char*, 3> names{"ONE", "TWO", "THREE"};

/// Which of the two engines is changed; the other one is the peer.
enum class Side : std::uint8_t { Initiator, Acceptor };

/// AFFIX_TEST_SEQUENCES sets a larger number.
int sequences() {
  const char* const chosen = std::getenv("AFFIX_TEST_SEQUENCES");
  return chosen != nullptr ? std::atoi(chosen) : 40;
}

/// Expected state of a session once everything is done.
struct Expected {
  bool exists = true;
  bool enabled = true;
  bool wanted = true;  ///< It must be connected if it is enabled. Acceptors always are.
};

/// Counts sessions, and records the values of each one's last Logon that it answers.
class Observer final : public host::Application {
 public:
  host::LogonAnswer on_logon_request(host::SessionHandle session,
                                     const wire::MessageView& logon) noexcept override {
    logons[std::string(session.name())] = {std::string(logon.find(108U).value_or("")),
                                           std::string(logon.find(553U).value_or(""))};
    return host::LogonAnswer::accept();
  }

  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {}

  void on_session_added(host::SessionHandle) noexcept override { ++added; }

  void on_session_removed(host::SessionHandle) noexcept override { ++removed; }

  std::map<std::string, std::pair<std::string, std::string>> logons;
  int added = 0;
  int removed = 0;
};

class ChangeSequence {
 public:
  ChangeSequence(Side side, unsigned seed)
      : side_(side),
        random_(seed),
        network_(seed),
        venue_node_(network_.add_node()),
        firm_node_(network_.add_node()) {
    config::Configuration venue_settings = virtual_acceptor();
    config::Configuration firm_settings = virtual_initiator();
    for (const char* const name : names) {
      venue_settings.sessions.push_back(settings_of(Side::Acceptor, name));
      firm_settings.sessions.push_back(settings_of(Side::Initiator, name));
      expected_[name] = {};
    }
    venue_ = start_engine(network_, venue_node_, venue_settings, venue_application_);
    firm_ = start_engine(network_, firm_node_, firm_settings, firm_application_);
  }

  void run() {
    ASSERT_TRUE(venue_ && firm_);
    pass(std::int64_t{50} * base::ns_per_ms);
    for (int count = 0; count < commands_per_sequence; ++count) {
      command();
      ASSERT_NO_FATAL_FAILURE(expect_done_is_true());
      if (number(3) == 0) {
        ASSERT_NO_FATAL_FAILURE(pass(static_cast<std::int64_t>(number(4'000)) * base::ns_per_ms));
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_model());
    if (side_ == Side::Initiator) {
      ASSERT_NO_FATAL_FAILURE(expect_settings());
    }
    const Observer& reported = side_ == Side::Initiator ? firm_application_ : venue_application_;
    EXPECT_EQ(reported.added, added_) << history_;
    EXPECT_EQ(reported.removed, removed_) << history_;
  }

 private:
  struct Given {
    engine::Change change;
    std::string name;  ///< The session concerned; empty: several.
    engine::ChangeKind kind;
    host::SessionHandle session;
    bool overtaken = false;  ///< A later command concerns the same session.
  };

  static config::SessionSettings settings_of(Side side, const std::string& name) {
    const bool accepts = side == Side::Acceptor;
    config::Configuration scratch =
        accepts ? acceptor_configuration() : initiator_configuration(5001);
    config::SessionSettings session =
        add_session(scratch, accepts ? "VENUE" : name, accepts ? name : "VENUE", {});
    session.name = name;
    session.durability = journal::Durability::Memory;
    if (!accepts) {
      session.logon_reset_sequence_numbers = true;  // Memory journals begin at 1 when they return.
      session.logon_username = "U0";
    }
    return session;
  }

  [[nodiscard]] engine::Engine& changed() { return side_ == Side::Initiator ? *firm_ : *venue_; }

  unsigned number(unsigned below) { return static_cast<unsigned>(random_() % below); }

  void pass(std::int64_t ns) {
    note("pass " + std::to_string(ns / base::ns_per_ms));
    ASSERT_TRUE(network_.run(ns)) << history_;
    expect_done_is_true();
  }

  void note(const std::string& what) { history_ += what + "\n"; }

  void command() {
    const std::string name = names[number(names.size())];
    switch (number(10)) {
      case 0:
      case 1:
        if (const host::SessionHandle session = changed().session(name)) {
          command(session);
        }
        break;
      case 2:
      case 3:
        enable(name, number(2) == 0);
        break;
      case 4:
        expected_[name].exists ? remove(name) : add(name);
        break;
      case 5:
        note("stall");
        network_.stall(side_ == Side::Initiator ? venue_node_ : firm_node_,
                       static_cast<std::int64_t>(number(15'000)) * base::ns_per_ms);
        break;
      default:
        reload();
    }
  }

  /// The application's own commands, which take effect at once: earlier changes have been applied.
  void command(host::SessionHandle session) {
    const std::string name(session.name());
    ASSERT_NO_FATAL_FAILURE(pass(base::ns_per_us));
    if (number(2) == 0) {
      note("logout " + name);
      session.logout("by the application");
      touch(name).wanted = side_ == Side::Acceptor;
    } else {
      note("connect " + name);
      session.connect();
      touch(name).wanted = expected_[name].wanted || expected_[name].enabled;
    }
  }

  Expected& touch(const std::string& name) {
    for (Given& given : given_) {
      given.overtaken = given.overtaken || given.name.empty() || given.name == name;
    }
    return expected_[name];
  }

  void enable(const std::string& name, bool enabled) {
    note((enabled ? "enable " : "disable ") + name);
    const host::SessionHandle session = changed().session(name);
    const auto change =
        enabled ? changed().enable_session(name) : changed().disable_session(name, "a test");
    ASSERT_EQ(change.has_value(), expected_[name].exists) << history_;
    if (!change) {
      return;
    }
    Expected& expected = touch(name);
    expected.enabled = enabled;
    expected.wanted = enabled || side_ == Side::Acceptor;
    given_.push_back({*change, name,
                      enabled ? engine::ChangeKind::Enable : engine::ChangeKind::Disable, session});
  }

  void remove(const std::string& name) {
    const std::int64_t timeout_ns = static_cast<std::int64_t>(number(12'000)) * base::ns_per_ms;
    note("remove " + name + " in " + std::to_string(timeout_ns / base::ns_per_ms));
    const host::SessionHandle session = changed().session(name);
    const auto change = changed().remove_session(name, "a test", timeout_ns);
    ASSERT_TRUE(change) << history_;
    touch(name).exists = false;
    given_.push_back({*change, name, engine::ChangeKind::Remove, session});
    ++removed_;
  }

  void add(const std::string& name) {
    note("add " + name);
    const auto change = changed().add_sessions({settings_of(side_, name)});
    if (!change) {
      ASSERT_TRUE(has_message(config::text_of(change.error()), "E202")) << history_;
      return;
    }
    touch(name) = {};
    ++added_;
    given_.push_back({*change, name, engine::ChangeKind::Add, {}});
  }

  void reload() {
    config::Configuration wanted = changed().configuration();
    std::map<std::string, Expected> after = expected_;
    std::string what = "reload";
    for (config::SessionSettings& session : wanted.sessions) {
      what += " " + session.name;
      const unsigned how = number(6);
      if (how == 0) {
        session.logon_username = side_ == Side::Initiator ? "U" + std::to_string(++changes_) : "";
        session.max_resend_range += 1;
        what += " in place";
      } else if (how <= 2) {
        session.heartbeat_interval_seconds = 20 + ++changes_;
        what += " restart";
      }
      if (number(8) == 0) {
        session.enabled = !session.enabled;
        after[session.name].enabled = session.enabled;
        after[session.name].wanted = session.enabled || side_ == Side::Acceptor;
        what += session.enabled ? " on" : " off";
      }
    }
    int removed = 0;
    if (!wanted.sessions.empty() && number(6) == 0) {
      what += " without " + wanted.sessions.front().name;
      after[wanted.sessions.front().name].exists = false;
      wanted.sessions.erase(wanted.sessions.begin());
      removed = 1;
    }
    note(what);
    const auto change = changed().reload(wanted);
    ASSERT_TRUE(change) << config::text_of(change.error()) << history_;
    for (const char* const name : names) {
      touch(name);
    }
    expected_ = after;
    removed_ += removed;
    given_.push_back({*change, {}, engine::ChangeKind::Apply, {}});
  }

  /// A change that is done has taken effect.
  void expect_done_is_true() {
    for (const Given& given : given_) {
      if (given.kind == engine::ChangeKind::Remove && given.change.done()) {
        ASSERT_FALSE(given.session.exists()) << given.name << "\n" << history_;
      }
      if (given.kind == engine::ChangeKind::Disable && !given.overtaken && given.change.done()) {
        ASSERT_TRUE(given.session.disconnected()) << given.name << "\n" << history_;
      }
    }
  }

  void run_until(const std::function<bool()>& wanted, const char* what) {
    for (int step = 0; step < 400 && !wanted(); ++step) {
      ASSERT_TRUE(network_.run(250 * base::ns_per_ms)) << history_;
      ASSERT_NO_FATAL_FAILURE(expect_done_is_true());
    }
    ASSERT_TRUE(wanted()) << what << "\n" << history_ << state();
  }

  std::string state() {
    std::string text;
    for (const auto& [name, one] : expected_) {
      const host::SessionHandle session = changed().session(name);
      text += name + ": expected " + (one.exists ? "" : "not ") + "there, " +
              (one.enabled ? "enabled, " : "disabled, ") + (one.wanted ? "up" : "down") + "; is " +
              (session ? "" : "not ") + "there, " +
              (session && session.logged_on() ? "up\n" : "down\n");
    }
    return text;
  }

  void expect_model() {
    run_until(
        [this] {
          return std::ranges::all_of(given_, [](const Given& one) { return one.change.done(); });
        },
        "a change is never done");
    const auto as_expected = [this] {
      return std::ranges::all_of(expected_, [this](const auto& entry) {
        const auto& [name, one] = entry;
        const host::SessionHandle session = changed().session(name);
        if (!session || !one.exists) {
          return !session && !one.exists;
        }
        return one.enabled && one.wanted ? session.logged_on() : session.disconnected();
      });
    };
    run_until(as_expected, "not as the model has it");
    ASSERT_NO_FATAL_FAILURE(pass(5 * base::ns_per_second));
    EXPECT_TRUE(as_expected()) << "it does not stay so\n" << history_ << state();
  }

  /// The next Logon of each session has the values of the last reload.
  void expect_settings() {
    for (const config::SessionSettings& settings : changed().configuration().sessions) {
      const host::SessionHandle session = changed().session(settings.name);
      enable(settings.name, true);
      ASSERT_NO_FATAL_FAILURE(pass(base::ns_per_us));
      run_until([&] { return session.logged_on(); }, "it does not log on");
      session.logout({});
      run_until([&] { return session.disconnected(); }, "it does not log out");
      session.connect();
      run_until([&] { return session.logged_on(); }, "it does not log on again");
      EXPECT_EQ(
          venue_application_.logons[settings.name],
          std::pair(std::to_string(settings.heartbeat_interval_seconds), settings.logon_username))
          << settings.name << "\n"
          << history_;
    }
  }

  const Side side_;
  std::mt19937 random_;
  VirtualNetwork network_;
  testing::NodeId venue_node_;
  testing::NodeId firm_node_;
  Observer venue_application_;
  Observer firm_application_;
  std::unique_ptr<engine::Engine> venue_;
  std::unique_ptr<engine::Engine> firm_;
  std::map<std::string, Expected> expected_;
  std::vector<Given> given_;
  std::string history_;
  int changes_ = 0;
  int added_ = 0;
  int removed_ = 0;
};

class ChangeSequences : public ::testing::TestWithParam<Side> {};

TEST_P(ChangeSequences, EveryChangeIsCarriedOutInOrder) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(sequences()); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ChangeSequence(GetParam(), seed).run();
    if (HasFailure()) {
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, ChangeSequences, ::testing::Values(Side::Initiator, Side::Acceptor),
                         [](const auto& one) {
                           return one.param == Side::Initiator ? "initiator" : "acceptor";
                         });

}  // namespace
}  // namespace affix::support
