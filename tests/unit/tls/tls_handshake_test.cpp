// SPDX-License-Identifier: MIT
// Handshakes that must fail, with the reason, and the conditions under which they succeed:
// authorities, revocation, dates, names, pins, pre-shared keys. OpenSSL's library is the peer.
#include "support/accepted.hpp"
#include "support/has_message.hpp"
#include "unit/tls/tls_loopback.hpp"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

namespace affix::tls {
namespace {

using loopback::CertificateFiles;
using loopback::OpenSslPeer;
using loopback::Peer;
using loopback::TlsRig;
using loopback::TlsWorld;
using support::has_message;
using support::TestAuthority;

using Adjust = std::function<void(SSL_CTX*)>;

constexpr long day_s = 24L * 3600;

/// Result of a handshake between our reactor and OpenSSL.
struct Outcome {
  bool ours = false;    ///< Complete on our side.
  bool theirs = false;  ///< Complete on OpenSSL's side.
  std::string our_fault;
  std::string their_fault;
  TlsPeer peer;  ///< Identity of the peer according to our side.
};

class TlsHandshake : public testing::Test {
 protected:
  /// An OpenSSL client connects to our server. In TLS 1.3 a client is done before the server has
  /// checked it, so the server determines the result.
  Outcome come(const TlsSettings& server, const Adjust& client,
               const std::function<void(SSL*)>& adjust_connection = {}) {
    TlsRig rig(server);
    OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, client, adjust_connection);
    rig.peers.push_back(&peer);
    const auto stands = [&] {
      return !rig.recorder.accepted.empty() &&
             rig.reactor->tls_peer(rig.recorder.accepted.back()) != nullptr && peer.shaken();
    };
    const auto over = [&] { return !rig.recorder.tls_faults.empty() || !peer.fault().empty(); };
    EXPECT_TRUE(rig.turn_until([&] { return stands() || over(); }));
    // Both sides must know the reason.
    static_cast<void>(rig.turn_until(
        [&] { return stands() || (!rig.recorder.tls_faults.empty() && !peer.fault().empty()); },
        200 * base::ns_per_ms));
    Outcome outcome{stands(), peer.shaken(), rig.all_faults(), peer.fault(), {}};
    if (outcome.ours) {
      outcome.peer = *rig.reactor->tls_peer(rig.recorder.accepted.back());
    }
    if (!outcome.ours) {
      peer.close();
      rig.peers.clear();
      EXPECT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
      EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::TlsFailed);
      EXPECT_TRUE(rig.turn_until([&] { return rig.reactor->connection_count() == 0; }));
    }
    return outcome;
  }

  /// Our client connects to an OpenSSL server.
  Outcome go(const TlsSettings& client, const Adjust& server) {
    TlsRig rig(world.server());  // Its listener is not used.
    auto listener = net::Listener::open(loopback::any_loopback(), {});
    EXPECT_TRUE(listener);
    const auto endpoint = loopback::open_endpoint(client);
    if (endpoint == nullptr) {
      return {};
    }
    const auto id = rig.reactor->connect_tls(listener->local_address(), {},
                                             os::now().steady_ns + loopback::patience_ns, endpoint);
    EXPECT_TRUE(id);
    OpenSslPeer peer(support::accept_waiting(listener->socket().fd()), OpenSslPeer::Role::Server,
                     server);
    rig.peers.push_back(&peer);
    EXPECT_TRUE(rig.turn_until(
        [&] { return !rig.recorder.connected.empty() || !rig.recorder.tls_faults.empty(); }));
    static_cast<void>(rig.turn_until([&] { return !peer.fault().empty() || peer.shaken(); },
                                     200 * base::ns_per_ms));
    Outcome outcome{
        !rig.recorder.connected.empty(), peer.shaken(), rig.all_faults(), peer.fault(), {}};
    if (outcome.ours) {
      outcome.peer = *rig.reactor->tls_peer(*id);
      return outcome;
    }
    peer.close();
    rig.peers.clear();
    EXPECT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
    EXPECT_EQ(rig.recorder.failed.front().failure, net::ConnectFailure::TlsFailed);
    EXPECT_TRUE(rig.recorder.closed.empty());
    return outcome;
  }

