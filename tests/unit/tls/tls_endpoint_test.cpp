// SPDX-License-Identifier: MIT
// Opening an endpoint: every faulty file is named with its fault, without secrets.
#include "affix/tls/tls_endpoint.hpp"

#include "support/has_message.hpp"
#include "support/whole_file.hpp"
#include "unit/tls/tls_loopback.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace affix::tls {
namespace {

using loopback::CertificateFiles;
using loopback::TlsWorld;

class TlsEndpointTest : public testing::Test {
 protected:
  /// Text of the error; empty if it opens.
  static std::string fault(const TlsSettings& settings) {
    const auto opened = TlsEndpoint::open(settings);
    return opened ? std::string() : opened.error().text();
  }

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = world.directory.path(name);
    std::ofstream(path) << text;
    return path;
  }

  static void expect(const std::string& text, base::MessageCode code,
                     std::initializer_list<std::string_view> values = {}) {
    EXPECT_TRUE(support::has_message(text, code, values));
  }

  TlsWorld world;
};

TEST_F(TlsEndpointTest, OpensWithASessionsSettings) {
  EXPECT_EQ(fault(world.server()), "");
  EXPECT_EQ(fault(world.client()), "");
}

TEST_F(TlsEndpointTest, NamesTheFileThatIsMissing) {
  for (std::string TlsSettings::* member : {&TlsSettings::ca_file, &TlsSettings::crl_file}) {
    TlsSettings settings = world.server();
    settings.*member = world.directory.path("absent.pem");
    expect(fault(settings), "T102", {"[SERVER]", "absent.pem"});
  }
  TlsSettings settings = world.server();
  settings.certificates.front().certificate_file = world.directory.path("absent.pem");
  expect(fault(settings), "T102", {"absent.pem"});
  settings = world.server();
  settings.certificates.front().key_file = world.directory.path("absent.key");
  expect(fault(settings), "T102", {"absent.key"});
  settings = world.server();
  settings.ca_path = world.directory.path("absent");
  expect(fault(settings), "T102", {"absent"});
  settings = world.server();
  settings.ca_file = world.directory.path();
  expect(fault(settings), "T102", {world.directory.path(), "directory"});
}

TEST_F(TlsEndpointTest, NamesTheFileThatHoldsSomethingElse) {
  const std::string text = write("text", "no certificate at all\n");
  TlsSettings settings = world.server();
  settings.ca_file = text;
  expect(fault(settings), "T103", {text, "certificate"});
  settings = world.server();
  settings.certificates.front().certificate_file = text;
  expect(fault(settings), "T103", {text, "certificate"});
  settings = world.server();
  settings.certificates.front().key_file = text;
  expect(fault(settings), "T103", {text, "private key"});
  settings = world.server();
  settings.crl_file = text;
  expect(fault(settings), "T103", {text, "revocation list"});
  settings = world.server();
  settings.pin_file = text;
  expect(fault(settings), "T115", {text});
  settings.pin_file = write("empty", "# nothing\n");
  expect(fault(settings), "T103", {"empty", "pin"});
}

TEST_F(TlsEndpointTest, ADamagedCertificateIsNotTheEndOfTheFile) {
  const std::string text = support::read_file(world.venue.certificate);
  std::string damaged = text;
  damaged[damaged.size() / 2] = '!';
  TlsSettings settings = world.server();
  settings.ca_file = write("damaged", text + damaged);
  expect(fault(settings), "T103", {"damaged", "certificate 2 "});
}

TEST_F(TlsEndpointTest, AKeyOfAnotherCertificateIsRefused) {
  TlsSettings settings = world.server();
  settings.certificates.front().key_file = world.firm.key;
  expect(fault(settings), "T105", {world.firm.key, world.venue.certificate});
}

TEST_F(TlsEndpointTest, OurOwnExpiredCertificateIsRefused) {
  TlsSettings settings = world.server();
  settings.certificates = {loopback::certificate_of(world.authority.issue(
      {.common_name = "old", .valid_from_s = -7200, .valid_until_s = -3600}))};
  expect(fault(settings), "T106", {"expired on 20"});
  settings.certificates = {loopback::certificate_of(
      world.authority.issue({.common_name = "new", .valid_from_s = 3600, .valid_until_s = 7200}))};
  expect(fault(settings), "T106", {"before 20"});
}

TEST_F(TlsEndpointTest, AKeysPasswordComesFromAFileOrTheEnvironmentAndIsNeverRepeated) {
  const CertificateFiles files =
      world.authority.issue({.common_name = "venue", .key_password = "open sesame"});
  TlsSettings settings = world.server();
  settings.certificates = {loopback::certificate_of(files)};
  expect(fault(settings), "T104", {files.key, "no password"});
  settings.certificates.front().key_password = {TlsSecret::Source::File,
                                                write("password", "open barley\n")};
  const std::string wrong = fault(settings);
  expect(wrong, "T104", {files.key, "the password"});
  EXPECT_EQ(wrong.find("barley"), std::string::npos);
  settings.certificates.front().key_password.name = write("password", "open sesame\n");
  EXPECT_EQ(fault(settings), "");
  settings.certificates.front().key_password = {TlsSecret::Source::Environment,
                                                "AFFIX_TEST_KEY_PASSWORD"};
  ::unsetenv("AFFIX_TEST_KEY_PASSWORD");
  expect(fault(settings), "T102", {"AFFIX_TEST_KEY_PASSWORD"});
  ::setenv("AFFIX_TEST_KEY_PASSWORD", "open sesame", 1);
  EXPECT_EQ(fault(settings), "");
  ::unsetenv("AFFIX_TEST_KEY_PASSWORD");
}

