// SPDX-License-Identifier: MIT
// Settings of one TLS endpoint: files, versions, ciphers, trust. A value made from a configuration;
// reads no file and contains no secret.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tls {

/// True if this build has TLS (CMake option AFFIX_TLS).
[[nodiscard]] bool has_tls() noexcept;

enum class TlsVersion : std::uint8_t { Tls12, Tls13 };

/// Method of authenticating the peer.
enum class TlsPeerProof : std::uint8_t {
  Certificate,   ///< A certificate that the trust settings below accept.
  Optional,      ///< The same if the peer has one; servers only.
  None,          ///< None: encryption without a name. For tests, and for servers that know their
                 ///< clients by the Logon.
  PresharedKey,  ///< A key that both sides share; no certificates.
};

/// Source of a secret, read each time an endpoint is opened or reloaded; the secret is not stored.
struct TlsSecret {
  enum class Source : std::uint8_t { None, File, Environment };

  Source source = Source::None;
  std::string name;  ///< Name of the file or variable.

  /// Parses "file:PATH", "env:NAME" or an empty text. InvalidArgument for another text, which may
  /// be the secret itself and is therefore not repeated.
  [[nodiscard]] static std::expected<TlsSecret, base::Error> parse(std::string_view text);
};

/// A certificate or key trusted by its SHA-256.
struct TlsPin {
  enum class Subject : std::uint8_t {
    LeafCertificate,  ///< The whole certificate of the peer.
    LeafKey,          ///< Its SubjectPublicKeyInfo, which survives renewals with the same key.
    CaCertificate,    ///< A certificate above it in the verified chain.
    CaKey,
  };

  Subject subject = Subject::LeafCertificate;
  std::array<std::uint8_t, 32> digest{};

  /// Parses "leaf-certificate:DIGEST", "leaf-key:", "ca-certificate:" or "ca-key:"; the digest has
  /// 64 hexadecimal digits, with or without colons, or base64. InvalidArgument otherwise.
  [[nodiscard]] static std::expected<TlsPin, base::Error> parse(std::string_view text);

  /// Parses a list with commas or line ends between pins; lines may end with comments (#).
  [[nodiscard]] static std::expected<std::vector<TlsPin>, base::Error> parse_list(
      std::string_view text);

  /// True: it is compared with the peer's own certificate, not with one above it.
  [[nodiscard]] bool is_leaf() const noexcept {
    return subject == Subject::LeafCertificate || subject == Subject::LeafKey;
  }

  friend bool operator==(const TlsPin&, const TlsPin&) = default;
};

/// A certificate with its key, both PEM.
struct TlsCertificate {
  std::string server_name = {};  ///< For clients that request this name; empty: the default.
  std::string certificate_file;  ///< The certificate, followed by those that lead to the CA.
  std::string key_file;
  TlsSecret key_password = {};
};

struct TlsSettings {
  std::string name;  ///< Name of the group, for messages.
  bool is_server = false;

  TlsVersion version_min = TlsVersion::Tls12;
  TlsVersion version_max = TlsVersion::Tls13;
  std::string ciphers;        ///< TLS 1.2, in OpenSSL's syntax; empty: only authenticated
                              ///< encryption with forward secrecy.
  std::string cipher_suites;  ///< TLS 1.3; empty: OpenSSL's default.

  std::vector<TlsCertificate> certificates;  ///< Ours; the first is the default.

  TlsPeerProof peer_proof = TlsPeerProof::Certificate;
  std::string ca_file;       ///< Trusted CAs, PEM; "SYSTEM": the system's.
  std::string ca_path;       ///< The same as a directory with OpenSSL's hashed names.
  std::string crl_file;      ///< Revoked certificates, PEM; the issuer of a peer's certificate
                             ///< then needs an unexpired list in it.
  std::vector<TlsPin> pins;  ///< If set, one must match in addition; leaf pins without a CA are
                             ///< sufficient proof.
  std::string pin_file;      ///< More pins, one per line.

  /// Clients: name to request (SNI) and to find in the server's certificate. A numeric address is
  /// checked but not sent.
  std::string server_name;
  bool check_server_name = true;

  TlsSecret preshared_keys;  ///< Lines "identity:key", the key in hexadecimal digits, at least 16
                             ///< bytes.
  std::string preshared_identity;  ///< Clients: our identity among them; empty: the only one.

  std::int64_t handshake_timeout_ns = 5 * base::ns_per_second;
};

/// Checks the settings for contradictions and omissions; TlsEndpoint::open() reads the files.
/// Unsupported: this build has no TLS.
[[nodiscard]] std::expected<void, base::Error> check(const TlsSettings& settings);

}  // namespace affix::inline v0::tls