  /// A client with another certificate than the valid one.
  [[nodiscard]] Adjust client_with(const CertificateFiles& files) const {
    return [this, files](SSL_CTX* context) {
      OpenSslPeer::trust(context, world.authority.file());
      OpenSslPeer::show(context, files.certificate, files.key);
    };
  }

  [[nodiscard]] Adjust server_with(const CertificateFiles& files) const {
    return [files](SSL_CTX* context) { OpenSslPeer::show(context, files.certificate, files.key); };
  }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = world.directory.path(name);
    std::ofstream(path) << text;
    return path;
  }

  TlsWorld world;
};

#define EXPECT_IN(text, piece) EXPECT_NE((text).find(piece), std::string::npos) << (text)

// --- Authorities ---

TEST_F(TlsHandshake, StandsWhenBothProveThemselves) {
  const Outcome came = come(world.server(), world.good_client());
  EXPECT_TRUE(came.ours) << came.our_fault;
  const Outcome went = go(world.client(), world.good_server());
  EXPECT_TRUE(went.ours) << went.our_fault;
}

TEST_F(TlsHandshake, AClientOfAnotherAuthorityIsRefused) {
  TestAuthority stranger(world.directory.path(), "stranger");
  const Outcome outcome =
      come(world.server(), client_with(stranger.issue({.common_name = "FIRM"})));
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T202", {"CN=FIRM"}));
  EXPECT_IN(outcome.their_fault, "unknown ca");
}

TEST_F(TlsHandshake, AServerOfAnotherAuthorityIsRefused) {
  TestAuthority stranger(world.directory.path(), "stranger");
  const Outcome outcome =
      go(world.client(), server_with(stranger.issue(
                             {.common_name = "venue", .alternative_names = "DNS:venue.example"})));
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T202"));
}

TEST_F(TlsHandshake, AClientWithoutACertificateIsRefused) {
  const Outcome outcome = come(world.server(), {});
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T207", {"certificate"}));
}

TEST_F(TlsHandshake, ACertificateMayBeOptionalAndIsVerifiedIfItIsThere) {
  TlsSettings server = world.server();
  server.peer_proof = TlsPeerProof::Optional;
  const Outcome without = come(server, {});
  EXPECT_TRUE(without.ours) << without.our_fault;
  EXPECT_FALSE(without.peer.has_certificate);
  EXPECT_FALSE(without.peer.verified);
  TestAuthority stranger(world.directory.path(), "stranger");
  EXPECT_FALSE(come(server, client_with(stranger.issue({.common_name = "FIRM"}))).ours);
}

TEST_F(TlsHandshake, NoProofIsNoProof) {
  TlsSettings client = world.client();
  client.ca_file.clear();
  client.peer_proof = TlsPeerProof::None;
  TestAuthority stranger(world.directory.path(), "stranger");
  const Outcome outcome = go(client, server_with(stranger.issue({.common_name = "anybody"})));
  EXPECT_TRUE(outcome.ours) << outcome.our_fault;
  EXPECT_TRUE(outcome.peer.has_certificate);
  EXPECT_FALSE(outcome.peer.verified);
}

TEST_F(TlsHandshake, AChainOverAnIntermediateLeadsToTheRoot) {
  TestAuthority middle = world.authority.below("middle");
  const Outcome outcome = come(world.server(), client_with(middle.issue({.common_name = "FIRM"})));
  EXPECT_TRUE(outcome.ours) << outcome.our_fault;
}

TEST_F(TlsHandshake, ATrustedIntermediateIsEnough) {
  TestAuthority middle = world.authority.below("middle");
  TlsSettings server = world.server();
  server.ca_file = middle.file();
  EXPECT_TRUE(come(server, client_with(middle.issue({.common_name = "FIRM"}))).ours);
  EXPECT_FALSE(come(server, world.good_client()).ours);
}

TEST_F(TlsHandshake, ADirectoryOfAuthoritiesIsAsGoodAsAFile) {
  const std::string path = world.directory.path("hashed");
  std::filesystem::create_directory(path);
  const std::unique_ptr<FILE, int (*)(FILE*)> in(std::fopen(world.authority.file().c_str(), "r"),
                                                 &std::fclose);
  const std::unique_ptr<X509, void (*)(X509*)> root(
      PEM_read_X509(in.get(), nullptr, nullptr, nullptr), &X509_free);
  char name[32];
  std::snprintf(name, sizeof name, "/%08lx.0", X509_subject_name_hash(root.get()));
  std::filesystem::copy_file(world.authority.file(), path + name);
  TlsSettings server = world.server();
  server.ca_file.clear();
  server.ca_path = path;
  EXPECT_TRUE(come(server, world.good_client()).ours);
}

