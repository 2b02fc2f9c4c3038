// SPDX-License-Identifier: MIT
// Sessions over TLS between two engines: orders, resends and reconnects, peers with the wrong
// identity, ports with another protocol, and files that are read again.
#include "affix/config/words.hpp"

#include "support/has_message.hpp"
#include "support/raw_peer.hpp"
#include "support/repeating_thread.hpp"
#include "support/tls_case.hpp"

#include <atomic>
#include <filesystem>
#include <thread>

namespace affix::support {
namespace {

bool is_acceptor(const config::Configuration& configuration) {
  return !configuration.servers.empty();
}

class EngineTls : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::function<void(config::Configuration&)> adjust(
      const std::function<void(config::Configuration&)>& further = {}) const {
    return files.adjust([further](config::Configuration& configuration) {
      for (config::ServerSettings& server : configuration.servers) {
        EXPECT_TRUE(config::choose(server, "reactor", GetParam()));
      }
      for (config::ClientSettings& client : configuration.clients) {
        EXPECT_TRUE(config::choose(client, "reactor", GetParam()));
      }
      if (further) {
        further(configuration);
      }
    });
  }

  TlsFiles files;
};

TEST_P(EngineTls, OrdersGoBothWaysAndBothSidesLogOut) {
  Pair pair("FIX.4.4", adjust());
  pair.venue_application.when_message =
      [](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        wire::Encoder report = session.begin("8");
        report.text(37, "order");
        report.text(11, message.find(11U).value_or("?"));
        EXPECT_TRUE(session.commit(report).sent());
      };
  ASSERT_TRUE(pair.log_on()) << pair.firm_application.all_events()
                             << pair.venue_application.all_events();
  EXPECT_TRUE(pair.firm_application.heard_code("T218", "TLSv1.3"));
  EXPECT_TRUE(pair.firm_application.heard_code("T218", "CN=VENUE"));
  EXPECT_TRUE(pair.venue_application.heard_code("T218", "CN=FIRM"));
  const std::string large(30'000, 'x');  // Larger than a record.
  for (int order = 1; order <= 200; ++order) {
    ASSERT_TRUE(
        send_order(pair.firm(), std::to_string(order), order % 20 == 0 ? large : "").sent());
  }
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.messages.size() == 200; }));
  for (std::size_t order = 0; order < 200; ++order) {
    EXPECT_EQ(pair.firm_application.messages[order].id, std::to_string(order + 1));
  }
  pair.firm().logout("done");
  ASSERT_TRUE(pair.turn_until(
      [&] { return pair.firm().disconnected() && pair.venue_application.logouts.size() == 1; }));
  EXPECT_EQ(pair.firm_application.logouts[0].second, "logout complete");
}

TEST_P(EngineTls, MissedMessagesAreResentOverANewConnection) {
  Pair pair("FIX.4.4", adjust([](config::Configuration& configuration) {
              configuration.sessions.front().send_while_disconnected =
                  session::SendWhileDown::Queue;
            }));
  pair.keep_port();
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(send_order(pair.firm(), "before").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 1; }));
  pair.acceptor.reset();
  ASSERT_TRUE(pair.turn_until([&] { return !pair.firm().logged_on(); }));
  for (int order = 0; order < 50; ++order) {
    EXPECT_EQ(send_order(pair.firm(), "missed " + std::to_string(order)).status,
              host::SendStatus::Queued);
  }
  pair.open_venue();
  ASSERT_TRUE(pair.log_on());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 51; }));
  EXPECT_TRUE(pair.venue_application.messages.back().delivery.possible_duplicate);
  EXPECT_EQ(pair.venue_application.messages.back().id, "missed 49");
}

