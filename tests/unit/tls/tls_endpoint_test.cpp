// SPDX-License-Identifier: MIT
// Opening an endpoint: every faulty file is named with its fault, without secrets.
#include "affix/tls/tls_endpoint.hpp"

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

  static void expect(const std::string& text, std::initializer_list<std::string> pieces) {
    for (const std::string& piece : pieces) {
      EXPECT_NE(text.find(piece), std::string::npos) << "'" << piece << "' in: " << text;
    }
  }

  TlsWorld world;
};

TEST_F(TlsEndpointTest, OpensWithWhatASessionNeeds) {
  EXPECT_EQ(fault(world.server()), "");
  EXPECT_EQ(fault(world.client()), "");
}

TEST_F(TlsEndpointTest, NamesTheFileThatIsMissing) {
  for (std::string TlsSettings::* member : {&TlsSettings::ca_file, &TlsSettings::crl_file}) {
    TlsSettings settings = world.server();
    settings.*member = world.directory.path("absent.pem");
    expect(fault(settings), {"[SERVER]", "absent.pem", "there is no such file"});
  }
  TlsSettings settings = world.server();
  settings.certificates.front().certificate_file = world.directory.path("absent.pem");
  expect(fault(settings), {"absent.pem", "there is no such file"});
  settings = world.server();
  settings.certificates.front().key_file = world.directory.path("absent.key");
  expect(fault(settings), {"absent.key", "there is no such file"});
  settings = world.server();
  settings.ca_path = world.directory.path("absent");
  expect(fault(settings), {"absent", "there is no such directory"});
  settings = world.server();
  settings.ca_file = world.directory.path();
  expect(fault(settings), {"is a directory"});
}

TEST_F(TlsEndpointTest, NamesTheFileThatHoldsSomethingElse) {
  const std::string text = write("text", "no certificate at all\n");
  TlsSettings settings = world.server();
  settings.ca_file = text;
  expect(fault(settings), {text, "holds no certificate in PEM form"});
  settings = world.server();
  settings.certificates.front().certificate_file = text;
  expect(fault(settings), {text, "holds no certificate in PEM form"});
  settings = world.server();
  settings.certificates.front().key_file = text;
  expect(fault(settings), {text, "holds no private key in PEM form"});
  settings = world.server();
  settings.crl_file = text;
  expect(fault(settings), {text, "holds no revocation list in PEM form"});
  settings = world.server();
  settings.pin_file = text;
  expect(fault(settings), {text, "a pin begins with"});
  settings.pin_file = write("empty", "# nothing\n");
  expect(fault(settings), {"holds no pin"});
}

TEST_F(TlsEndpointTest, ADamagedCertificateIsNotTheEndOfTheFile) {
  std::ifstream in(world.venue.certificate);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  std::string damaged = text;
  damaged[damaged.size() / 2] = '!';
  TlsSettings settings = world.server();
  settings.ca_file = write("damaged", text + damaged);
  expect(fault(settings), {"damaged", "certificate 2 in it cannot be read"});
}

TEST_F(TlsEndpointTest, AKeyOfAnotherCertificateIsRefused) {
  TlsSettings settings = world.server();
  settings.certificates.front().key_file = world.firm.key;
  expect(fault(settings), {world.firm.key, "is not the key of the certificate in"});
}

TEST_F(TlsEndpointTest, OurOwnExpiredCertificateIsRefused) {
  TlsSettings settings = world.server();
  settings.certificates = {loopback::certificate_of(world.authority.issue(
      {.common_name = "old", .valid_from_s = -7200, .valid_until_s = -3600}))};
  expect(fault(settings), {"the certificate expired on 20"});
  settings.certificates = {loopback::certificate_of(
      world.authority.issue({.common_name = "new", .valid_from_s = 3600, .valid_until_s = 7200}))};
  expect(fault(settings), {"the certificate is not valid before 20"});
}