// --- Dates and revocation ---

TEST_F(TlsHandshake, AnExpiredCertificateIsRefusedWithItsDate) {
  const CertificateFiles expired = world.authority.issue(
      {.common_name = "FIRM", .valid_from_s = -3 * day_s, .valid_until_s = -day_s});
  const Outcome outcome = come(world.server(), client_with(expired));
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(
      has_message(outcome.our_fault, "T201", {"(CN=FIRM,O=affix test)", "expired on 20", "UTC"}));
  EXPECT_IN(outcome.their_fault, "certificate expired");
}

TEST_F(TlsHandshake, ACertificateOfTomorrowIsRefused) {
  const CertificateFiles early = world.authority.issue(
      {.common_name = "FIRM", .valid_from_s = day_s, .valid_until_s = 2 * day_s});
  EXPECT_TRUE(
      has_message(come(world.server(), client_with(early)).our_fault, "T201", {"before 20"}));
}

TEST_F(TlsHandshake, ARevokedCertificateIsRefusedAndOthersAreNot) {
  TlsSettings server = world.server();
  server.crl_file = world.authority.revoke({world.firm.serial});
  const Outcome outcome = come(server, world.good_client());
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T201", {"revoked", "(CN=root,O=affix test)"}));
  EXPECT_IN(outcome.their_fault, "certificate revoked");
  EXPECT_TRUE(come(server, client_with(world.authority.issue({.common_name = "OTHER"}))).ours);
}

TEST_F(TlsHandshake, AClientOfOursRefusesARevokedServerToo) {
  TlsSettings client = world.client();
  client.crl_file = world.authority.revoke({world.venue.serial});
  EXPECT_TRUE(has_message(go(client, world.good_server()).our_fault, "T201", {"revoked"}));
}

TEST_F(TlsHandshake, AnExpiredRevocationListRefusesEverybody) {
  TlsSettings server = world.server();
  server.crl_file = world.authority.revoke({}, -60);
  const Outcome outcome = come(server, world.good_client());
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T204", {server.crl_file, "expired"}));
}

TEST_F(TlsHandshake, AnIntermediatesCertificatesNeedItsOwnList) {
  TestAuthority middle = world.authority.below("middle");
  const CertificateFiles files = middle.issue({.common_name = "FIRM"});
  TlsSettings server = world.server();
  server.crl_file = world.authority.revoke({});
  EXPECT_TRUE(has_message(come(server, client_with(files)).our_fault, "T204",
                          {server.crl_file, "has no "}));
  // The root's own list may be missing.
  server.crl_file = middle.revoke({});
  const Outcome outcome = come(server, client_with(files));
  EXPECT_TRUE(outcome.ours) << outcome.our_fault;
}

// --- Names of servers ---

TEST_F(TlsHandshake, AServerOfAnotherNameIsRefused) {
  TlsSettings client = world.client();
  client.server_name = "other.example";
  const Outcome outcome = go(client, world.good_server());
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(
      has_message(outcome.our_fault, "T203", {"DNS:venue.example", "not for other.example"}));
  client.check_server_name = false;
  EXPECT_TRUE(go(client, world.good_server()).ours);
}

TEST_F(TlsHandshake, AnAddressIsLookedForAmongTheAddresses) {
  TlsSettings client = world.client();
  client.server_name = "127.0.0.1";
  EXPECT_TRUE(go(client, world.good_server()).ours);
  client.server_name = "127.0.0.2";
  EXPECT_FALSE(go(client, world.good_server()).ours);
  client.check_server_name = false;
  EXPECT_TRUE(go(client, world.good_server()).ours);
}

