// SPDX-License-Identifier: MIT
// Sessions that are added, removed, disabled and changed while the engine runs, and handles of
// removed ones.
#include "support/engine_case.hpp"
#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace affix::support {
namespace {

config::SessionSettings session_named(std::string_view us, std::string_view them,
                                      const std::string& directory) {
  config::Configuration scratch = acceptor_configuration();
  config::SessionSettings session = add_session(scratch, us, them, directory);
  session.instance.clear();  // The engine has only one group.
  return session;
}

/// A pair with one session that stays, and others that tests change.
class SessionChanges : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(pair.log_on()); }

  [[nodiscard]] bool done(const engine::Change& change) {
    return pair.turn_until([&] { return change.done(); });
  }

  [[nodiscard]] config::SessionSettings venue_session(std::string_view peer) {
    return session_named("VENUE", peer, pair.directory.path("venue"));
  }

  [[nodiscard]] config::SessionSettings firm_session(std::string_view us) {
    auto session = session_named(us, "VENUE", pair.directory.path("firm"));
    session.name = us;
    return session;
  }

  /// Adds a session on both sides, and waits until it is logged on.
  void add(const std::string& name) {
    const auto venue = pair.acceptor->add_sessions({venue_session(name)});
    ASSERT_TRUE(venue) << config::text_of(venue.error());
    const auto firm = pair.initiator->add_sessions({firm_session(name)});
    ASSERT_TRUE(firm) << config::text_of(firm.error());
    ASSERT_TRUE(pair.turn_until([&] {
      return venue->done() && firm->done() && pair.initiator->session(name).logged_on() &&
             pair.acceptor->session(name).logged_on();
    }));
  }

  /// Sends orders in both directions.
  void trade_on(const std::string& name) {
    const std::size_t before = pair.venue_application.messages.size();
    const std::size_t before_firm = pair.firm_application.messages.size();
    ASSERT_TRUE(send_order(pair.initiator->session(name), "there").sent());
    ASSERT_TRUE(send_order(pair.acceptor->session(name), "back").sent());
    ASSERT_TRUE(pair.turn_until([&] {
      return pair.venue_application.messages.size() > before &&
             pair.firm_application.messages.size() > before_firm;
    }));
  }

  Pair pair;
};

TEST_F(SessionChanges, AnAddedSessionTradesAndTheOtherDoesNotNotice) {
  ASSERT_NO_FATAL_FAILURE(add("SECOND"));
  ASSERT_NO_FATAL_FAILURE(trade_on("SECOND"));
  ASSERT_NO_FATAL_FAILURE(trade_on("SECOND"));
  EXPECT_EQ(pair.firm_application.logouts.size(), 0U);
  EXPECT_EQ(pair.acceptor->sessions().size(), 2U);
  EXPECT_EQ(pair.acceptor->configuration().sessions.size(), 2U);
}

TEST_F(SessionChanges, ARemovedSessionLogsOutAndItsHandleSaysThatItIsGone) {
  ASSERT_NO_FATAL_FAILURE(add("SECOND"));
  const host::SessionHandle handle = pair.acceptor->session("SECOND");
  ASSERT_TRUE(handle.exists());
  const auto change = pair.acceptor->remove_session("SECOND", "end of business");
  ASSERT_TRUE(change) << config::text_of(change.error());
  ASSERT_TRUE(done(*change));
  EXPECT_FALSE(change->sessions().front().forced);
  EXPECT_FALSE(pair.acceptor->session("SECOND"));
  EXPECT_FALSE(handle.exists());
  EXPECT_EQ(handle.name(), "SECOND");
  EXPECT_EQ(handle.target_comp_id(), "SECOND");
  EXPECT_FALSE(handle.logged_on());
  EXPECT_TRUE(handle.disconnected());
  EXPECT_EQ(handle.next_sender_seq(), 0U);
  EXPECT_EQ(send_order(handle, "1").status, host::SendStatus::NotLoggedOn);
  handle.logout({});
  handle.connect();
  handle.reset();
  handle.flush();
  handle.set_user(this);
  EXPECT_EQ(handle.user(), nullptr);
  EXPECT_FALSE(handle.accept_logon());
  EXPECT_TRUE(pair.venue().logged_on());  // The other session is not affected.
  EXPECT_EQ(pair.venue_application.logouts.size(), 1U);
}

