// SPDX-License-Identifier: MIT
// Initiators whose acceptor starts late, ends, returns, or has a second address; several sessions
// in one engine. Numbers continue throughout.
#include "support/held_port.hpp"
#include "support/raw_peer.hpp"

#include <sys/socket.h>
#include <unistd.h>

namespace affix::support {
namespace {

TEST(EngineReconnect, TheAcceptorComesLater) {
  TemporaryDirectory directory;
  const HeldPort port;
  config::Configuration firm_settings = initiator_configuration(port.number());
  add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  Recorder firm_application;
  const auto firm = open_engine(firm_settings, firm_application);
  ASSERT_TRUE(turn_until({firm.get()}, [&] {
    return firm_application.heard_code("N110", "127.0.0.1:" + std::to_string(port.number()));
  })) << firm_application.all_events();
  EXPECT_FALSE(firm->sessions().front().disconnected());

  config::Configuration venue_settings = acceptor_configuration();
  venue_settings.servers.front().accept_port = port.number();
  add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
  Recorder venue_application;
  const auto venue = open_engine(venue_settings, venue_application);
  ASSERT_TRUE(
      turn_until({venue.get(), firm.get()}, [&] { return firm->sessions().front().logged_on(); }));
  EXPECT_EQ(firm->sessions().front().next_sender_seq(), 2U);  // The attempts consumed no number.
}

TEST(EngineReconnect, TheAcceptorGoesAwayAndComesBackAndNumbersContinue) {
  Pair pair;
  pair.keep_port();
  std::uint64_t expected = 1;
  for (int life = 0; life < 3; ++life) {
    ASSERT_TRUE(pair.log_on());
    ++expected;
    EXPECT_EQ(pair.firm().next_sender_seq(), expected);
    EXPECT_EQ(pair.venue().next_target_seq(), expected);
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(life)).sent());
    ++expected;
    ASSERT_TRUE(pair.turn_until([&] {
      return pair.venue_application.messages.size() == static_cast<std::size_t>(life) + 1;
    }));
    pair.acceptor.reset();
    ASSERT_TRUE(pair.turn_until([&] { return !pair.firm().logged_on(); }));
    pair.open_venue();
  }
  EXPECT_EQ(pair.firm_application.logouts.size(), 3U);
  EXPECT_EQ(pair.venue_application.ids(), (std::vector<std::string>{"0", "1", "2"}));
  ASSERT_TRUE(pair.log_on());
}

TEST(EngineReconnect, ARestartedInitiatorGoesOnWithItsNumbers) {
  Pair pair;
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(send_order(pair.firm(), "1").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 1; }));
  pair.initiator.reset();
  ASSERT_TRUE(pair.turn_until([&] { return !pair.venue_application.logouts.empty(); }));
  pair.open_firm();
  EXPECT_EQ(pair.firm().next_sender_seq(), 3U);
  ASSERT_TRUE(pair.log_on());
  EXPECT_EQ(pair.venue().next_target_seq(), 4U);
}

TEST(EngineReconnect, TheSecondAddressIsTriedToo) {
  TemporaryDirectory directory;
  config::Configuration venue_settings = acceptor_configuration();
  add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
  Recorder venue_application;
  const auto venue = open_engine(venue_settings, venue_application);
  const HeldPort closed;
  config::Configuration firm_settings = initiator_configuration(closed.number());
  firm_settings.clients.front().secondary_address = "127.0.0.1";
  firm_settings.clients.front().secondary_port = port_of(*venue);
  add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  Recorder firm_application;
  const auto firm = open_engine(firm_settings, firm_application);
  ASSERT_TRUE(
      turn_until({venue.get(), firm.get()}, [&] { return firm->sessions().front().logged_on(); }));
}

TEST(EngineReconnect, FurtherAddressesAreTriedAfterTheSecondOne) {
  TemporaryDirectory directory;
  config::Configuration venue_settings = acceptor_configuration();
  add_session(venue_settings, "VENUE", "FIRM", directory.path("venue"));
  Recorder venue_application;
  const auto venue = open_engine(venue_settings, venue_application);
  const HeldPort closed;
  const HeldPort closed_second;
  const HeldPort closed_third;
  config::Configuration firm_settings = initiator_configuration(closed.number());
  config::ClientSettings& client = firm_settings.clients.front();
  client.secondary_address = "127.0.0.1";
  client.secondary_port = closed_second.number();
  client.further_addresses = "127.0.0.1:" + std::to_string(closed_third.number()) +
                             ", localhost:" + std::to_string(port_of(*venue));
  add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  Recorder firm_application;
  const auto firm = open_engine(firm_settings, firm_application);
  ASSERT_TRUE(
      turn_until({venue.get(), firm.get()}, [&] { return firm->sessions().front().logged_on(); }));
  EXPECT_TRUE(firm_application.heard_code("N110"));
}

