// SPDX-License-Identifier: MIT
// Who is at the other end of a TLS connection, as the handshake has proved, and rules that say whom
// a session is for. Asked once per connection.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

/// What is known of a peer once the handshake is done. Names are as the certificate has them, and
/// one with a NUL inside is left out, since it would read as another.
struct TlsPeer {
  std::string version;  ///< "TLSv1.3"
  std::string cipher;
  bool has_certificate = false;  ///< Verified, unless the settings demand no proof.
  bool verified = false;
  std::string subject;  ///< RFC 2253: "CN=FIRM,O=Example"
  std::vector<std::string> common_names;
  std::vector<std::string> dns_names;
  std::vector<std::string> uris;
  std::vector<std::string> emails;
  std::string certificate_sha256;  ///< 64 lower-case hexadecimal digits.
  std::string key_sha256;          ///< The same of its SubjectPublicKeyInfo.
  std::string preshared_identity;  ///< Of the key that was used, if one was.

  /// One line for a log: version, cipher, and the peer's name or that it has none.
  [[nodiscard]] std::string text() const;
};

/// One way in which a peer may be the one that is meant.
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

/// Reads "cn:FIRM; dns:fix.firm.example": `cn`, `dns`, `uri`, `email`, `subject`, `certificate`,
/// `key` or `psk`, a colon, the value, with semicolons between rules. InvalidArgument names what is
/// wrong.
[[nodiscard]] std::expected<std::vector<TlsPeerRule>, base::Error> parse_tls_peer_rules(
    std::string_view text);

/// Whether one of the rules holds. Names of a certificate that was not verified hold nothing. DNS
/// names and digests are compared without regard to case, everything else byte for byte; `*` in a
/// certificate stands for nothing.
[[nodiscard]] bool matches(const TlsPeer& peer, const std::vector<TlsPeerRule>& rules) noexcept;

}  // namespace affix::inline v0::net