TEST_P(EngineTls, APresharedKeyIsAsGood) {
  const std::string keys = files.write(
      "keys", "FIRM:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n");
  for (const std::string version : {"TLS1.2", "TLS1.3"}) {
    Pair pair("FIX.4.4", adjust([&](config::Configuration& configuration) {
                const auto by_key = [&](config::InstanceSettings& instance) {
                  static_cast<config::EncryptionSettings&>(instance) = {};
                  instance.tls = config::Encryption::On;
                  EXPECT_TRUE(config::choose(instance, "tls_version_min", version));
                  EXPECT_TRUE(config::choose(instance, "tls_version_max", version));
                  instance.tls_peer_proof = tls::TlsPeerProof::PresharedKey;
                  instance.tls_preshared_keys = "file:" + keys;
                };
                for (config::ServerSettings& server : configuration.servers) {
                  by_key(server);
                  configuration.sessions.front().tls_peer = "psk:FIRM";
                }
                for (config::ClientSettings& client : configuration.clients) {
                  by_key(client);
                }
              }));
    ASSERT_TRUE(pair.log_on()) << pair.firm_application.all_events()
                               << pair.venue_application.all_events();
    EXPECT_TRUE(pair.venue_application.heard_code("T218", "'FIRM'"));
  }
}

INSTANTIATE_TEST_SUITE_P(Reactors, EngineTls, testing::Values("EPOLL", "IO_URING"),
                         [](const auto& reactor) { return reactor.param; });

// --- Identity of a session's peer ---

TEST(EngineTlsPeer, ASessionTakesThePeerItNames) {
  const TlsFiles files;
  Pair pair("FIX.4.4", files.adjust([](config::Configuration& configuration) {
    configuration.sessions.front().tls_peer =
        is_acceptor(configuration) ? "dns:nobody; cn:FIRM" : "dns:Venue.Example";
  }));
  EXPECT_TRUE(pair.log_on()) << pair.firm_application.all_events()
                             << pair.venue_application.all_events();
}

TEST(EngineTlsPeer, AnothersCertificateIsRefusedBeforeTheLogonIsJudged) {
  TlsFiles files;
  const CertificateFiles other = files.authority.issue({.common_name = "OTHER"});
  Pair pair("FIX.4.4", files.adjust([&](config::Configuration& configuration) {
    if (is_acceptor(configuration)) {
      configuration.sessions.front().tls_peer = "cn:FIRM";
    } else {
      files.secure(configuration.clients.front(), other);
    }
  }));
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.heard_code("T206", "FIRM"); }))
      << pair.venue_application.all_events();
  EXPECT_TRUE(pair.venue_application.heard_code("T206", "CN=OTHER"));
  EXPECT_EQ(pair.venue_application.logon_requests, 0);
  EXPECT_EQ(pair.venue().next_target_seq(), 1U);
}

TEST(EngineTlsPeer, AnInitiatorSaysNothingToAnotherServer) {
  const TlsFiles files;
  Pair pair("FIX.4.4", files.adjust([](config::Configuration& configuration) {
    if (!is_acceptor(configuration)) {
      configuration.sessions.front().tls_peer = "cn:SOMEBODY ELSE";
    }
  }));
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.heard_code("T206", "VENUE"); }));
  EXPECT_EQ(pair.firm().next_sender_seq(), 1U);
  EXPECT_EQ(pair.venue_application.logon_requests, 0);
  // It continues to try.
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.times_heard("T206") >= 3; }));
}

TEST(EngineTlsPeer, ASessionThatNamesAPeerIsRefusedInAGroupWithoutTls) {
  config::Configuration settings = acceptor_configuration();
  TemporaryDirectory directory;
  add_session(settings, "VENUE", "FIRM", directory.path()).tls_peer = "cn:FIRM";
  Recorder application;
  const auto opened = engine::Engine::open(settings, application);
  ASSERT_FALSE(opened);
  ASSERT_EQ(opened.error().size(), 1U);
  EXPECT_TRUE(has_message(config::text_of(opened.error()), "C227", {"[FIRM]", "'tls_peer'"}));
}