TEST_F(TlsEndpointTest, CiphersThatDoNotExistAreRefused) {
  TlsSettings settings = world.server();
  settings.ciphers = "NO-SUCH-CIPHER";
  expect(fault(settings), "T108", {"NO-SUCH-CIPHER", "TLS 1.2"});
  settings = world.server();
  settings.cipher_suites = "TLS_NO_SUCH_SUITE";
  expect(fault(settings), "T108", {"TLS_NO_SUCH_SUITE", "TLS 1.3"});
}

TEST_F(TlsEndpointTest, PresharedKeysAreReadLineByLine) {
  TlsSettings settings;
  settings.name = "SERVER";
  settings.is_server = true;
  settings.peer_proof = TlsPeerProof::PresharedKey;
  const auto with = [&](const std::string& text) {
    settings.preshared_keys = {TlsSecret::Source::File, write("keys", text)};
    return fault(settings);
  };
  const std::string key = "000102030405060708090a0b0c0d0e0f";
  EXPECT_EQ(with("FIRM:" + key), "");
  EXPECT_EQ(with("# ours\n\n FIRM:" + key + " \r\nother:with:colons:" + key + "\n"), "");
  expect(with(""), "T103", {"keys"});
  expect(with("FIRM:" + key + "\nFIRM:" + key), "T112", {"keys:2", "'FIRM'"});
  expect(with("FIRM"), "T112", {"keys:1", "identity:key"});
  expect(with(":" + key), "T112", {"keys:1", "identity:key"});
  expect(with(std::string(129, 'i') + ":" + key), "T112", {"keys:1", "identity:key"});
  for (const std::string& bad : {key.substr(2), key + "0", "zz" + key, std::string()}) {
    const std::string text = with("\nFIRM:" + bad);
    expect(text, "T112", {"keys:2", "'FIRM'", "16 to 256 bytes"});
    EXPECT_EQ(text.find("0102"), std::string::npos);
  }
  settings.is_server = false;
  EXPECT_EQ(with("FIRM:" + key), "");
  expect(with("FIRM:" + key + "\nOTHER:" + key), "T111", {"keys", "several"});
  settings.preshared_identity = "OTHER";
  EXPECT_EQ(with("FIRM:" + key + "\nOTHER:" + key), "");
  expect(with("FIRM:" + key), "T111", {"keys", "'OTHER'"});
}

TEST_F(TlsEndpointTest, SettingsThatContradictThemselvesAreRefused) {
  const auto check_of = [&](const std::function<void(TlsSettings&)>& adjust, bool server = true) {
    TlsSettings settings = server ? world.server() : world.client();
    adjust(settings);
    const auto checked = check(settings);
    return checked ? std::string() : checked.error().text();
  };
  expect(check_of([](TlsSettings& s) {
           s.version_min = TlsVersion::Tls13;
           s.version_max = TlsVersion::Tls12;
         }),
         "T109", {"TLS versions"});
  expect(check_of([](TlsSettings& s) { s.certificates.clear(); }), "T110", {"a server"});
  expect(check_of([](TlsSettings& s) { s.certificates.front().key_file.clear(); }), "T110",
         {"key"});
  expect(check_of([](TlsSettings& s) { s.certificates.front().server_name = "only.example"; }),
         "T110", {"name"});
  expect(check_of([](TlsSettings& s) { s.ca_file.clear(); }), "T113", {"no CA and no pin"});
  expect(check_of([](TlsSettings& s) { s.peer_proof = TlsPeerProof::None; }), "T113",
         {"CA or pins", "no proof"});
  expect(check_of([](TlsSettings& s) { s.peer_proof = TlsPeerProof::Optional; }, false), "T113",
         {"peer proof"});
  expect(check_of([](TlsSettings& s) { s.peer_proof = TlsPeerProof::PresharedKey; }), "T111",
         {"certificate"});
  expect(check_of([](TlsSettings& s) { s.preshared_keys = {TlsSecret::Source::File, "keys"}; }),
         "T111", {"pre-shared key"});
  expect(check_of([](TlsSettings& s) {
           s.ca_file.clear();
           s.pins = *TlsPin::parse_list("ca-key:" + std::string(64, '0'));
         }),
         "T113", {"pins"});
  expect(check_of([](TlsSettings& s) {
           s.ca_file.clear();
           s.pins = *TlsPin::parse_list("leaf-key:" + std::string(64, '0'));
           s.crl_file = "list";
         }),
         "T113", {"CRL"});
  expect(check_of([](TlsSettings& s) { s.handshake_timeout_ns = 0; }), "T109",
         {"handshake timeout", "1 ms to 1 h"});
  EXPECT_EQ(check_of([](TlsSettings& s) { s.certificates.clear(); }, false), "");
}

}  // namespace
}  // namespace affix::tls