TEST_F(TlsHandshake, AServerShowsTheCertificateThatItsClientAsksFor) {
  TlsSettings server = world.server();
  const CertificateFiles second =
      world.authority.issue({.common_name = "second", .alternative_names = "DNS:second.example"});
  TlsCertificate named = loopback::certificate_of(second);
  named.server_name = "Second.Example";
  server.certificates.push_back(named);
  for (const auto& [asked, common_name] :
       {std::pair<std::string, std::string>("second.example", "second"),
        std::pair<std::string, std::string>("third.example", "venue"),
        std::pair<std::string, std::string>("", "venue")}) {
    TlsRig rig(server);
    OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, world.good_client(), [&](SSL* ssl) {
      if (!asked.empty()) {
        // The macro casts in the style of C.
        SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 const_cast<char*>(asked.c_str()));
      }
    });
    rig.peers.push_back(&peer);
    ASSERT_TRUE(rig.turn_until([&] { return peer.shaken(); })) << rig.all_faults();
    char name[64] = {};
    X509_NAME_get_text_by_NID(X509_get_subject_name(SSL_get0_peer_certificate(peer.ssl())),
                              NID_commonName, name, sizeof name);
    EXPECT_EQ(name, common_name) << asked;
  }
}

// --- Pins ---

TEST_F(TlsHandshake, APinnedLeafNeedsNoAuthority) {
  TestAuthority stranger(world.directory.path(), "stranger");
  const CertificateFiles files = stranger.issue({.common_name = "FIRM"});
  for (const std::string& pin :
       {"leaf-certificate:" + files.certificate_sha256, "leaf-key:" + files.key_sha256}) {
    TlsSettings server = world.server();
    server.ca_file.clear();
    server.pins = *TlsPin::parse_list(pin + ",leaf-key:" + std::string(64, '0'));
    const Outcome outcome = come(server, client_with(files));
    EXPECT_TRUE(outcome.ours) << outcome.our_fault;
    EXPECT_TRUE(outcome.peer.verified);
    const Outcome other = come(server, world.good_client());
    EXPECT_FALSE(other.ours);
    EXPECT_TRUE(has_message(other.our_fault, "T205", {world.firm.certificate_sha256}));
  }
}

TEST_F(TlsHandshake, APinnedKeyOutlivesTheCertificateAndAPinnedCertificateDoesNot) {
  const CertificateFiles renewed = world.authority.issue_again({.common_name = "FIRM"}, world.firm);
  TlsSettings server = world.server();
  server.pins = *TlsPin::parse_list("leaf-key:" + world.firm.key_sha256);
  EXPECT_TRUE(come(server, client_with(renewed)).ours);
  server.pins = *TlsPin::parse_list("leaf-certificate:" + world.firm.certificate_sha256);
  EXPECT_FALSE(come(server, client_with(renewed)).ours);
}

TEST_F(TlsHandshake, APinIsAskedForOnTopOfTheAuthority) {
  TestAuthority stranger(world.directory.path(), "stranger");
  const CertificateFiles files = stranger.issue({.common_name = "FIRM"});
  TlsSettings server = world.server();
  server.pins = *TlsPin::parse_list("leaf-certificate:" + files.certificate_sha256);
  EXPECT_TRUE(has_message(come(server, client_with(files)).our_fault, "T202"));
  EXPECT_TRUE(has_message(come(server, world.good_client()).our_fault, "T205"));
}

TEST_F(TlsHandshake, APinnedLeafThatHasExpiredIsRefused) {
  const CertificateFiles expired = world.authority.issue(
      {.common_name = "FIRM", .valid_from_s = -3 * day_s, .valid_until_s = -day_s});
  TlsSettings server = world.server();
  server.ca_file.clear();
  server.pins = *TlsPin::parse_list("leaf-certificate:" + expired.certificate_sha256);
  EXPECT_TRUE(has_message(come(server, client_with(expired)).our_fault, "T201", {"expired on"}));
}

TEST_F(TlsHandshake, APinnedAuthorityTakesOnlyItsOwn) {
  TestAuthority middle = world.authority.below("middle");
  const CertificateFiles below = middle.issue({.common_name = "FIRM"});
  for (const std::string& pin :
       {"ca-certificate:" + middle.sha256(), "ca-key:" + middle.key_sha256()}) {
    TlsSettings server = world.server();
    server.pins = *TlsPin::parse_list(pin);
    const Outcome outcome = come(server, client_with(below));
    EXPECT_TRUE(outcome.ours) << outcome.our_fault;
    EXPECT_TRUE(has_message(come(server, world.good_client()).our_fault, "T205"));
  }
  // A leaf is not its own issuer.
  TlsSettings server = world.server();
  server.pins = *TlsPin::parse_list("ca-certificate:" + world.firm.certificate_sha256);
  EXPECT_FALSE(come(server, world.good_client()).ours);
}