TEST_F(SessionChanges, ASessionAddedAgainGoesOnWithItsNumbersAndAnOldHandleStaysStale) {
  ASSERT_NO_FATAL_FAILURE(add("SECOND"));
  ASSERT_NO_FATAL_FAILURE(trade_on("SECOND"));
  const host::SessionHandle old = pair.acceptor->session("SECOND");
  const std::uint64_t next = old.next_target_seq();
  for (engine::Engine* engine : pair.engines()) {
    const auto change = engine->remove_session("SECOND");
    ASSERT_TRUE(change);
    ASSERT_TRUE(done(*change));
  }
  ASSERT_NO_FATAL_FAILURE(add("SECOND"));
  EXPECT_FALSE(old.exists());
  EXPECT_FALSE(old.logged_on());
  EXPECT_GT(pair.acceptor->session("SECOND").next_target_seq(), next);
  ASSERT_NO_FATAL_FAILURE(trade_on("SECOND"));
}

TEST_F(SessionChanges, AllProblemsAreReportedAndNothingIsAdded) {
  config::SessionSettings same_name = venue_session("FIRM");
  config::SessionSettings same_ids = venue_session("OTHER");
  same_ids.target_comp_id = "FIRM";
  config::SessionSettings no_group = venue_session("THIRD");
  no_group.instance = "NOWHERE";
  config::SessionSettings right = venue_session("FOURTH");
  const auto change = pair.acceptor->add_sessions({same_name, same_ids, no_group, right});
  ASSERT_FALSE(change);
  EXPECT_EQ(change.error().size(), 3U) << config::text_of(change.error());
  EXPECT_EQ(pair.acceptor->sessions().size(), 1U);
  const auto alone = pair.acceptor->add_sessions({right});  // Nothing of it remains.
  EXPECT_TRUE(alone);
}

TEST_F(SessionChanges, NoMoreAreAddedThanThereIsRoomFor) {
  std::vector<config::SessionSettings> many;
  for (int number = 0; number <= 64; ++number) {
    many.push_back(venue_session("P" + std::to_string(number)));
  }
  EXPECT_FALSE(pair.acceptor->add_sessions(many));
  many.pop_back();
  EXPECT_TRUE(pair.acceptor->add_sessions(many));
}

TEST_F(SessionChanges, ADisabledSessionStaysAwayUntilItIsEnabled) {
  const auto off = pair.acceptor->disable_session("FIRM", "risk limit");
  ASSERT_TRUE(off);
  ASSERT_TRUE(pair.turn_until(
      [&] { return pair.venue_application.heard_code("N210", "by an operator: risk limit"); }));
  EXPECT_EQ(pair.firm_application.logouts.size(), 1U);
  EXPECT_FALSE(pair.venue().logged_on());
  // A reload without changes to it does not start it.
  ASSERT_TRUE(pair.acceptor->reload(pair.acceptor->configuration()));
  turn_for(pair.engines(), 50 * base::ns_per_ms);
  EXPECT_FALSE(pair.venue().logged_on());
  ASSERT_TRUE(pair.acceptor->enable_session("FIRM"));
  ASSERT_TRUE(pair.log_on());
}

TEST_F(SessionChanges, ADisabledInitiatorDoesNotConnect) {
  ASSERT_TRUE(pair.initiator->disable_session("VENUE", "maintenance"));
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().disconnected(); }));
  pair.firm().connect();
  turn_for(pair.engines(), 50 * base::ns_per_ms);
  EXPECT_TRUE(pair.firm().disconnected());
  ASSERT_TRUE(pair.initiator->enable_session("VENUE"));
  ASSERT_TRUE(pair.log_on());
}

TEST_F(SessionChanges, UnknownNamesAreNotFound) {
  EXPECT_EQ(pair.acceptor->remove_session("X").error().front().code, base::ErrorCode::NotFound);
  EXPECT_EQ(pair.acceptor->disable_session("X", {}).error().front().code,
            base::ErrorCode::NotFound);
}

TEST_F(SessionChanges, APeerThatDoesNotLogOutIsCutOff) {
  // Nothing drives the other engine, so its answer does not come.
  const auto change = pair.acceptor->remove_session("FIRM", {}, 20 * base::ns_per_ms);
  ASSERT_TRUE(change);
  ASSERT_TRUE(turn_until({pair.acceptor.get()}, [&] { return change->done(); }));
  EXPECT_TRUE(change->sessions().front().forced);
}

// --- Reload ---