TEST(EngineTlsPeer, AnotherAuthoritysCertificateIsReportedOnBothSides) {
  TlsFiles files;
  TestAuthority stranger(files.directory.path(), "stranger");
  const CertificateFiles own = stranger.issue({.common_name = "FIRM"});
  Pair pair("FIX.4.4", files.adjust([&](config::Configuration& configuration) {
    if (!is_acceptor(configuration)) {
      files.secure(configuration.clients.front(), own);
    }
  }));
  ASSERT_TRUE(pair.turn_until([&] {
    return pair.venue_application.heard_code("T202") && pair.firm_application.heard_code("T214");
  })) << pair.venue_application.all_events()
      << pair.firm_application.all_events();
  EXPECT_EQ(pair.venue_application.logon_requests, 0);
}

// --- Ports with another protocol ---

TEST(EngineTlsPort, PlainTextIsReportedAndClosed) {
  const TlsFiles files;
  Pair pair("FIX.4.4", files.adjust());
  RawPeer peer({pair.acceptor.get()}, "FIRM", "VENUE");
  peer.connect(port_of(*pair.acceptor));
  peer.send_logon();
  EXPECT_TRUE(peer.closed());
  EXPECT_TRUE(pair.venue_application.heard_code("T209")) << pair.venue_application.all_events();
}

TEST(EngineTlsPort, TlsOnAPlainPortIsReportedAndClosed) {
  const TlsFiles files;
  Pair pair("FIX.4.4", [&](config::Configuration& configuration) {
    if (!is_acceptor(configuration)) {
      files.secure(configuration);
    }
  });
  ASSERT_TRUE(pair.turn_until([&] {
    return pair.venue_application.heard_code("T209") &&
           pair.firm_application.heard_code("T211", "not finished");
  })) << pair.venue_application.all_events()
      << pair.firm_application.all_events();
  EXPECT_FALSE(pair.firm().logged_on());
}

TEST(EngineTlsPort, HandshakesCountAmongThoseThatHaveNotLoggedOn) {
  const TlsFiles files;
  Recorder application;
  config::Configuration settings = acceptor_configuration();
  TemporaryDirectory directory;
  add_session(settings, "VENUE", "FIRM", directory.path("venue"));
  files.secure(settings);
  settings.servers.front().max_connections_before_logon = 2;
  settings.servers.front().tls_handshake_timeout_milliseconds = 50;
  const auto engine = open_engine(settings, application);
  std::vector<RawPeer> peers;
  for (int count = 0; count < 3; ++count) {
    peers.emplace_back(Engines{engine.get()}, "FIRM", "VENUE").connect(port_of(*engine));
  }
  ASSERT_TRUE(turn_until(
      {engine.get()}, [&] { return application.heard_code("N202", "that have not logged on"); }));
  ASSERT_TRUE(
      turn_until({engine.get()}, [&] { return application.heard_code("T211", "did not begin"); }));
  for (RawPeer& peer : peers) {
    EXPECT_TRUE(peer.closed());
  }
}

// --- Files ---

TEST(EngineTlsFiles, EveryProblemIsReportedAtOnceBeforeAnythingIsOpened) {
  const TlsFiles files;
  config::Configuration settings = acceptor_configuration();
  TemporaryDirectory directory;
  add_session(settings, "VENUE", "FIRM", directory.path("venue"));
  files.secure(settings);
  settings.servers.front().tls_ca_file = "/no/such/ca.pem";
  settings.servers.push_back(settings.servers.front());
  settings.servers.back().name = "SECOND";
  settings.servers.back().tls_ca_file = files.authority.file();
  settings.servers.back().tls_key_file = files.firm.key;
  Recorder application;
  const auto opened = engine::Engine::open(settings, application);
  ASSERT_FALSE(opened);
  const std::string text = config::text_of(opened.error());
  EXPECT_TRUE(has_message(text, "T102", {"[SERVER] /no/such/ca.pem: "}));
  EXPECT_TRUE(has_message(text, "T105", {"[SECOND] " + files.firm.key + ": "}));
  EXPECT_FALSE(std::filesystem::exists(directory.path("venue")));
}