TEST_F(TlsHandshake, PinsOfAFileCountToo) {
  TlsSettings client = world.client();
  client.ca_file.clear();
  client.pin_file = write("pins", "# the venue's\nleaf-key:" + world.venue.key_sha256 +
                                      "\n\nleaf-key:" + std::string(64, 'a') + " # next year's\n");
  EXPECT_TRUE(go(client, world.good_server()).ours);
  client.pin_file = write("pins", "leaf-key:" + std::string(64, 'a'));
  EXPECT_FALSE(go(client, world.good_server()).ours);
}

// --- Pre-shared keys ---

const std::string good_key = "00112233445566778899aabbccddeeff";

/// Values used and found by OpenSSL's callbacks of a pre-shared key.
struct PeerKey {
  std::string identity = "FIRM";
  std::string key;
};

PeerKey peer_key;

unsigned show_peer_key(SSL*, const char*, char* identity, unsigned, unsigned char* key, unsigned) {
  std::strcpy(identity, peer_key.identity.c_str());
  std::memcpy(key, peer_key.key.data(), peer_key.key.size());
  return static_cast<unsigned>(peer_key.key.size());
}

unsigned find_peer_key(SSL*, const char* identity, unsigned char* key, unsigned) {
  if (identity != peer_key.identity) {
    return 0;
  }
  std::memcpy(key, peer_key.key.data(), peer_key.key.size());
  return static_cast<unsigned>(peer_key.key.size());
}

std::string bytes_of(const std::string& digits) {
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  }
  return bytes;
}

class TlsPresharedKey : public TlsHandshake, public testing::WithParamInterface<int> {
 protected:
  TlsPresharedKey() {
    peer_key = {"FIRM", bytes_of(good_key)};
    keys.preshared_keys = {
        TlsSecret::Source::File,
        write("keys", "OTHER:ffffffffffffffffffffffffffffffff\nFIRM:" + good_key + "\n")};
    keys.peer_proof = TlsPeerProof::PresharedKey;
    keys.preshared_identity = "FIRM";
  }

  [[nodiscard]] TlsSettings server() const {
    TlsSettings settings = keys;
    settings.is_server = true;
    return settings;
  }

  static void version_and_ciphers(SSL_CTX* context) {
    SSL_CTX_set_min_proto_version(context, GetParam());
    SSL_CTX_set_max_proto_version(context, GetParam());
    EXPECT_EQ(SSL_CTX_set_cipher_list(context, "kECDHEPSK:kDHEPSK:ECDHE"), 1);
  }

  static void with_client_key(SSL_CTX* context) {
    version_and_ciphers(context);
    SSL_CTX_set_psk_client_callback(context, &show_peer_key);
  }

  static void with_server_key(SSL_CTX* context) {
    version_and_ciphers(context);
    SSL_CTX_set_psk_server_callback(context, &find_peer_key);
    SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256");
  }

  TlsSettings keys;
};

TEST_P(TlsPresharedKey, LetsAClientInAndReportsItsIdentity) {
  const Outcome outcome = come(server(), &with_client_key);
  EXPECT_TRUE(outcome.ours) << outcome.our_fault << outcome.their_fault;
  EXPECT_EQ(outcome.peer.preshared_identity, "FIRM");
  EXPECT_FALSE(outcome.peer.has_certificate);
}

TEST_P(TlsPresharedKey, LetsUsIn) {
  const Outcome outcome = go(keys, &with_server_key);
  EXPECT_TRUE(outcome.ours) << outcome.our_fault << outcome.their_fault;
  EXPECT_EQ(outcome.peer.preshared_identity, "FIRM");
}

