// SPDX-License-Identifier: MIT
// Rules for a session's peer: their texts, and when they match.
#include "affix/tls/tls_peer.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tls {
namespace {

using support::has_message;

TlsPeer firm() {
  TlsPeer peer;
  peer.version = "TLSv1.3";
  peer.cipher = "TLS_AES_128_GCM_SHA256";
  peer.has_certificate = true;
  peer.verified = true;
  peer.subject = "CN=FIRM,O=Example";
  peer.common_names = {"FIRM", "firm two"};
  peer.dns_names = {"Fix.Firm.Example", "*.wild.example"};
  peer.uris = {"urn:fix:FIRM"};
  peer.emails = {"fix@firm.example"};
  peer.certificate_sha256 = std::string(64, 'a');
  peer.key_sha256 = std::string(64, 'b');
  return peer;
}

bool holds(const TlsPeer& peer, std::string_view rules) {
  const auto parsed = parse_tls_peer_rules(rules);
  EXPECT_TRUE(parsed) << rules;
  return parsed && matches(peer, *parsed);
}

TEST(TlsPeerRules, EachKindIsHeldByItsOwnName) {
  const TlsPeer peer = firm();
  for (const std::string& rule :
       {std::string("cn:FIRM"), std::string("cn:firm two"), std::string("dns:fix.firm.example"),
        std::string("uri:urn:fix:FIRM"), std::string("email:fix@firm.example"),
        std::string("subject:CN=FIRM,O=Example"), "certificate:" + std::string(64, 'A'),
        "key:" + std::string(64, 'b'), std::string(" dns:nobody ; cn:FIRM ; ")}) {
    EXPECT_TRUE(holds(peer, rule)) << rule;
  }
  for (const std::string& rule :
       {std::string("cn:firm"), std::string("cn:FIR"), std::string("cn:FIRM2"),
        std::string("dns:firm.example"), std::string("dns:a.wild.example"),
        std::string("uri:urn:fix:firm"), std::string("email:FIX@firm.example"),
        std::string("subject:CN=FIRM"), "certificate:" + std::string(64, 'b'),
        "key:" + std::string(64, 'a'), std::string("psk:FIRM"), std::string("dns:FIRM")}) {
    EXPECT_FALSE(holds(peer, rule)) << rule;
  }
}

TEST(TlsPeerRules, AnUnverifiedCertificateHoldsNothing) {
  TlsPeer peer = firm();
  peer.verified = false;
  EXPECT_FALSE(holds(peer, "cn:FIRM"));
  EXPECT_FALSE(holds(peer, "certificate:" + std::string(64, 'a')));
  peer.verified = true;
  peer.has_certificate = false;
  EXPECT_FALSE(holds(peer, "cn:FIRM"));
}

TEST(TlsPeerRules, APresharedKeysIdentityIsAName) {
  TlsPeer peer;
  EXPECT_FALSE(holds(peer, "psk:FIRM"));
  peer.preshared_identity = "FIRM";
  EXPECT_TRUE(holds(peer, "psk:FIRM"));
  EXPECT_FALSE(holds(peer, "psk:firm"));
  EXPECT_FALSE(holds(peer, "cn:FIRM"));
}

TEST(TlsPeerRules, NoRuleHoldsForNobody) {
  EXPECT_FALSE(matches(firm(), {}));
  EXPECT_TRUE(parse_tls_peer_rules(" ; ")->empty());
}

TEST(TlsPeerRules, TextThatIsNotARuleIsRefusedByName) {
  for (const std::string& text : {std::string("FIRM"), std::string("name:FIRM"), std::string("cn:"),
                                  std::string("cn"), std::string("cn:FIRM; oops"),
                                  std::string("key:abc"), "certificate:" + std::string(64, 'g')}) {
    EXPECT_FALSE(parse_tls_peer_rules(text)) << text;
  }
  EXPECT_TRUE(
      has_message(parse_tls_peer_rules("cn:FIRM; oops").error().text(), "T116", {"'oops'"}));
}

TEST(TlsPeer, TextNamesThePeer) {
  EXPECT_EQ(firm().text(), "TLSv1.3 TLS_AES_128_GCM_SHA256, CN=FIRM,O=Example");
  TlsPeer peer = firm();
  peer.verified = false;
  EXPECT_EQ(peer.text(), "TLSv1.3 TLS_AES_128_GCM_SHA256, CN=FIRM,O=Example (not verified)");
  peer.has_certificate = false;
  EXPECT_EQ(peer.text(), "TLSv1.3 TLS_AES_128_GCM_SHA256, the peer has no certificate");
  peer.preshared_identity = "FIRM";
  EXPECT_EQ(peer.text(), "TLSv1.3 TLS_AES_128_GCM_SHA256, pre-shared key 'FIRM'");
}

}  // namespace
}  // namespace affix::tls