TEST(EngineTlsFiles, NewConnectionsUseReloadedFiles) {
  TlsFiles files;
  const std::string crl = files.authority.revoke({});
  Pair pair("FIX.4.4", files.adjust([&](config::Configuration& configuration) {
    if (is_acceptor(configuration)) {
      configuration.servers.front().tls_crl_file = crl;
    }
  }));
  ASSERT_TRUE(pair.log_on()) << pair.venue_application.all_events();

  EXPECT_EQ(files.write("root.crl", "broken"), crl);
  const auto broken = pair.acceptor->reload_tls();
  ASSERT_FALSE(broken);
  EXPECT_TRUE(has_message(config::text_of(broken.error()), "T103", {"[SERVER] " + crl}));

  EXPECT_EQ(files.authority.revoke({files.firm.serial}), crl);
  ASSERT_TRUE(pair.acceptor->reload_tls());
  // The existing connection continues.
  ASSERT_TRUE(send_order(pair.firm(), "still").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 1; }));
  pair.initiator.reset();
  ASSERT_TRUE(pair.turn_until([&] { return !pair.venue().logged_on(); }));
  pair.open_firm();
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.heard_code("T201", "revoked"); }))
      << pair.venue_application.all_events();
  EXPECT_FALSE(pair.firm().logged_on());
}

/// Called on several threads at the same time.
class Counter final : public host::Application {
 public:
  void on_message(host::SessionHandle, const wire::MessageView&,
                  const host::Delivery&) noexcept override {
    messages.fetch_add(1, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> messages{0};
};

TEST(EngineTlsFiles, AreReadAgainFromAnyThreadWhileOthersTradeAndConnect) {
  const TlsFiles files;
  config::Configuration venue_settings = acceptor_configuration();
  TemporaryDirectory directory;
  config::Configuration firm_settings = initiator_configuration(1);
  for (const char* name : {"FIRM", "SECOND", "THIRD"}) {
    add_session(venue_settings, "VENUE", name, directory.path("venue"));
    config::SessionSettings& session =
        add_session(firm_settings, name, "VENUE", directory.path("firm"));
    session.name = name;
  }
  files.secure(venue_settings);
  files.secure(firm_settings);
  venue_settings.servers.front().worker_thread_count = 2;
  Counter venue_application;
  const auto venue = open_engine(venue_settings, venue_application);
  std::thread running([&] { venue->run(); });
  firm_settings.clients.front().primary_port = port_of(*venue);
  std::atomic<int> reloads{0};
  support::RepeatingThread reloading([&] {
    EXPECT_TRUE(venue->reload_tls());
    reloads.fetch_add(1);
    return true;
  });
  std::uint64_t sent = 0;
  for (int life = 0; life < 5; ++life) {
    Recorder firm_application;
    const auto firm = open_engine(firm_settings, firm_application);
    ASSERT_TRUE(turn_until({firm.get()}, [&] {
      const auto all = firm->sessions();
      return std::all_of(all.begin(), all.end(),
                         [](host::SessionHandle session) { return session.logged_on(); });
    })) << firm_application.all_events();
    for (int order = 0; order < 20; ++order) {
      for (host::SessionHandle session : firm->sessions()) {
        ASSERT_TRUE(send_order(session, "order").sent());
        ++sent;
      }
    }
    ASSERT_TRUE(
        turn_until({firm.get()}, [&] { return venue_application.messages.load() == sent; }));
    ASSERT_TRUE(firm->finish("done", os::now().steady_ns + patience_ns));
  }
  reloading.stop();
  EXPECT_GT(reloads.load(), 1);
  venue->request_stop();
  running.join();
}

}  // namespace
}  // namespace affix::support