TEST_P(TlsPresharedKey, AnotherKeyIsRefused) {
  peer_key.key[0] = 'x';
  const Outcome came = come(server(), &with_client_key);
  EXPECT_FALSE(came.ours);
  EXPECT_TRUE(has_message(came.our_fault, "T210", {"key"}));
  const Outcome went = go(keys, &with_server_key);
  EXPECT_FALSE(went.ours);
  EXPECT_FALSE(went.our_fault.empty());
}

TEST_P(TlsPresharedKey, AnotherIdentityIsRefused) {
  peer_key.identity = "NOBODY";
  const Outcome outcome = come(server(), &with_client_key);
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T207", {"pre-shared key"}));
}

TEST_P(TlsPresharedKey, ACertificateIsNoKey) {
  const Outcome came = come(server(), [this](SSL_CTX* context) {
    world.good_client()(context);
    version_and_ciphers(context);
  });
  EXPECT_FALSE(came.ours);
  const Outcome went = go(keys, [this](SSL_CTX* context) {
    OpenSslPeer::show(context, world.venue.certificate, world.venue.key);
    version_and_ciphers(context);
  });
  EXPECT_FALSE(went.ours);
}

INSTANTIATE_TEST_SUITE_P(Versions, TlsPresharedKey, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& version) {
                           return version.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

// --- Versions and ciphers ---

TEST_F(TlsHandshake, AVersionBelowOursIsRefusedByBothSides) {
  TlsSettings server = world.server();
  server.version_min = TlsVersion::Tls13;
  const Outcome came = come(server, [this](SSL_CTX* context) {
    world.good_client()(context);
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
  });
  EXPECT_FALSE(came.ours);
  EXPECT_TRUE(has_message(came.our_fault, "T208", {"version"}));
  TlsSettings client = world.client();
  client.version_max = TlsVersion::Tls12;
  const Outcome went = go(client, [this](SSL_CTX* context) {
    world.good_server()(context);
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  });
  EXPECT_FALSE(went.ours);
  EXPECT_TRUE(has_message(went.our_fault, "T215", {"versions"}));
}

TEST_F(TlsHandshake, OldVersionsAreNotSpokenAtAll) {
  const Outcome outcome = come(world.server(), [this](SSL_CTX* context) {
    SSL_CTX_set_security_level(context, 0);
    world.good_client()(context);
    SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context, TLS1_1_VERSION);
  });
  EXPECT_FALSE(outcome.ours);
}

TEST_F(TlsHandshake, CiphersAreThoseThatWereAskedFor) {
  TlsSettings server = world.server();
  server.ciphers = "ECDHE-ECDSA-CHACHA20-POLY1305";
  server.cipher_suites = "TLS_CHACHA20_POLY1305_SHA256";
  EXPECT_EQ(come(server, world.good_client()).peer.cipher, "TLS_CHACHA20_POLY1305_SHA256");
  server.version_max = TlsVersion::Tls12;
  EXPECT_EQ(come(server, world.good_client()).peer.cipher, "ECDHE-ECDSA-CHACHA20-POLY1305");
  const Outcome outcome = come(server, [this](SSL_CTX* context) {
    world.good_client()(context);
    SSL_CTX_set_cipher_list(context, "ECDHE-ECDSA-AES128-GCM-SHA256");
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
  });
  EXPECT_FALSE(outcome.ours);
  EXPECT_TRUE(has_message(outcome.our_fault, "T208", {"cipher"}));
}

// --- Peers without TLS, or with faulty TLS ---

TEST_F(TlsHandshake, PlaintextOnATlsPortIsReportedAsSuch) {
  TlsRig rig(world.server());
  const Peer peer = Peer::to(rig.here);
  peer.send("8=FIX.4.4\0019=5\00135=A\00110=000\001");
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.tls_faults.empty(); }));
  EXPECT_TRUE(rig.has_fault("T209"));
  EXPECT_EQ(rig.recorder.deliveries, 0U);
}

TEST_F(TlsHandshake, GarbageEndsTheConnectionAndNothingElse) {
  TlsRig rig(world.server());
  for (const std::size_t size : {1U, 5U, 6U, 300U, 20'000U}) {
    const std::size_t before = rig.recorder.closed.size();
    Peer peer = Peer::to(rig.here);
    peer.send(loopback::pattern(size));
    peer.end_sending();
    ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.closed.size() > before; })) << size;
  }
  EXPECT_EQ(rig.recorder.deliveries, 0U);
  // A record that is announced, and never complete.
  Peer half = Peer::to(rig.here);
  half.send({"\x16\x03\x01\x02\x00\x01", 6});
  half.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.closed.size() == 6; }));
  OpenSslPeer good(rig.dial(), OpenSslPeer::Role::Client, world.good_client());
  rig.peers.push_back(&good);
  ASSERT_TRUE(rig.turn_until([&] { return good.shaken(); }));
}

