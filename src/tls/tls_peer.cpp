// SPDX-License-Identifier: MIT
// Rules for a peer's identity, and checks of a peer against them. Independent of OpenSSL.
#include "affix/tls/tls_peer.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tls {

namespace {

struct Word {
  std::string_view text;
  TlsPeerRule::Kind kind;
};

constexpr std::array words{
    Word{"cn", TlsPeerRule::Kind::CommonName},
    Word{"dns", TlsPeerRule::Kind::DnsName},
    Word{"uri", TlsPeerRule::Kind::Uri},
    Word{"email", TlsPeerRule::Kind::Email},
    Word{"subject", TlsPeerRule::Kind::Subject},
    Word{"certificate", TlsPeerRule::Kind::CertificateSha256},
    Word{"key", TlsPeerRule::Kind::KeySha256},
    Word{"psk", TlsPeerRule::Kind::PresharedIdentity},
};

bool is_digest(std::string_view text) noexcept {
  return text.size() == 64 && std::all_of(text.begin(), text.end(),
                                          [](char c) { return base::hexadecimal_value(c) >= 0; });
}

bool has(const std::vector<std::string>& names, const std::string& name) noexcept {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds(const TlsPeer& peer, const TlsPeerRule& rule) noexcept {
  if (rule.kind == TlsPeerRule::Kind::PresharedIdentity) {
    return !peer.preshared_identity.empty() && peer.preshared_identity == rule.value;
  }
  if (!peer.has_certificate || !peer.verified) {
    return false;
  }
  switch (rule.kind) {
    case TlsPeerRule::Kind::CommonName:
      return has(peer.common_names, rule.value);
    case TlsPeerRule::Kind::DnsName:
      return std::any_of(
          peer.dns_names.begin(), peer.dns_names.end(),
          [&](const std::string& name) { return base::is_same_word(name, rule.value); });
    case TlsPeerRule::Kind::Uri:
      return has(peer.uris, rule.value);
    case TlsPeerRule::Kind::Email:
      return has(peer.emails, rule.value);
    case TlsPeerRule::Kind::Subject:
      return peer.subject == rule.value;
    case TlsPeerRule::Kind::CertificateSha256:
      return base::is_same_word(peer.certificate_sha256, rule.value);
    case TlsPeerRule::Kind::KeySha256:
      return base::is_same_word(peer.key_sha256, rule.value);
    case TlsPeerRule::Kind::PresharedIdentity:
      break;
  }
  return false;
}

}  // namespace

std::string TlsPeer::text() const {
  std::string line = version + " " + cipher;
  if (!preshared_identity.empty()) {
    return line + ", pre-shared key '" + preshared_identity + "'";
  }
  if (!has_certificate) {
    return line + ", the peer has no certificate";
  }
  return line + ", " + (subject.empty() ? "certificate " + certificate_sha256 : subject) +
         (verified ? "" : " (not verified)");
}

std::expected<std::vector<TlsPeerRule>, base::Error> parse_tls_peer_rules(std::string_view text) {
  std::vector<TlsPeerRule> rules;
  while (!text.empty()) {
    const std::string_view piece = base::trimmed(base::take_part(text, ';'));
    if (piece.empty()) {
      continue;
    }
    const std::size_t colon = piece.find(':');
    const std::string_view word = piece.substr(0, std::min(colon, piece.size()));
    const auto* const found = std::find_if(words.begin(), words.end(),
                                           [&](const Word& each) { return each.text == word; });
    if (found == words.end() || colon == std::string_view::npos) {
      return std::unexpected(
          base::Error{base::ErrorCode::InvalidArgument,
                      "'" + std::string(piece) +
                          "' begins with none of cn:, dns:, uri:, email:, subject:, certificate:, "
                          "key:, psk:",
                      {},
                      "T116"});
    }
    const std::string_view value = base::trimmed(piece.substr(colon + 1));
    const bool digest = found->kind == TlsPeerRule::Kind::CertificateSha256 ||
                        found->kind == TlsPeerRule::Kind::KeySha256;
    if (value.empty() || (digest && !is_digest(value))) {
      return std::unexpected(base::Error{
          base::ErrorCode::InvalidArgument,
          "'" + std::string(piece) +
              (digest ? "' needs a SHA-256 in 64 hexadecimal digits" : "' has no value"),
          {},
          "T116"});
    }
    rules.push_back({found->kind, std::string(value)});
  }
  return rules;
}

bool matches(const TlsPeer& peer, const std::vector<TlsPeerRule>& rules) noexcept {
  return std::any_of(rules.begin(), rules.end(),
                     [&](const TlsPeerRule& rule) { return holds(peer, rule); });
}

}  // namespace affix::inline v0::tls
