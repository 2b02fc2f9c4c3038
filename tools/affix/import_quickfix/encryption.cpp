// SPDX-License-Identifier: MIT
// Converts the TLS settings of the QuickFIX engines: OpenSSL's files, Java's key stores, those of
// .NET and Go.
#include "affix/base/text.hpp"

#include "import_quickfix/subjects.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace affix::inline v0::tools::import_quickfix {

namespace {

struct Suite {
  std::string_view standard;
  std::string_view openssl;
};

/// TLS 1.2 suites: our defaults and similar ones.
constexpr std::array suites{
    Suite{"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"},
    Suite{"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"},
    Suite{"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"},
    Suite{"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"},
    Suite{"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"},
    Suite{"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"},
    Suite{"TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "DHE-RSA-AES128-GCM-SHA256"},
    Suite{"TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", "DHE-RSA-AES256-GCM-SHA384"}};

constexpr std::array<std::string_view, 3> newer_suites{
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"};

bool speaks_tls(const SessionSource& source, Encryption encryption, bool is_initiator) {
  // Examines each, so that none is reported as unused.
  const bool java = source.is_set("SocketUseSSL");
  const bool net = source.is_set("SSLEnable");
  const Setting* const files =
      is_initiator ? source.find_first({"ClientCertificateFile", "CertificationAuthoritiesFile",
                                        "CertificationAuthoritiesDirectory"})
                   : source.find_first({"ServerCertificateFile"});
  if (encryption != Encryption::AsSettings) {
    return encryption == Encryption::On;
  }
  // With QuickFIX, the program's code selects TLS, and these files have no other purpose.
  return java || net || files != nullptr;
}

/// Replaces `store.jks` by `store.pem` in the same directory.
std::string pem_beside(const std::string& store) {
  const std::size_t slash = store.rfind('/');
  const std::size_t dot = store.rfind('.');
  const bool has_ending =
      dot != std::string::npos && dot != 0 && (slash == std::string::npos || dot > slash + 1);
  return store.substr(0, has_ending ? dot : store.size()) + ".pem";
}

void add_own_certificate(const SessionSource& source, bool is_initiator, OutputGroup& group) {
  const Setting* const certificate = source.find_first(
      {is_initiator ? "ClientCertificateFile" : "ServerCertificateFile", "SocketCertificateFile"});
  const Setting* const key =
      source.find_first({is_initiator ? "ClientCertificateKeyFile" : "ServerCertificateKeyFile",
                         "SocketPrivateKeyFile"});
  const Setting* const store = source.find("SocketKeyStore");
  const Setting* const archive = source.find("SSLCertificate");
  if (certificate != nullptr) {
    group.set("tls_certificate_file", certificate->value);
    // Without a key file, QuickFIX finds the key in the certificate's file after the certificate.
    group.set("tls_key_file", key != nullptr ? key->value : certificate->value);
    return;
  }
  const Setting* const packed = store != nullptr ? store : archive;
  if (packed == nullptr) {
    if (!is_initiator) {
      source.ledger().problem(source.line(), "TLS is on, and no certificate is named", "Q104");
    }
    return;
  }
  const std::string pem = pem_beside(packed->value);
  if (source.differs(*packed)) {
    if (packed == store) {
      group.comments.push_back("keytool -importkeystore -srckeystore " + packed->value +
                               " -destkeystore " + pem + ".p12 -deststoretype PKCS12");
    }
    group.comments.push_back("openssl pkcs12 -in " +
                             (packed == store ? pem + ".p12" : packed->value) + " -nodes -out " +
                             pem);
  }
  group.set("tls_certificate_file", pem);
  group.set("tls_key_file", pem);
}

/// True if the peer must have a certificate.
bool wants_certificate(const SessionSource& source, bool is_initiator) {
  const bool skips = source.is_set("SocketInsecureSkipVerify");
  const bool unchecked = source.flag("SSLValidateCertificates") == false;
  const bool java = source.is_set("NeedClientAuth");
  const bool net = source.flag("SSLRequireClientCertificate") == true;
  const Setting* const level = source.find("CertificateVerifyLevel");
  const bool named = source.find_first({"SocketCAFile", "CertificationAuthoritiesFile",
                                        "CertificationAuthoritiesDirectory"}) != nullptr;
  if (is_initiator) {
    if (level != nullptr && level->value == "0") {
      source.differs(*level);
    }
    return !skips && !unchecked;
  }
  if (level != nullptr) {
    return level->value != "0";
  }
  return java || net || named;
}

void add_trust(const SessionSource& source, bool is_initiator, OutputGroup& group) {
  const Setting* const file =
      source.find_first({"CertificationAuthoritiesFile", "SocketCAFile", "SSLCACertificate"});
  const Setting* const path = source.find("CertificationAuthoritiesDirectory");
  const Setting* const revoked = source.find("CertificateRevocationListFile");
  const Setting* const store = source.find("SocketTrustStore");
  if (!wants_certificate(source, is_initiator)) {
    group.set("tls_peer_proof", "NONE");
    return;
  }
  group.set("tls_peer_proof", "CERTIFICATE");
  if (file != nullptr) {
    group.set("tls_ca_file", file->value);
  } else if (store != nullptr) {
    const std::string pem = pem_beside(store->value);
    if (source.differs(*store)) {
      group.comments.push_back("keytool -list -rfc -keystore " + store->value + " > " + pem);
    }
    group.set("tls_ca_file", pem);
  } else if (path == nullptr) {
    group.set("tls_ca_file", "SYSTEM");
  }
  if (path != nullptr) {
    group.set("tls_ca_path", path->value);
  }
  if (revoked != nullptr) {
    group.set("tls_crl_file", revoked->value);
  }
}

void add_server_name(const SessionSource& source, OutputGroup& group) {
  if (const Setting* const name =
          source.find_first({"SNIHostName", "SSLServerName", "SocketServerName"})) {
    group.set("tls_server_name", name->value);
  }
  // QuickFIX/J checks the name only on request, and QuickFIX never; affix checks it by default.
  if (const Setting* const check = source.find("EndpointIdentificationAlgorithm")) {
    group.set("tls_check_server_name", !check->value.empty());
  }
}

/// Determines whether a list in any of the four forms has TLS 1.2, TLS 1.3, and other versions.
void add_versions(const SessionSource& source, OutputGroup& group) {
  const Setting* const list = source.find_first(
      {"EnabledProtocols", "SSLProtocols", "SocketMinimumTLSVersion", "SSLProtocol"});
  if (list == nullptr) {
    return;
  }
  const std::string words = base::lowered(list->value);
  const auto has = [&words](std::string_view word) {
    return words.find(word) != std::string::npos;
  };
  const bool least_only = base::is_same_word(list->name, "SocketMinimumTLSVersion");
  const bool newest = has("1.3") || has("1_3") || has("tls13");
  const bool newer = has("1.2") || has("1_2") || has("tls12");
  const bool older = !newest && !newer;
  if (older || has("tlsv1,") || has("1.1") || has("1_1") || has("ssl")) {
    source.differs(*list);
  }
  group.set("tls_version_min", newest && !newer ? "TLS1.3" : "TLS1.2");
  // QuickFIX's own list ends with TLS 1.2, the newest version of its time.
  if (newer && !newest && !least_only && !base::is_same_word(list->name, "SSLProtocol")) {
    group.set("tls_version_max", "TLS1.2");
  }
}

void add_suites(const SessionSource& source, OutputGroup& group) {
  if (const Setting* const ciphers = source.find("SSLCipherSuite")) {
    group.set("tls_ciphers", ciphers->value);
  }
  const Setting* const list = source.find("CipherSuites");
  if (list == nullptr) {
    return;
  }
  std::string older;
  std::string newer;
  bool complete = true;
  std::string_view rest = list->value;
  while (!rest.empty()) {
    const std::string_view name = base::trimmed(base::take_part(rest, ','));
    const auto suite = std::ranges::find(suites, name, &Suite::standard);
    if (suite != suites.end()) {
      older.append(older.empty() ? "" : ":").append(suite->openssl);
    } else if (std::ranges::find(newer_suites, name) != newer_suites.end()) {
      newer.append(newer.empty() ? "" : ":").append(name);
    } else {
      complete = false;
    }
  }
  if (!complete) {
    source.differs(*list);
  }
  if (!older.empty()) {
    group.set("tls_ciphers", older);
  }
  if (!newer.empty()) {
    group.set("tls_cipher_suites", newer);
  }
}

}  // namespace

void add_encryption(const SessionSource& source, const TranslationOptions& options,
                    bool is_initiator, OutputGroup& group) {
  if (!speaks_tls(source, options.encryption, is_initiator)) {
    return;
  }
  group.set("tls", "ON");
  add_versions(source, group);
  add_suites(source, group);
  add_own_certificate(source, is_initiator, group);
  add_trust(source, is_initiator, group);
  if (is_initiator) {
    add_server_name(source, group);
  }
}

}  // namespace affix::inline v0::tools::import_quickfix