TEST_F(SessionChanges, AReloadAddsRemovesAndChanges) {
  ASSERT_NO_FATAL_FAILURE(add("GOES"));
  ASSERT_NO_FATAL_FAILURE(add("LATER"));
  config::Configuration wanted = pair.acceptor->configuration();
  std::erase_if(wanted.sessions, [](const auto& session) { return session.name == "GOES"; });
  wanted.sessions.front().max_resend_range = 77;  // FIRM: takes effect at once.
  wanted.sessions.back().timestamp_subseconds_precision =
      wire::TimePrecision::Millis;  // LATER: requires a Logon.
  wanted.sessions.push_back(venue_session("COMES"));
  wanted.sessions.back().instance = "SERVER";
  const host::SessionHandle stays = pair.acceptor->session("LATER");
  const std::uint64_t next = stays.next_sender_seq();
  const auto change = pair.acceptor->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  ASSERT_TRUE(done(*change));
  std::vector<std::pair<std::string, engine::ChangeKind>> reported;
  for (const engine::SessionChange& session : change->sessions()) {
    reported.emplace_back(session.session, session.kind);
  }
  const std::vector<std::pair<std::string, engine::ChangeKind>> expected{
      {"GOES", engine::ChangeKind::Remove},
      {"FIRM", engine::ChangeKind::Apply},
      {"LATER", engine::ChangeKind::Restart},
      {"COMES", engine::ChangeKind::Add}};
  EXPECT_EQ(reported, expected);
  EXPECT_EQ(change->sessions()[1].keys, "max_resend_range");
  EXPECT_EQ(change->sessions()[2].keys, "timestamp_subseconds_precision");
  EXPECT_TRUE(pair.venue().logged_on());
  EXPECT_TRUE(stays.exists());
  ASSERT_TRUE(pair.turn_until(
      [&] { return stays.logged_on() && pair.initiator->session("LATER").logged_on(); }));
  EXPECT_GT(stays.next_sender_seq(), next);
  ASSERT_NO_FATAL_FAILURE(trade_on("LATER"));
  const std::string& bytes = pair.firm_application.messages.back().bytes;
  const std::size_t time = bytes.find("\00152=");
  EXPECT_EQ(bytes.find('\001', time + 1) - time, 4U + 21U);  // Milliseconds from here on.
}

TEST_F(SessionChanges, AReloadThatCannotBeChangesNothing) {
  config::Configuration wanted = pair.acceptor->configuration();
  wanted.sessions.front().max_resend_range = 77;
  wanted.sessions.front().durability = journal::Durability::Memory;
  wanted.servers.front().socket_rx_size = 4'096;
  wanted.engine.added_sessions_max = 1;
  wanted.sessions.push_back(venue_session("COMES"));
  wanted.sessions.back().instance = "SERVER";
  const auto change = pair.acceptor->reload(wanted);
  ASSERT_FALSE(change);
  const std::string reported = config::text_of(change.error());
  for (const std::string_view key : {"durability", "socket_rx_size", "added_sessions_max"}) {
    EXPECT_TRUE(has_message(reported, "E201", {"'" + std::string(key) + "'"}));
  }
  EXPECT_EQ(reported.find("max_resend_range"), std::string::npos) << reported;
  turn_for(pair.engines(), 20 * base::ns_per_ms);
  EXPECT_EQ(pair.acceptor->sessions().size(), 1U);
  EXPECT_EQ(pair.acceptor->configuration().sessions.front().max_resend_range, 10'000);
  EXPECT_TRUE(pair.venue().logged_on());
}

TEST_F(SessionChanges, AReloadOfTheSameIsNothing) {
  const auto change = pair.acceptor->reload(pair.acceptor->configuration());
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->done());
  EXPECT_TRUE(change->sessions().empty());
}

TEST_F(SessionChanges, AnotherPeerInTheSameGroupIsAnotherSession) {
  const host::SessionHandle before = pair.venue();
  config::Configuration wanted = pair.acceptor->configuration();
  wanted.sessions.front().target_comp_id = "OTHER";
  const auto change = pair.acceptor->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  ASSERT_TRUE(done(*change));
  EXPECT_FALSE(before.exists());
  EXPECT_EQ(pair.venue().target_comp_id(), "OTHER");
  EXPECT_TRUE(pair.venue().exists());
}

TEST_F(SessionChanges, AnInitiatorThatWasLoggedOutStaysSoWhenItIsRestarted) {
  pair.firm().logout({});
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().disconnected(); }));
  config::Configuration wanted = pair.initiator->configuration();
  wanted.sessions.front().heartbeat_interval_seconds = 7;
  const auto change = pair.initiator->reload(wanted);
  ASSERT_TRUE(change);
  ASSERT_TRUE(done(*change));
  turn_for(pair.engines(), 50 * base::ns_per_ms);
  EXPECT_TRUE(pair.firm().disconnected());
  pair.firm().connect();
  ASSERT_TRUE(pair.log_on());
}

TEST_F(SessionChanges, ASessionIsSwitchedOffByItsKey) {
  config::Configuration wanted = pair.acceptor->configuration();
  wanted.sessions.front().enabled = false;
  ASSERT_TRUE(pair.acceptor->reload(wanted));
  ASSERT_TRUE(pair.turn_until(
      [&] { return pair.venue_application.heard_code("N210", "by its configuration"); }));
  wanted.sessions.front().enabled = true;
  ASSERT_TRUE(pair.acceptor->reload(wanted));
  ASSERT_TRUE(pair.log_on());
}

}  // namespace
}  // namespace affix::support
