// SPDX-License-Identifier: MIT
// A proxy in front of an acceptor with TLS: its header precedes the handshake.
#include "affix/net/listener.hpp"

#include "support/proxy_header_text.hpp"
#include "support/tls_case.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace affix::support {
namespace {

/// A load balancer for one connection: sends a header, then bytes in both directions unchanged.
class Proxy {
 public:
  explicit Proxy(std::string header)
      : listener_(net::Listener::open(net::Address::parse("127.0.0.1:0").value(), {}).value()),
        header_(std::move(header)) {}

  [[nodiscard]] std::uint16_t port() const { return listener_.local_address().port(); }

  void serve(std::uint16_t server_port) { server_port_ = server_port; }

  /// Takes one step; never waits.
  void pump() {
    if (!client_.is_open()) {
      const int fd = ::accept4(listener_.socket().fd(), nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) {
        return;
      }
      client_ = net::Socket(fd);
      server_ = net::Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      const net::Address to =
          net::Address::parse("127.0.0.1:" + std::to_string(server_port_)).value();
      ASSERT_EQ(::connect(server_.fd(), to.native(), static_cast<socklen_t>(to.native_size())), 0)
          << errno;
      forward(server_, header_);
    }
    pass_on(client_, server_);
    pass_on(server_, client_);
  }

 private:
  static void forward(const net::Socket& to, std::string_view bytes) {
    static_cast<void>(::send(to.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }

  static void pass_on(const net::Socket& from, const net::Socket& to) {
    char bytes[16384];
    const ssize_t got = ::recv(from.fd(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (got > 0) {
      forward(to, {bytes, static_cast<std::size_t>(got)});
    }
  }

  net::Listener listener_;
  std::string header_;
  std::uint16_t server_port_ = 0;
  net::Socket client_;
  net::Socket server_;
};

class EngineProxyTls : public testing::Test {
 protected:
  /// The initiator connects through the proxy.
  void open(Proxy& proxy, const std::string& allowed) {
    pair_ =
        std::make_unique<Pair>("FIX.4.4", files_.adjust([&](config::Configuration& configuration) {
          if (configuration.clients.empty()) {
            configuration.servers.front().proxy_protocol_addresses = "127.0.0.1";
            configuration.servers.front().allowed_addresses = allowed;
            configuration.servers.front().tls_handshake_timeout_milliseconds = 5'000;
          } else {
            configuration.clients.front().primary_port = proxy.port();
          }
        }));
    proxy.serve(port_of(*pair_->acceptor));
  }

  template <typename Wanted>
  [[nodiscard]] bool until(Proxy& proxy, Wanted wanted) {
    return pair_->turn_until([&] {
      proxy.pump();
      return wanted();
    });
  }

  TlsFiles files_;
  std::unique_ptr<Pair> pair_;
};

TEST_F(EngineProxyTls, TheHandshakeComesAfterTheHeader) {
  Proxy proxy(proxy_header_for("203.0.113.7:4000"));
  open(proxy, "203.0.113.7");
  ASSERT_TRUE(until(proxy, [&] { return pair_->firm().logged_on() && pair_->venue().logged_on(); }))
      << pair_->venue_application.all_events();
  EXPECT_TRUE(pair_->venue_application.heard_code("T218", "203.0.113.7:4000 by way of 127.0.0.1:"))
      << pair_->venue_application.all_events();
  ASSERT_TRUE(send_order(pair_->firm(), "through").sent());
  ASSERT_TRUE(until(proxy, [&] { return !pair_->venue_application.messages.empty(); }));
}

TEST_F(EngineProxyTls, AnAddressThatIsNotAllowedMeetsNoHandshake) {
  Proxy proxy(proxy_header_for("198.51.100.7:4000"));
  open(proxy, "203.0.113.7");
  ASSERT_TRUE(until(proxy, [&] {
    return pair_->venue_application.heard_code("N201", "198.51.100.7:4000 by way of 127.0.0.1:");
  })) << pair_->venue_application.all_events();
  EXPECT_TRUE(pair_->venue_application.heard_code("N201", "allowed_addresses"));
  EXPECT_FALSE(pair_->venue().logged_on());
}

TEST_F(EngineProxyTls, AHandshakeWithoutTheHeaderIsRefused) {
  Proxy proxy("");
  open(proxy, "");
  ASSERT_TRUE(until(proxy, [&] {
    return pair_->venue_application.heard_code("N203", "version 2");
  })) << pair_->venue_application.all_events();
}

}  // namespace
}  // namespace affix::support
