// SPDX-License-Identifier: MIT
// Keys of llfix's files: their conversion, and refused values.
#include "affix/config/configuration.hpp"
#include "affix/config/configuration_catalogue.hpp"
#include "affix/tls/tls_settings.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::config {
namespace {

using support::has_message;

std::string file(const std::string& server, const std::string& session) {
  return "[S]\naccept_port=0\n" + server +
         "[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n" + session;
}

Configuration read(const std::string& text) {
  auto parsed = parse_configuration(text, "test.ini");
  EXPECT_TRUE(parsed) << text_of(parsed.error());
  return parsed ? std::move(*parsed) : Configuration();
}

std::string refused(const std::string& text) {
  const auto parsed = parse_configuration(text, "test.ini");
  return parsed ? std::string("accepted") : text_of(parsed.error());
}

TEST(ForeignKeys, DictionariesAreOurs) {
  const Configuration configuration = read(
      "[S]\naccept_port=0\n[A]\nbegin_string=FIXT.1.1\ndefault_app_ver_id=9\nsender_comp_id=S\n"
      "target_comp_id=A\napplication_dictionary_path=a.xml\ntransport_dictionary_path=t.xml\n");
  EXPECT_EQ(configuration.sessions.at(0).dictionary, "a.xml");
  EXPECT_EQ(configuration.sessions.at(0).transport_dictionary, "t.xml");
}

TEST(ForeignKeys, DictionariesThatJudgeNothingAreLeftOut) {
  for (const std::string& lines :
       {std::string("dictionary_validations_enabled=false\napplication_dictionary_path=a.xml\n"),
        std::string("application_dictionary_path=a.xml\ndictionary_validations_enabled=false\n")}) {
    EXPECT_EQ(read(file("", lines)).sessions.at(0).dictionary, "");
  }
  EXPECT_EQ(read(file("", "application_dictionary_path=a.xml\ndictionary_validations_enabled=1\n"))
                .sessions.at(0)
                .dictionary,
            "a.xml");
}

TEST(ForeignKeys, TlsKeysAreOurs) {
  if (!tls::has_tls()) {
    GTEST_SKIP() << "no TLS in this build";
  }
  const Configuration configuration =
      read(file("use_ssl=true\nssl_version=TLS13\nssl_cipher_suite=ECDHE-RSA-AES256-GCM-SHA384:"
                "TLS_AES_128_GCM_SHA256:ECDHE-ECDSA-AES256-GCM-SHA384\n"
                "ssl_certificate_pem_file=c.pem\nssl_private_key_pem_file=k.pem\n"
                "ssl_private_key_password=\nssl_ca_pem_file=ca.pem\nssl_crl_path=\n"
                "ssl_verify_peer=true\n",
                ""));
  const ServerSettings& server = configuration.servers.at(0);
  EXPECT_EQ(server.tls, config::Encryption::On);
  EXPECT_EQ(server.tls_version_min, tls::TlsVersion::Tls13);
  EXPECT_EQ(server.tls_ciphers, "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384");
  EXPECT_EQ(server.tls_cipher_suites, "TLS_AES_128_GCM_SHA256");
  EXPECT_EQ(server.tls_certificate_file, "c.pem");
  EXPECT_EQ(server.tls_key_file, "k.pem");
  EXPECT_EQ(server.tls_ca_file, "ca.pem");
  EXPECT_EQ(server.tls_peer_proof, tls::TlsPeerProof::Certificate);
}

TEST(ForeignKeys, APeerThatNeedsNoProofMayStillHaveACaFile) {
  if (!tls::has_tls()) {
    GTEST_SKIP() << "no TLS in this build";
  }
  const Configuration configuration =
      read(file("use_ssl=true\nssl_version=TLS12\nssl_certificate_pem_file=c.pem\n"
                "ssl_private_key_pem_file=k.pem\nssl_ca_pem_file=ca.pem\nssl_verify_peer=false\n",
                ""));
  EXPECT_EQ(configuration.servers.at(0).tls_peer_proof, tls::TlsPeerProof::None);
}

TEST(ForeignKeys, NumbersAreConverted) {
  const Configuration configuration = read(
      "[C]\nprimary_address=127.0.0.1\nprimary_port=1\nconnect_timeout_seconds=3\n"
      "[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n"
      "outgoing_test_request_interval_multiplier=2\n");
  EXPECT_EQ(configuration.clients.at(0).connect_timeout_milliseconds, 3'000);
  EXPECT_EQ(configuration.sessions.at(0).receive_grace_percent, 100);
}

TEST(ForeignKeys, AKeyWithoutACounterpartIsRefusedAtItsLine) {
  const std::string password = refused(file("ssl_private_key_password=hunter2\n", ""));
  EXPECT_TRUE(has_message(password, "C215", {"test.ini:3: key 'ssl_private_key_password': "}));
  EXPECT_EQ(password.find("hunter2"), std::string::npos);
  EXPECT_TRUE(has_message(refused(file("ssl_crl_path=lists\n", "")), "C215",
                          {"test.ini:3: key 'ssl_crl_path': "}));
  EXPECT_TRUE(has_message(refused(file("starts_as_primary_instance=false\n", "")), "C215",
                          {"test.ini:3: key 'starts_as_primary_instance': "}));
  EXPECT_TRUE(has_message(refused(file("use_ssl=perhaps\n", "")), "C215",
                          {"test.ini:3: key 'use_ssl': 'perhaps'"}));
  EXPECT_TRUE(has_message(refused(file("ssl_version=SSL3\n", "")), "C215",
                          {"test.ini:3: key 'ssl_version': 'SSL3'"}));
  EXPECT_TRUE(has_message(refused(file("", "outgoing_test_request_interval_multiplier=0\n")),
                          "C215",
                          {"test.ini:7: key 'outgoing_test_request_interval_multiplier': '0'"}));
}

TEST(ForeignKeys, ASettingUnderTwoNamesIsRefused) {
  EXPECT_EQ(refused(file("", "dictionary=a.xml\napplication_dictionary_path=b.xml\n")),
            "test.ini:8: key 'application_dictionary_path' contradicts key 'dictionary' on line 7 "
            "[C214]\n");
}

TEST(ForeignKeys, AGroupsOwnGoesBeforeADefault) {
  const Configuration configuration = read("[SESSION_DEFAULTS]\ndictionary=a.xml\n" +
                                           file("", "application_dictionary_path=b.xml\n"));
  EXPECT_EQ(configuration.sessions.at(0).dictionary, "b.xml");
}

TEST(ForeignKeys, AKeyWithoutEffectIsAWarning) {
  const Configuration configuration =
      read("[ENGINE]\nlogger_async=false\nlogger_buffer_capacity=1\n" +
           file("spin_count=2\nnic_ringbuffer_tx_size=1\nnic_ringbuffer_rx_size=1\n"
                "refresh_resend_cache_during_promotion=false\nstarts_as_primary_instance=true\n",
                ""));
  EXPECT_EQ(configuration.warnings.size(), 6U);
}

TEST(ForeignKeys, TheCatalogueNamesTheirCounterparts) {
  EXPECT_EQ(keys_in_place_of("use_ssl"), "tls");
  EXPECT_EQ(keys_in_place_of("tls"), "");
}

}  // namespace
}  // namespace affix::config