TEST(EngineReconnect, TheLocalAddressIsTheOneThatIsConfigured) {
  TemporaryDirectory directory;
  const net::Listener listener = open_listener();
  config::Configuration firm_settings = initiator_configuration(listener.local_address().port());
  firm_settings.clients.front().nic_address = "127.0.0.2";
  add_session(firm_settings, "FIRM", "VENUE", directory.path("firm"));
  Recorder firm_application;
  const auto firm = open_engine(firm_settings, firm_application);
  std::string peer;
  ASSERT_TRUE(turn_until({firm.get()}, [&] {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const int fd = ::accept(listener.socket().fd(), reinterpret_cast<sockaddr*>(&from), &size);
    if (fd >= 0) {
      peer = net::Address::from_native(reinterpret_cast<const sockaddr*>(&from), size).host_text();
      ::close(fd);
    }
    return fd >= 0;
  }));
  EXPECT_EQ(peer, "127.0.0.2");
}

TEST(EngineReconnect, AnAcceptorThatSaysNothingIsGivenUpAndTriedAgain) {
  TemporaryDirectory directory;
  const net::Listener listener = open_listener();
  config::Configuration settings = initiator_configuration(listener.local_address().port());
  add_session(settings, "FIRM", "VENUE", directory.path()).logon_timeout_seconds = 1;
  Recorder application;
  const auto firm = open_engine(settings, application);
  RawPeer venue({firm.get()}, "VENUE", "FIRM");
  venue.accept(listener);
  EXPECT_EQ(venue.expect("A").number(), 1U);
  EXPECT_TRUE(venue.closed());
  venue.close();
  venue.accept(listener);
  EXPECT_EQ(venue.expect("A").number(), 2U);
  EXPECT_TRUE(application.logons.empty());
  EXPECT_TRUE(application.logouts.empty());
}

TEST(EngineReconnect, ManySessionsShareOneEngine) {
  constexpr int count = 40;
  TemporaryDirectory directory;
  config::Configuration venue_settings = acceptor_configuration();
  for (int number = 0; number < count; ++number) {
    add_session(venue_settings, "VENUE", "F" + std::to_string(number), directory.path("venue"),
                number % 2 == 0 ? "FIX.4.4" : "FIX.4.2");
  }
  Recorder venue_application;
  venue_application.when_message = [](host::SessionHandle session, const wire::MessageView& order,
                                      const host::Delivery&) {
    EXPECT_TRUE(send_order(session, order.find(11U).value_or("?")).sent());
  };
  const auto venue = open_engine(venue_settings, venue_application);
  config::Configuration firm_settings = initiator_configuration(port_of(*venue));
  for (int number = 0; number < count; ++number) {
    const std::string us = "F" + std::to_string(number);
    add_session(firm_settings, us, "VENUE", directory.path("firm"),
                number % 2 == 0 ? "FIX.4.4" : "FIX.4.2")
        .name = us;
  }
  Recorder firm_application;
  const auto firm = open_engine(firm_settings, firm_application);
  const Engines engines{venue.get(), firm.get()};
  ASSERT_TRUE(turn_until(engines, [&] { return firm_application.logons.size() == count; }));
  for (int round = 0; round < 10; ++round) {
    for (const host::SessionHandle session : firm->sessions()) {
      ASSERT_TRUE(send_order(session, std::string(session.name()) + std::to_string(round)).sent());
    }
  }
  ASSERT_TRUE(turn_until(engines, [&] { return firm_application.messages.size() == 10 * count; }));
  std::map<std::string, int> rounds;
  for (const Recorder::Message& message : firm_application.messages) {
    EXPECT_EQ(message.id, message.session + std::to_string(rounds[message.session]++));
  }
  EXPECT_EQ(firm->session("F7").name(), "F7");
  EXPECT_FALSE(firm->session("nobody"));
}

}  // namespace
}  // namespace affix::support
