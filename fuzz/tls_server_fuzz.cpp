// SPDX-License-Identifier: MIT
// Input of an unknown peer to a TLS port, on a virtual network in virtual time. The input is a
// program: raw bytes, and messages of an OpenSSL client that may be cut, changed, repeated or left
// out. Checks: the server delivers only bytes that the client encrypted, in order, and closes
// connections that do not finish the handshake in time.

#include "affix/testing/virtual_network.hpp"
#include "affix/testing/virtual_peer.hpp"
#include "affix/tls/tls_reactor.hpp"

#include "program_input.hpp"
#include "support/temporary_directory.hpp"
#include "support/test_authority.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string>
#include <string_view>

namespace {

using affix::net::CloseReason;
using affix::net::ConnectionId;
using affix::testing::VirtualNetwork;
using affix::testing::VirtualPeer;
using affix_fuzz::Input;
using affix_fuzz::require;

constexpr std::int64_t handshake_ns = affix::base::ns_per_second;

/// Made once: keys and certificates take time, and no input changes them.
struct World {
  World() : authority(directory.path(), "root") {
    const auto venue = authority.issue({.common_name = "venue"});
    const auto firm = authority.issue({.common_name = "FIRM"});
    affix::tls::TlsSettings settings;
    settings.is_server = true;
    settings.certificates = {{.certificate_file = venue.certificate, .key_file = venue.key}};
    settings.ca_file = authority.file();
    settings.handshake_timeout_ns = handshake_ns;
    auto opened = affix::tls::TlsEndpoint::open(settings);
    require(opened.has_value());
    endpoint = std::move(*opened);
    client.reset(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    require(SSL_CTX_use_certificate_chain_file(client.get(), firm.certificate.c_str()) == 1);
    require(SSL_CTX_use_PrivateKey_file(client.get(), firm.key.c_str(), SSL_FILETYPE_PEM) == 1);
  }

  affix::support::TemporaryDirectory directory;
  affix::support::TestAuthority authority;
  std::shared_ptr<affix::tls::TlsEndpoint> endpoint;
  std::shared_ptr<SSL_CTX> client;
};

const World& world() {
  static const World made;
  return made;
}

/// The server's owner, which consumes everything.
class Owner final : public affix::net::Handler {
 public:
  void on_accepted(affix::net::ListenerId, ConnectionId,
                   const affix::net::Address&) noexcept override {
    ++accepted;
  }

  void on_connected(ConnectionId) noexcept override { require(false); }

  void on_connect_failed(ConnectionId, affix::net::ConnectFailure, int) noexcept override {
    require(false);
  }

  std::size_t on_bytes(ConnectionId, affix::base::PaddedBytes bytes) noexcept override {
    received += bytes.view();
    return bytes.size;
  }

  void on_tls_fault(ConnectionId, affix::base::CodedText fault) noexcept override {
    require(!fault.text.empty());
    ++faults;
  }

  void on_drained(ConnectionId) noexcept override {}

  void on_closed(ConnectionId, CloseReason, int) noexcept override { ++closed; }

  void on_accept_paused(affix::net::ListenerId, affix::net::AcceptPause) noexcept override {}

  std::string received;
  int accepted = 0;
  int closed = 0;
  int faults = 0;
};

/// An OpenSSL client between two memory buffers.
class Client {
 public:
  explicit Client(bool tls12) : ssl_(SSL_new(world().client.get()), &SSL_free) {
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl_.get());
    if (tls12) {
      SSL_set_max_proto_version(ssl_.get(), TLS1_2_VERSION);
    }
  }

  /// Processes the server's bytes; returns the client's answer.
  std::string step(std::string_view from_server) {
    ERR_clear_error();
    BIO_write(SSL_get_rbio(ssl_.get()), from_server.data(), static_cast<int>(from_server.size()));
    if (!shaken_) {
      shaken_ = SSL_do_handshake(ssl_.get()) == 1;
    }
    char bytes[4096];
    while (shaken_ && SSL_read(ssl_.get(), bytes, sizeof bytes) > 0) {
    }
    return take_output();
  }

