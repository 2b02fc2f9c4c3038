// SPDX-License-Identifier: MIT
// The administration port with TLS, as on an address that other machines can reach: requires a
// handshake, a token, and a client certificate if configured.
#include "support/admin_console.hpp"
#include "support/has_message.hpp"
#include "support/openssl_peer.hpp"
#include "support/tls_case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace affix::support {
namespace {

using testing::HasSubstr;

class EngineTlsAdmin : public testing::Test {
 protected:
  void SetUp() override {
    settings.management_server_port = -1;
    settings.management_server_nic_ip = "0.0.0.0";
    settings.management_local_role = config::LocalRole::Operate;  // No effect there.
    settings.management_operate_token = "file:" + files.write("token", "hands-on-the-switches\n");
    settings.management_tls_certificate_file = files.venue.certificate;
    settings.management_tls_key_file = files.venue.key;
  }

  void open() {
    auto opened = admin::Server::open(settings, *pair.acceptor, program);
    ASSERT_TRUE(opened) << opened.error().text();
    server = std::move(*opened);
  }

  [[nodiscard]] net::Socket connect() const {
    net::Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const net::Address there =
        net::Address::parse("127.0.0.1:" + std::to_string(server->address().port())).value();
    EXPECT_EQ(::connect(socket.fd(), there.native(), static_cast<socklen_t>(there.native_size())),
              0);
    return socket;
  }

  [[nodiscard]] OpenSslPeer secure(const CertificateFiles* own = nullptr) const {
    return OpenSslPeer(connect(), OpenSslPeer::Role::Client, [&](SSL_CTX* context) {
      OpenSslPeer::trust(context, files.authority.file());
      if (own != nullptr) {
        OpenSslPeer::show(context, own->certificate, own->key);
      }
    });
  }

  [[nodiscard]] std::string ask(OpenSslPeer& peer, const std::string& line) {
    const std::size_t before = peer.received().size();
    EXPECT_TRUE(pair.turn_until([&] {
      peer.step();
      return peer.shaken();
    })) << peer.fault();
    peer.write(line + "\n");
    EXPECT_TRUE(pair.turn_until([&] {
      peer.step();
      return peer.received().size() > before && peer.received().ends_with('\n');
    })) << peer.fault();
    return peer.received().substr(before);
  }

  TlsFiles files;
  Pair pair;
  TestProgram program;
  config::ManagementSettings settings;
  std::unique_ptr<admin::Server> server;
};

TEST_F(EngineTlsAdmin, ATokenOpensIt) {
  open();
  OpenSslPeer peer = secure();
  EXPECT_TRUE(has_message(ask(peer, "get_uptime"), "A106", {"refused: get_uptime", "read"}));
  EXPECT_EQ(ask(peer, "auth hands-on-the-switches"), "done: role operate\n");
  EXPECT_EQ(ask(peer, "set_engine_log_level ERROR"), "done: log level INFO -> ERROR\n");
}

TEST_F(EngineTlsAdmin, PlainTextIsAnsweredWithNothingAndEnds) {
  open();
  Console plain(
      pair.engines(),
      net::Address::parse("127.0.0.1:" + std::to_string(server->address().port())).value());
  ASSERT_TRUE(plain.say("auth hands-on-the-switches\n"));
  ASSERT_TRUE(plain.is_ended());
  EXPECT_EQ(plain.text().find("done"), std::string::npos);
  EXPECT_TRUE(pair.turn_until([&] { return program.has_logged("T209", {"127.0.0.1:"}); }));
}

TEST_F(EngineTlsAdmin, AClientWithoutTheCertificateIsTurnedAway) {
  settings.management_tls_ca_file = files.authority.file();
  open();
  OpenSslPeer nobody = secure();
  ASSERT_TRUE(pair.turn_until([&] {
    nobody.step();
    return nobody.at_end() || !nobody.fault().empty();
  }));
  EXPECT_TRUE(nobody.received().empty());
  OpenSslPeer known = secure(&files.firm);
  EXPECT_THAT(ask(known, "whoami"), HasSubstr("none"));
}

TEST_F(EngineTlsAdmin, FilesThatAreNotThereRefuseTheStart) {
  settings.management_tls_key_file = files.directory.path("absent");
  const auto opened = admin::Server::open(settings, *pair.acceptor, program);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(has_message(opened.error().text(), "T102", {"absent"}));
}

}  // namespace
}  // namespace affix::support
