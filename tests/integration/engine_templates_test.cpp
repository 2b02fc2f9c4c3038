// SPDX-License-Identifier: MIT
// Acceptor templates: unknown peers that match a pattern get a session, within limits, and their
// resources are given back.
#include "support/raw_peer.hpp"

#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <list>
#include <string>

namespace affix::support {
namespace {

class EngineTemplates : public testing::Test {
 protected:
  void open(const std::function<void(config::Configuration&)>& adjust = {}) {
    configuration_ = acceptor_configuration();
    configuration_.engine.added_sessions_max = 0;
    config::SessionSettings clients = add_session(configuration_, "VENUE", "C*", directory_.path());
    configuration_.sessions.clear();
    clients.name = "CLIENTS";
    clients.acceptor_template = true;
    clients.template_sessions_max = 2;
    configuration_.templates.push_back(clients);
    add_session(configuration_, "VENUE", "FIRM", directory_.path());
    if (adjust) {
      adjust(configuration_);
    }
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
  }

  RawPeer& connect(const std::string& us) {
    RawPeer& peer = peers_.emplace_back(Engines{venue_.get()}, us, "VENUE");
    peer.connect(port_of(*venue_));
    return peer;
  }

  void expect_refused(const std::string& us, base::MessageCode code, std::string_view part = {}) {
    RawPeer& peer = connect(us);
    peer.send_logon();
    EXPECT_TRUE(peer.closed());
    EXPECT_TRUE(application_.heard_code(code, part)) << application_.all_events();
  }

  void expect_alive(RawPeer& peer) {
    peer.send("1", "112=alive|");
    EXPECT_EQ(peer.expect("0")[112], "alive");
  }

  void wait_until_gone(const std::string& name) {
    ASSERT_TRUE(turn_until({venue_.get()}, [&] { return !venue_->session(name); }))
        << application_.all_events();
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::list<RawPeer> peers_;
};

TEST_F(EngineTemplates, APeerThatMatchesGetsASession) {
  open();
  EXPECT_EQ(venue_->sessions().size(), 1U);
  RawPeer& first = connect("C1");
  first.log_on();
  EXPECT_TRUE(venue_->session("CLIENTS/C1").logged_on());
  EXPECT_EQ(venue_->session("CLIENTS/C1").target_comp_id(), "C1");
  first.send("D", "11=1|55=ACME|54=1|");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.messages.size() == 1; }));
  EXPECT_EQ(application_.messages.front().session, "CLIENTS/C1");
  RawPeer& second = connect("C2");
  second.log_on();
  RawPeer& firm = connect("FIRM");  // A configured session takes precedence over any template.
  firm.log_on();
  EXPECT_TRUE(venue_->session("FIRM").logged_on());
  expect_alive(first);
  EXPECT_EQ(venue_->sessions().size(), 3U);
  EXPECT_EQ(venue_->configuration().sessions.size(), 1U);
}

TEST_F(EngineTemplates, APeerThatDoesNotMatchGetsNone) {
  open();
  expect_refused("DEALER", "N206");
  expect_refused(std::string("C") + std::string(64, 'x'), "N206");
  EXPECT_EQ(venue_->sessions().size(), 1U);
}

TEST_F(EngineTemplates, NoMoreThanItsLimitAtOneTime) {
  open();
  connect("C1").log_on();
  connect("C2").log_on();
  expect_refused("C3", "N211", "template_sessions_max");
  const auto change = venue_->remove_session("CLIENTS/C1", "make room");
  ASSERT_TRUE(change) << config::text_of(change.error());
  peers_.front().expect("5");
  peers_.front().send("5");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return change->done(); }));
  connect("C3").log_on();
}

TEST_F(EngineTemplates, TheNumbersOfAPeerStayWhenItsSessionGoes) {
  open([](config::Configuration& configuration) {
    configuration.templates.front().template_retire_seconds = 1;
  });
  RawPeer& first = connect("C1");
  first.log_on();
  first.send("5");
  EXPECT_TRUE(first.closed());
  first.close();
  ASSERT_NO_FATAL_FAILURE(wait_until_gone("CLIENTS/C1"));
  RawPeer& again = connect("C1");
  again.next_sequence = first.next_sequence;
  EXPECT_EQ(again.log_on().number(), 3U);
  EXPECT_EQ(venue_->session("CLIENTS/C1").next_target_seq(), again.next_sequence);
}

