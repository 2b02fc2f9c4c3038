// SPDX-License-Identifier: MIT
// Shared by tests of TLS: an authority with certificates for both sides, a TlsReactor on the
// reactor under test, and OpenSSL's library as its peer.
#pragma once

#include "affix/net/socket_calls.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "support/has_message.hpp"
#include "support/openssl_peer.hpp"
#include "support/temporary_directory.hpp"
#include "support/test_authority.hpp"
#include "unit/net/loopback.hpp"

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::tls::loopback {

// Uses the peers and the recorder of connections without TLS.
using namespace net::loopback;  // NOLINT(google-build-using-namespace)

using support::CertificateFiles;
using support::CertificateRequest;
using support::OpenSslPeer;
using support::TestAuthority;

inline TlsCertificate certificate_of(const CertificateFiles& files) {
  return {.certificate_file = files.certificate, .key_file = files.key};
}

/// One authority, and a certificate for each side.
class TlsWorld {
 public:
  TlsWorld()
      : authority(directory.path(), "root"),
        venue(authority.issue(
            {.common_name = "venue", .alternative_names = "DNS:venue.example,IP:127.0.0.1"})),
        firm(authority.issue(
            {.common_name = "FIRM", .alternative_names = "DNS:firm.example,URI:urn:fix:FIRM"})) {}

  /// A server that requires certificates of the authority.
  [[nodiscard]] TlsSettings server() const {
    TlsSettings settings;
    settings.name = "SERVER";
    settings.is_server = true;
    settings.certificates = {certificate_of(venue)};
    settings.ca_file = authority.file();
    return settings;
  }

  /// A client with a certificate.
  [[nodiscard]] TlsSettings client() const {
    TlsSettings settings;
    settings.name = "CLIENT";
    settings.certificates = {certificate_of(firm)};
    settings.ca_file = authority.file();
    settings.server_name = "venue.example";
    return settings;
  }

  /// A valid OpenSSL client.
  [[nodiscard]] std::function<void(SSL_CTX*)> good_client() const {
    return [this](SSL_CTX* context) {
      OpenSslPeer::trust(context, authority.file());
      OpenSslPeer::show(context, firm.certificate, firm.key);
    };
  }

  [[nodiscard]] std::function<void(SSL_CTX*)> good_server() const {
    return [this](SSL_CTX* context) {
      OpenSslPeer::trust(context, authority.file());
      OpenSslPeer::show(context, venue.certificate, venue.key);
    };
  }

  support::TemporaryDirectory directory;
  TestAuthority authority;
  CertificateFiles venue;
  CertificateFiles firm;
};

inline std::shared_ptr<TlsEndpoint> open_endpoint(const TlsSettings& settings) {
  auto opened = TlsEndpoint::open(settings);
  EXPECT_TRUE(opened) << opened.error().text();
  return opened ? std::move(*opened) : nullptr;
}

/// A TlsReactor with one TLS listener, run together with OpenSSL peers.
class TlsRig {
 public:
  explicit TlsRig(const TlsSettings& server, const net::ReactorOptions& options = {},
                  const net::SocketOptions& accepted = {}, std::string_view name = reactor_name()) {
    auto beneath = net::make_reactor(name, options_beneath_tls(options));
    EXPECT_TRUE(beneath) << beneath.error().text();
    auto made = make_tls_reactor(std::move(*beneath));
    EXPECT_TRUE(made) << made.error().text();
    reactor = std::move(*made);
    endpoint = open_endpoint(server);
    auto listening = reactor->listen_tls(any_loopback(), accepted, endpoint);
    EXPECT_TRUE(listening) << listening.error().text();
    here = listening->address;
  }

  [[nodiscard]] net::Socket dial() const {
    net::Socket socket(net::make_socket(AF_INET, SOCK_STREAM, net::Waiting::Allowed));
    EXPECT_EQ(::connect(socket.fd(), here.native(), static_cast<socklen_t>(here.native_size())), 0);
    return socket;
  }

  /// Turns until `wanted` is true; false if it is not in time.
  template <typename Wanted>
  [[nodiscard]] bool turn_until(Wanted wanted, std::int64_t patience = patience_ns) {
    const std::int64_t give_up_ns = os::now().steady_ns + patience;
    while (!wanted()) {
      const base::Now at = os::now();
      if (at.steady_ns > give_up_ns) {
        return false;
      }
      for (OpenSslPeer* peer : peers) {
        peer->step();
      }
      static_cast<void>(
          reactor->poll(at, net::Wait::block_until(at.steady_ns + base::ns_per_ms), recorder));
    }
    return true;
  }

  /// True if a connection had this fault, with these values in its text.
  [[nodiscard]] ::testing::AssertionResult has_fault(
      base::MessageCode code, std::initializer_list<std::string_view> values = {}) const {
    return support::has_message(all_faults(), code, values);
  }

  [[nodiscard]] std::string all_faults() const {
    std::string all;
    for (const std::string& fault : recorder.tls_faults) {
      all += fault + "\n";
    }
    return all;
  }

  /// Sends until all of `bytes` are accepted, turning whenever there is no room.
  void send_all(net::ConnectionId id, std::string_view bytes, std::size_t chunk = 10'000) {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, chunk);
      switch (reactor->send(id, piece)) {
        case net::SendResult::Sent:
        case net::SendResult::Parked:
          bytes.remove_prefix(piece.size());
          break;
        case net::SendResult::Overflow: {
          const std::size_t before = recorder.drained.size();
          ASSERT_TRUE(turn_until([&] { return recorder.drained.size() > before; }));
          break;
        }
        case net::SendResult::Closed:
          FAIL() << "closed";
      }
    }
    reactor->submit();
  }

  Recorder recorder;
  std::unique_ptr<TlsReactor> reactor;
  std::shared_ptr<TlsEndpoint> endpoint;
  net::Address here;
  std::vector<OpenSslPeer*> peers;
};

}  // namespace affix::tls::loopback
