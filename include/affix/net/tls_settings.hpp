// SPDX-License-Identifier: MIT
// What one TLS endpoint offers and demands: files, versions, ciphers, who is trusted. A value that
// configurations are turned into; reads no file itself and holds no secret.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

/// Whether this build has TLS at all (CMake option AFFIX_TLS).
[[nodiscard]] bool has_tls() noexcept;

enum class TlsVersion : std::uint8_t { Tls12, Tls13 };

/// How the peer proves who it is.
enum class TlsPeerProof : std::uint8_t {
  Certificate,  ///< By a certificate that what is trusted below vouches for.
  Optional,     ///< The same if it has one; servers only.
  None,         ///< Not at all: encryption without a name. For tests, and for servers whose clients
                ///< are known by their Logon.
  PresharedKey,  ///< By a key both sides have; no certificates at all.
};

/// Where a secret is read from each time an endpoint is opened or reloaded, and never kept.
struct TlsSecret {
  enum class Source : std::uint8_t { None, File, Environment };

  Source source = Source::None;
  std::string name;  ///< Of the file or the variable.

  /// Reads "file:PATH", "env:NAME" or nothing. InvalidArgument for another text, which may be the
  /// secret itself and is not repeated.
  [[nodiscard]] static std::expected<TlsSecret, base::Error> parse(std::string_view text);
};

/// A certificate or key that is trusted by its SHA-256.
struct TlsPin {
  enum class Subject : std::uint8_t {
    LeafCertificate,  ///< The whole certificate that the peer shows.
    LeafKey,          ///< Its SubjectPublicKeyInfo, which outlives a renewal with the same key.
    CaCertificate,    ///< A certificate above it in the chain that was verified.
    CaKey,
  };

  Subject subject = Subject::LeafCertificate;
  std::array<std::uint8_t, 32> digest{};

  /// Reads "leaf-certificate:DIGEST", "leaf-key:", "ca-certificate:" or "ca-key:"; the digest in 64
  /// hexadecimal digits, colons between them allowed, or in base64. InvalidArgument for all else.
  [[nodiscard]] static std::expected<TlsPin, base::Error> parse(std::string_view text);

  /// The same of a list with commas or line ends between; lines may end with comments (#).
  [[nodiscard]] static std::expected<std::vector<TlsPin>, base::Error> parse_list(
      std::string_view text);

  friend bool operator==(const TlsPin&, const TlsPin&) = default;
};

/// A certificate with its key, both PEM.
struct TlsCertificate {
  std::string server_name = {};  ///< Shown to clients that ask for this name; empty: to all others.
  std::string certificate_file;  ///< The certificate, and behind it those that lead to the CA.
  std::string key_file;
  TlsSecret key_password = {};
};

struct TlsSettings {
  std::string name;  ///< Of the group, for messages.
  bool is_server = false;

  TlsVersion version_min = TlsVersion::Tls12;
  TlsVersion version_max = TlsVersion::Tls13;
  std::string ciphers;        ///< TLS 1.2, in OpenSSL's form; empty: authenticated encryption with
                              ///< forward secrecy only.
  std::string cipher_suites;  ///< TLS 1.3; empty: OpenSSL's.

  std::vector<TlsCertificate> certificates;  ///< Ours; the first is the one without a name.

  TlsPeerProof peer_proof = TlsPeerProof::Certificate;
  std::string ca_file;       ///< What vouches for peers, PEM; "SYSTEM": what the system trusts.
  std::string ca_path;       ///< The same as a directory with OpenSSL's hashed names.
  std::string crl_file;      ///< Revoked certificates, PEM; then the issuer of a peer's certificate
                             ///< must have a list in it that has not expired.
  std::vector<TlsPin> pins;  ///< With any, one of them must match as well; with leaf pins and no
                             ///< CA, that alone is the proof.
  std::string pin_file;      ///< More of them, one a line.

  /// Clients: asked of the server (SNI) and looked for in its certificate. A numeric address is
  /// looked for and not sent.
  std::string server_name;
  bool check_server_name = true;

  TlsSecret preshared_keys;  ///< Lines "identity:key", the key in hexadecimal digits, 16 bytes at
                             ///< least.
  std::string preshared_identity;  ///< Clients: which of them is ours; empty: the only one.

  std::int64_t handshake_timeout_ns = 5 * base::ns_per_second;
};

/// Whether the settings contradict themselves or lack something; the files are read by
/// TlsEndpoint::open(). Unsupported: this build has no TLS.
[[nodiscard]] std::expected<void, base::Error> check(const TlsSettings& settings);

}  // namespace affix::inline v0::net