TEST_F(EngineTemplates, ASessionThatIsUsedAgainInTimeStays) {
  open([](config::Configuration& configuration) {
    configuration.templates.front().template_retire_seconds = 1;
  });
  RawPeer& first = connect("C1");
  first.log_on();
  first.send("5");
  EXPECT_TRUE(first.closed());
  RawPeer& again = connect("C1");
  again.next_sequence = first.next_sequence;
  again.log_on();
  const host::SessionHandle handle = venue_->session("CLIENTS/C1");
  turn_for({venue_.get()}, 1'300 * base::ns_per_ms);
  EXPECT_TRUE(handle.exists());
  expect_alive(again);
}

TEST_F(EngineTemplates, StrangersCannotMakeUpPeersWithoutEnd) {
  open([](config::Configuration& configuration) {
    configuration.templates.front().template_sessions_max = 1;
  });
  for (int peer = 0; peer < 16; ++peer) {
    const std::string name = "C" + std::to_string(peer);
    RawPeer& one = connect(name);
    one.log_on();
    const auto change = venue_->remove_session("CLIENTS/" + name, {}, base::ns_per_ms);
    ASSERT_TRUE(change);
    ASSERT_TRUE(turn_until({venue_.get()}, [&] { return change->done(); }));
  }
  expect_refused("C99", "N211", "too many peers");
  RawPeer& known = connect("C3");
  known.next_sequence = 2;
  known.log_on();
}

TEST_F(EngineTemplates, TwoConnectionsOfOneNewPeerMeetInOneSession) {
  open();
  RawPeer& one = connect("C1");
  RawPeer& other = connect("C1");
  one.send_logon();
  other.send_logon();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    one.read();
    other.read();
    return one.ended() != other.ended() && (one.holds("35=A") || other.holds("35=A"));
  })) << application_.all_events();
  EXPECT_TRUE(venue_->session("CLIENTS/C1").logged_on());
  EXPECT_EQ(venue_->sessions().size(), 2U);
}

TEST_F(EngineTemplates, APeerThatMayNotHaveTheSessionCreatesNone) {
  open([](config::Configuration& configuration) {
    configuration.templates.front().allowed_peer_addresses = "192.0.2.1";
  });
  expect_refused("C1", "N201", "allowed_peer_addresses of session CLIENTS");
  EXPECT_EQ(venue_->sessions().size(), 1U);
  std::size_t directories = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    directories += entry.is_directory() ? 1U : 0U;
  }
  EXPECT_EQ(directories, 1U);  // FIRM's.
}

TEST_F(EngineTemplates, AWishOutlivedByItsConnectionHarmsNobody) {
  open();
  RawPeer& hasty = connect("C1");
  hasty.send_logon();
  hasty.close();
  // The impatient peer's Logon may have been accepted, or not.
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    const host::SessionHandle made = venue_->session("CLIENTS/C1");
    return made && made.exists();
  }));
  turn_for({venue_.get()}, 50 * base::ns_per_ms);
  RawPeer& calm = connect("C1");
  calm.next_sequence = venue_->session("CLIENTS/C1").next_target_seq();
  calm.log_on();
  expect_alive(calm);
}

TEST_F(EngineTemplates, AReloadEndsSessionsOfATemplateThatDiffers) {
  open();
  RawPeer& first = connect("C1");
  first.log_on();
  ASSERT_TRUE(venue_->reload(venue_->configuration()));
  turn_for({venue_.get()}, 10 * base::ns_per_ms);
  expect_alive(first);  // Nothing new was reported.
  config::Configuration wanted = venue_->configuration();
  wanted.templates.front().heartbeat_interval_seconds_max = 60;
  const auto change = venue_->reload(wanted);
  ASSERT_TRUE(change) << config::text_of(change.error());
  first.expect("5");
  first.send("5");
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return change->done(); }));
  EXPECT_FALSE(venue_->session("CLIENTS/C1"));
  RawPeer& again = connect("C1");
  again.next_sequence = first.next_sequence;
  again.log_on();
  wanted.templates.front().template_sessions_max = 3;
  EXPECT_FALSE(venue_->reload(wanted));
  wanted.templates.clear();
  ASSERT_TRUE(venue_->reload(wanted));
  again.expect("5");
  again.send("5");
  EXPECT_TRUE(again.closed());
  expect_refused("C2", "N206");
}

TEST_F(EngineTemplates, AWrongTemplateRefusesTheStart) {
  open();
  config::Configuration wrong = configuration_;
  wrong.templates.front().target_comp_id = "CLIENT";
  EXPECT_FALSE(engine::Engine::open(wrong, application_));
  wrong = configuration_;
  wrong.templates.front().dictionary = directory_.path("nothing.xml");
  EXPECT_FALSE(engine::Engine::open(wrong, application_));
}

TEST(EngineTemplatesFile, AGroupIsATemplateByItsKey) {
  const auto read = config::parse_configuration(
      "[SERVER]\naccept_port=0\n[CLIENTS]\nbegin_string=FIX.4.4\nsender_comp_id=VENUE\n"
      "target_comp_id=C*\nacceptor_template=true\ntemplate_sessions_max=7\n",
      "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  EXPECT_TRUE(read->sessions.empty());
  ASSERT_EQ(read->templates.size(), 1U);
  EXPECT_EQ(read->templates.front().instance, "SERVER");
  EXPECT_EQ(read->templates.front().template_sessions_max, 7);
  const auto wrong = config::parse_configuration(
      "[CLIENT]\nprimary_address=127.0.0.1\nprimary_port=1\n[C]\nbegin_string=FIX.4.4\n"
      "sender_comp_id=US\ntarget_comp_id=THEM\nacceptor_template=true\n",
      "test.ini");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().size(), 2U) << config::text_of(wrong.error());
}

}  // namespace
}  // namespace affix::support