TEST_F(TlsHandshake, AClientOfOursMeetsAPlainServer) {
  TlsRig rig(world.server());
  auto listener = net::Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(listener);
  const auto id = rig.reactor->connect_tls(listener->local_address(), {},
                                           os::now().steady_ns + loopback::patience_ns,
                                           loopback::open_endpoint(world.client()));
  ASSERT_TRUE(id);
  const Peer peer(support::accept_waiting(listener->socket().fd()).release());
  peer.send("8=FIX.4.4\0019=5\001");
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.tls_faults.empty(); }));
  EXPECT_TRUE(rig.has_fault("T209"));
  peer.end_sending();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
  EXPECT_TRUE(rig.recorder.connected.empty());
}

TEST_F(TlsHandshake, APeerThatDoesNotFinishInTimeIsClosed) {
  TlsSettings server = world.server();
  server.handshake_timeout_ns = 30 * base::ns_per_ms;
  TlsRig rig(server);
  const Peer silent = Peer::to(rig.here);
  const Peer half = Peer::to(rig.here);
  half.send({"\x16\x03\x01\x02\x00\x01", 6});
  ASSERT_TRUE(rig.turn_until([&] { return rig.recorder.closed.size() == 2; }));
  EXPECT_TRUE(rig.has_fault("T211", {"begin", "in time"}));
  EXPECT_TRUE(rig.has_fault("T211", {"finish", "in time"}));
  EXPECT_EQ(rig.reactor->connection_count(), 0U);
}

TEST_F(TlsHandshake, AServerThatSaysNothingIsGivenUp) {
  TlsSettings client = world.client();
  client.handshake_timeout_ns = 30 * base::ns_per_ms;
  TlsRig rig(world.server());
  auto listener = net::Listener::open(loopback::any_loopback(), {});
  ASSERT_TRUE(listener);
  ASSERT_TRUE(rig.reactor->connect_tls(listener->local_address(), {},
                                       os::now().steady_ns + loopback::patience_ns,
                                       loopback::open_endpoint(client)));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.failed.empty(); }));
  EXPECT_EQ(rig.recorder.failed.front().failure, net::ConnectFailure::TlsFailed);
  EXPECT_TRUE(rig.has_fault("T211", {"in time"}));
}

TEST_F(TlsHandshake, AProbeOfThePortIsNotLogged) {
  TlsRig rig(world.server());
  Peer probe = Peer::to(rig.here);
  probe.close();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_TRUE(rig.recorder.tls_faults.empty());
}

TEST_F(TlsHandshake, ARenegotiationIsRefused) {
  TlsRig rig(world.server());
  OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, [this](SSL_CTX* context) {
    world.good_client()(context);
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
  });
  rig.peers.push_back(&peer);
  ASSERT_TRUE(rig.turn_until([&] { return peer.shaken(); }));
  EXPECT_EQ(SSL_renegotiate(peer.ssl()), 1);
  static_cast<void>(SSL_do_handshake(peer.ssl()));
  ASSERT_TRUE(rig.turn_until([&] { return !peer.fault().empty(); }));
  EXPECT_IN(peer.fault(), "no renegotiation");
}

TEST_F(TlsHandshake, ANewKeyOfThePeersIsTakenAndAnswered) {
  TlsRig rig(world.server());
  OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, world.good_client());
  rig.peers.push_back(&peer);
  ASSERT_TRUE(rig.turn_until([&] { return peer.shaken(); }));
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(SSL_key_update(peer.ssl(), SSL_KEY_UPDATE_REQUESTED), 1);
    peer.write("x");
    ASSERT_TRUE(rig.turn_until([&] {
      return rig.recorder.bytes_of(rig.recorder.accepted.back()).size() ==
             static_cast<std::size_t>(round) + 1;
    }));
  }
  EXPECT_NE(rig.reactor->send(rig.recorder.accepted.back(), "answer"), net::SendResult::Closed);
  ASSERT_TRUE(rig.turn_until([&] { return peer.received() == "answer"; }));
}

