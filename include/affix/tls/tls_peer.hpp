// SPDX-License-Identifier: MIT
// The identity of a TLS peer as verified by the handshake, and rules for matching it to a session.
// Used once per connection.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tls {

/// Properties of a peer after the handshake. Names are copied from the certificate; names that
/// contain a NUL are omitted, because they could impersonate another.
struct TlsPeer {
  std::string version;  ///< "TLSv1.3"
  std::string cipher;
  bool has_certificate = false;  ///< Verified, unless peer_proof is None.
  bool verified = false;
  std::string subject;  ///< RFC 2253: "CN=FIRM,O=Example"
  std::vector<std::string> common_names;
  std::vector<std::string> dns_names;
  std::vector<std::string> uris;
  std::vector<std::string> emails;
  std::string certificate_sha256;  ///< 64 lower-case hexadecimal digits.
  std::string key_sha256;          ///< SHA-256 of its SubjectPublicKeyInfo.
  std::string preshared_identity;  ///< Identity of the pre-shared key, if used.

  /// One log line: version, cipher, and the peer's name or its absence. Allocates.
  [[nodiscard]] std::string text() const;
};

/// One condition that identifies a peer.
struct TlsPeerRule {
  enum class Kind : std::uint8_t {
    CommonName,
    DnsName,
    Uri,
    Email,
    Subject,
    CertificateSha256,
    KeySha256,
    PresharedIdentity,
  };

  Kind kind = Kind::CommonName;
  std::string value;

  friend bool operator==(const TlsPeerRule&, const TlsPeerRule&) = default;
};

/// Parses "cn:FIRM; dns:fix.firm.example": `cn`, `dns`, `uri`, `email`, `subject`, `certificate`,
/// `key` or `psk`, a colon, the value; semicolons between rules. InvalidArgument describes the
/// fault.
[[nodiscard]] std::expected<std::vector<TlsPeerRule>, base::Error> parse_tls_peer_rules(
    std::string_view text);

/// True if one of the rules matches. Names of an unverified certificate never match. DNS names and
/// digests are compared case-insensitively, everything else byte for byte; `*` in a certificate is
/// no wildcard.
[[nodiscard]] bool matches(const TlsPeer& peer, const std::vector<TlsPeerRule>& rules) noexcept;

}  // namespace affix::inline v0::tls