TEST_F(TlsEndpointTest, AKeysPasswordComesFromAFileOrTheEnvironmentAndIsNeverRepeated) {
  const CertificateFiles files =
      world.authority.issue({.common_name = "venue", .key_password = "open sesame"});
  TlsSettings settings = world.server();
  settings.certificates = {loopback::certificate_of(files)};
  expect(fault(settings), {files.key, "encrypted, and no password for it is given"});
  settings.certificates.front().key_password = {TlsSecret::Source::File,
                                                write("password", "open barley\n")};
  const std::string wrong = fault(settings);
  expect(wrong, {files.key, "the password does not open the private key"});
  EXPECT_EQ(wrong.find("barley"), std::string::npos);
  settings.certificates.front().key_password.name = write("password", "open sesame\n");
  EXPECT_EQ(fault(settings), "");
  settings.certificates.front().key_password = {TlsSecret::Source::Environment,
                                                "AFFIX_TEST_KEY_PASSWORD"};
  ::unsetenv("AFFIX_TEST_KEY_PASSWORD");
  expect(fault(settings), {"AFFIX_TEST_KEY_PASSWORD", "no such environment variable"});
  ::setenv("AFFIX_TEST_KEY_PASSWORD", "open sesame", 1);
  EXPECT_EQ(fault(settings), "");
  ::unsetenv("AFFIX_TEST_KEY_PASSWORD");
}

TEST_F(TlsEndpointTest, CiphersThatDoNotExistAreRefused) {
  TlsSettings settings = world.server();
  settings.ciphers = "NO-SUCH-CIPHER";
  expect(fault(settings), {"NO-SUCH-CIPHER", "names no cipher"});
  settings = world.server();
  settings.cipher_suites = "TLS_NO_SUCH_SUITE";
  expect(fault(settings), {"TLS_NO_SUCH_SUITE", "names a cipher suite"});
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
  expect(with(""), {"holds no pre-shared key"});
  expect(with("FIRM:" + key + "\nFIRM:" + key), {"keys:2", "'FIRM' is given twice"});
  expect(with("FIRM"), {"keys:1", "identity:key"});
  expect(with(":" + key), {"identity:key"});
  expect(with(std::string(129, 'i') + ":" + key), {"identity:key"});
  for (const std::string& bad : {key.substr(2), key + "0", "zz" + key, std::string()}) {
    const std::string text = with("\nFIRM:" + bad);
    expect(text, {"keys:2", "'FIRM' is not 16 to 256 bytes"});
    EXPECT_EQ(text.find("0102"), std::string::npos);
  }
  settings.is_server = false;
  EXPECT_EQ(with("FIRM:" + key), "");
  expect(with("FIRM:" + key + "\nOTHER:" + key), {"none is named as ours"});
  settings.preshared_identity = "OTHER";
  EXPECT_EQ(with("FIRM:" + key + "\nOTHER:" + key), "");
  expect(with("FIRM:" + key), {"no pre-shared key for the identity 'OTHER'"});
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
         {"least TLS version is above the largest"});
  expect(check_of([](TlsSettings& s) { s.certificates.clear(); }),
         {"a server needs a certificate"});
  expect(check_of([](TlsSettings& s) { s.certificates.front().key_file.clear(); }),
         {"needs its key"});
  expect(check_of([](TlsSettings& s) { s.certificates.front().server_name = "only.example"; }),
         {"name no server or another"});
  expect(check_of([](TlsSettings& s) { s.ca_file.clear(); }), {"no CA and no pin"});
  expect(check_of([](TlsSettings& s) { s.peer_proof = TlsPeerProof::None; }),
         {"peers need no proof"});
  expect(check_of([](TlsSettings& s) { s.peer_proof = TlsPeerProof::Optional; }, false),
         {"only clients may be without"});
  expect(check_of([](TlsSettings& s) { s.peer_proof = TlsPeerProof::PresharedKey; }),
         {"stands in place of certificates"});
  expect(check_of([](TlsSettings& s) { s.preshared_keys = {TlsSecret::Source::File, "keys"}; }),
         {"peers prove themselves otherwise"});
  expect(check_of([](TlsSettings& s) {
           s.ca_file.clear();
           s.pins = *TlsPin::parse_list("ca-key:" + std::string(64, '0'));
         }),
         {"no CA is given that a chain could lead to"});
  expect(check_of([](TlsSettings& s) {
           s.ca_file.clear();
           s.pins = *TlsPin::parse_list("leaf-key:" + std::string(64, '0'));
           s.crl_file = "list";
         }),
         {"where a CA vouches"});
  expect(check_of([](TlsSettings& s) { s.handshake_timeout_ns = 0; }), {"1 ms to 1 h"});
  EXPECT_EQ(check_of([](TlsSettings& s) { s.certificates.clear(); }, false), "");
}

}  // namespace
}  // namespace affix::tls