TEST_F(TlsHandshake, AChangedRecordEndsTheConnection) {
  TlsRig rig(world.server());
  OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, world.good_client());
  rig.peers.push_back(&peer);
  ASSERT_TRUE(rig.turn_until([&] {
    return peer.shaken() && rig.reactor->tls_peer(rig.recorder.accepted.back()) != nullptr;
  }));
  std::string record("\x17\x03\x03\x00\x20", 5);
  record += std::string(32, 'x');
  ASSERT_EQ(::send(peer.fd(), record.data(), record.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(record.size()));
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.tls_faults.empty(); }));
  EXPECT_TRUE(rig.has_fault("T210"));
  peer.step();
  peer.close();
  rig.peers.clear();
  ASSERT_TRUE(rig.turn_until([&] { return !rig.recorder.closed.empty(); }));
  EXPECT_EQ(rig.recorder.closed.front().reason, net::CloseReason::TlsFailed);
}

TEST_F(TlsHandshake, NoTicketIsGivenAndNothingIsResumed) {
  TlsRig rig(world.server());
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    OpenSslPeer peer(rig.dial(), OpenSslPeer::Role::Client, [&](SSL_CTX* context) {
      world.good_client()(context);
      SSL_CTX_set_max_proto_version(context, version);
    });
    rig.peers = {&peer};
    ASSERT_TRUE(rig.turn_until([&] { return peer.shaken(); }));
    const net::ConnectionId id = rig.recorder.accepted.back();
    EXPECT_NE(rig.reactor->send(id, "x"), net::SendResult::Closed);
    ASSERT_TRUE(rig.turn_until([&] { return peer.received() == "x"; }));
    EXPECT_EQ(SSL_SESSION_has_ticket(SSL_get_session(peer.ssl())), 0);
    rig.peers.clear();
  }
}

// --- Reloading ---

TEST_F(TlsHandshake, NewConnectionsUseReloadedFilesAndOldOnesGoOn) {
  const std::string certificate = world.directory.path("current.pem");
  const std::string key = world.directory.path("current.key");
  const auto put = [&](const CertificateFiles& files) {
    constexpr auto replace = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(files.certificate, certificate, replace);
    std::filesystem::copy_file(files.key, key, replace);
  };
  put(world.venue);
  TlsSettings server = world.server();
  server.certificates = {{.certificate_file = certificate, .key_file = key}};
  TlsRig rig(server);
  const auto shown_to = [&](OpenSslPeer& peer) {
    rig.peers.push_back(&peer);
    EXPECT_TRUE(rig.turn_until([&] { return peer.shaken(); })) << rig.all_faults();
    char name[64] = {};
    X509_NAME_get_text_by_NID(X509_get_subject_name(SSL_get0_peer_certificate(peer.ssl())),
                              NID_commonName, name, sizeof name);
    return std::string(name);
  };
  OpenSslPeer first(rig.dial(), OpenSslPeer::Role::Client, world.good_client());
  EXPECT_EQ(shown_to(first), "venue");

  std::ofstream(certificate) << "broken";
  const auto refused = rig.endpoint->reload();
  ASSERT_FALSE(refused);
  EXPECT_IN(refused.error().text(), certificate);
  EXPECT_EQ(rig.endpoint->reloads(), 0U);
  OpenSslPeer second(rig.dial(), OpenSslPeer::Role::Client, world.good_client());
  EXPECT_EQ(shown_to(second), "venue");

  put(world.authority.issue({.common_name = "renewed", .alternative_names = "DNS:venue.example"}));
  ASSERT_TRUE(rig.endpoint->reload());
  EXPECT_EQ(rig.endpoint->reloads(), 1U);
  OpenSslPeer third(rig.dial(), OpenSslPeer::Role::Client, world.good_client());
  EXPECT_EQ(shown_to(third), "renewed");
  first.write("still here");
  ASSERT_TRUE(rig.turn_until(
      [&] { return rig.recorder.bytes_of(rig.recorder.accepted.front()) == "still here"; }));
}

}  // namespace
}  // namespace affix::tls