  std::string write(const std::string& plain) {
    ERR_clear_error();
    if (shaken_ && !plain.empty() &&
        SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size())) > 0) {
      written += plain;
    }
    return take_output();
  }

  std::string end() {
    ERR_clear_error();
    if (shaken_) {
      static_cast<void>(SSL_shutdown(ssl_.get()));
    }
    return take_output();
  }

  std::string renew_keys(bool ask) {
    ERR_clear_error();
    if (shaken_) {
      static_cast<void>(SSL_key_update(
          ssl_.get(), ask ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED));
      static_cast<void>(SSL_do_handshake(ssl_.get()));
    }
    return take_output();
  }

  std::string renegotiate() {
    ERR_clear_error();
    if (shaken_) {
      static_cast<void>(SSL_renegotiate(ssl_.get()));
      static_cast<void>(SSL_do_handshake(ssl_.get()));
    }
    return take_output();
  }

  std::string written;

 private:
  std::string take_output() {
    std::string all;
    char bytes[4096];
    int got = 0;
    while ((got = BIO_read(SSL_get_wbio(ssl_.get()), bytes, sizeof bytes)) > 0) {
      all.append(bytes, static_cast<std::size_t>(got));
    }
    return all;
  }

  std::shared_ptr<SSL> ssl_;
  bool shaken_ = false;
};

/// Applies an operation to bytes of the good client before they leave.
std::string distorted(std::string bytes, Input& input) {
  const std::uint8_t how = input.next();
  const std::size_t at = (std::size_t{input.next()} << 8) + input.next();
  if (bytes.empty()) {
    return bytes;
  }
  switch (how % 8) {
    case 0:
      bytes[at % bytes.size()] = static_cast<char>(bytes[at % bytes.size()] ^ (input.next() | 1));
      return bytes;
    case 1:
      return bytes.substr(0, at % bytes.size());
    case 2:
      return bytes + bytes;
    case 3:
      return bytes.insert(at % bytes.size(), input.take(input.next()));
    case 4:
      return {};
    default:
      return bytes;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Input input(bytes, size);
  VirtualNetwork network;
  const affix::testing::NodeId node = network.add_node();
  // Certificates are verified by the reactor's clock.
  network.step_utc(node,
                   std::time(nullptr) * affix::base::ns_per_second - network.now(node).utc_ns);
  affix::net::ReactorOptions options;
  options.connections_max = 8;
  options.rx_buffer_capacity = 4096;
  options.tx_buffer_capacity = 64 * 1024;
  auto made = affix::tls::make_tls_reactor(
      network.make_reactor(node, affix::tls::options_beneath_tls(options)));
  require(made.has_value());
  affix::tls::TlsReactor& reactor = **made;
  Owner owner;
  const auto address = affix::net::Address::parse("10.0.0.1:5001").value();
  require(reactor.listen_tls(address, {}, world().endpoint).has_value());
  network.set_turn(node, [&] {
    static_cast<void>(reactor.poll(reactor.now(),
                                   affix::net::Wait::block_until(VirtualNetwork::never_ns), owner));
  });
  const std::uint8_t settings = input.next();
  network.conditions.piece_bytes_max = (settings & 2) != 0 ? 7 : 0;
  VirtualPeer peer(network);
  Client client((settings & 1) != 0);
  peer.connect(address);
  require(network.run(affix::base::ns_per_ms));
  std::size_t heard = 0;
  bool honest = true;  // All bytes so far were the client's, complete and in order.
  for (int operations = 0; !input.empty() && operations < 64; ++operations) {
    std::string send;
    const std::uint8_t operation = input.next();
    switch (operation % 8) {
      case 0:
        send = input.take(input.next());
        honest = honest && send.empty();
        break;
      case 1:
      case 2: {
        const std::string said = peer.received().substr(heard);
        heard = peer.received().size();
        send = client.step(said);
        break;
      }
      case 3:
        send = client.write(input.take(input.next()));
        break;
      case 4:
        send = client.renew_keys((operation & 8) != 0);
        break;
      case 5:
        send = (operation & 8) != 0 ? client.renegotiate() : client.end();
        break;
      case 6: {
        const std::string said = peer.received().substr(heard);
        heard = peer.received().size();
        const std::string whole = client.step(said);
        send = distorted(whole, input);
        honest = honest && send == whole;
        break;
      }
      default:
        require(network.run(affix::base::ns_per_ms * (1 + input.next())));
        break;
    }
    peer.send(send);
    require(network.run(affix::base::ns_per_ms));
    require(client.written.starts_with(owner.received));
  }
  // By now all handshakes have finished, or their connections are closed.
  require(network.run(4 * handshake_ns));
  require(client.written.starts_with(owner.received));
  require(owner.accepted == 1);
  const bool stands = owner.closed == 0;
  require(!stands || reactor.tls_peer({0, 1}) != nullptr);
  require(!stands || !honest || owner.received == client.written);
  peer.close();
  require(network.run(4 * handshake_ns));
  require(owner.closed == 1 && reactor.connection_count() == 0);
  return 0;
}
