// SPDX-License-Identifier: MIT
// Reads pins and places of secrets, and finds invalid settings. Independent of OpenSSL, so it is in
// every build.
#include "affix/tls/tls_settings.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace affix::inline v0::tls {

namespace {

using Digest = std::array<std::uint8_t, 32>;

constexpr std::int64_t handshake_timeout_max_ns = 3600 * base::ns_per_second;

base::Error invalid(std::string message, std::string where, base::MessageCode code) {
  return {base::ErrorCode::InvalidArgument, std::move(message), std::move(where), code};
}

int base64_value(char c) noexcept {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t at = letters.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

/// 64 digits, with or without a colon between bytes.
std::optional<Digest> hexadecimal_digest(std::string_view text) noexcept {
  const bool with_colons = text.size() == 32 * 3 - 1;
  if (!with_colons && text.size() != 64) {
    return std::nullopt;
  }
  Digest digest{};
  for (std::size_t index = 0; index < digest.size(); ++index) {
    const std::size_t at = index * (with_colons ? 3 : 2);
    const int high = base::hexadecimal_value(text[at]);
    const int low = base::hexadecimal_value(text[at + 1]);
    const bool divided = !with_colons || index == 31 || text[at + 2] == ':';
    if (high < 0 || low < 0 || !divided) {
      return std::nullopt;
    }
    digest[index] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return digest;
}

/// 43 letters and one `=`: 32 bytes; the two bits left over are 0.
std::optional<Digest> base64_digest(std::string_view text) noexcept {
  if (text.size() != 44 || text.back() != '=') {
    return std::nullopt;
  }
  Digest digest{};
  std::uint32_t bits = 0;
  unsigned bit_count = 0;
  std::size_t written = 0;
  for (const char c : text.substr(0, 43)) {
    const int value = base64_value(c);
    if (value < 0) {
      return std::nullopt;
    }
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xFFFFU;
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      digest[written++] = static_cast<std::uint8_t>(bits >> bit_count & 0xFFU);
    }
  }
  return (bits & 3U) == 0 ? std::optional(digest) : std::nullopt;
}

std::expected<void, base::Error> check_certificates(const TlsSettings& settings) {
  const bool by_key = settings.peer_proof == TlsPeerProof::PresharedKey;
  if (by_key && !settings.certificates.empty()) {
    return std::unexpected(
        invalid("a pre-shared key stands in place of certificates, so there are none",
                "certificate", "T111"));
  }
  if (!by_key && settings.is_server && settings.certificates.empty()) {
    return std::unexpected(invalid("a server needs a certificate, or a pre-shared key in its place",
                                   "certificate", "T110"));
  }
  for (const TlsCertificate& certificate : settings.certificates) {
    if (certificate.certificate_file.empty() || certificate.key_file.empty()) {
      return std::unexpected(
          invalid("a certificate needs its key, and a key its certificate", "certificate", "T110"));
    }
  }
  if (!settings.certificates.empty() && !settings.certificates.front().server_name.empty()) {
    return std::unexpected(
        invalid("one certificate must be for clients that name no server or another", "certificate",
                "T110"));
  }
  return {};
}

std::expected<void, base::Error> check_trust(const TlsSettings& settings) {
  const bool has_ca = !settings.ca_file.empty() || !settings.ca_path.empty();
  const bool has_pins = !settings.pins.empty() || !settings.pin_file.empty();
  const bool trusts = has_ca || has_pins || !settings.crl_file.empty();
  switch (settings.peer_proof) {
    case TlsPeerProof::PresharedKey:
      if (settings.preshared_keys.source == TlsSecret::Source::None) {
        return std::unexpected(invalid("no pre-shared keys are given", "pre-shared key", "T111"));
      }
      if (trusts) {
        return std::unexpected(
            invalid("with a pre-shared key there is no certificate that could be trusted",
                    "CA or pins", "T111"));
      }
      return {};
    case TlsPeerProof::None:
      if (trusts) {
        return std::unexpected(invalid(
            "it names certificates to trust, and that peers need no proof", "CA or pins", "T113"));
      }
      break;
    case TlsPeerProof::Optional:
      if (!settings.is_server) {
        return std::unexpected(
            invalid("only clients may be without a certificate", "peer proof", "T113"));
      }
      [[fallthrough]];
    case TlsPeerProof::Certificate:
      if (!has_ca && !has_pins) {
        return std::unexpected(
            invalid("there is no CA and no pin, so no peer can be trusted", "CA or pins", "T113"));
      }
      break;
  }
  if (settings.preshared_keys.source != TlsSecret::Source::None) {
    return std::unexpected(
        invalid("pre-shared keys are given, and peers prove themselves otherwise", "pre-shared key",
                "T111"));
  }
  if (!has_ca && !settings.crl_file.empty()) {
    return std::unexpected(invalid(
        "revoked certificates are only found where a CA vouches for the others", "CRL", "T113"));
  }
  const bool ca_pins = std::any_of(settings.pins.begin(), settings.pins.end(),
                                   [](const TlsPin& pin) { return !pin.is_leaf(); });
  if (!has_ca && ca_pins) {
    return std::unexpected(
        invalid("a CA is pinned, and no CA is given that a chain could lead to", "pins", "T113"));
  }
  return {};
}

}  // namespace

std::expected<TlsSecret, base::Error> TlsSecret::parse(std::string_view text) {
  constexpr std::string_view file = "file:";
  constexpr std::string_view environment = "env:";
  if (text.empty()) {
    return TlsSecret{};
  }
  if (text.starts_with(file) && text.size() > file.size()) {
    return TlsSecret{Source::File, std::string(text.substr(file.size()))};
  }
  if (text.starts_with(environment) && text.size() > environment.size()) {
    return TlsSecret{Source::Environment, std::string(text.substr(environment.size()))};
  }
  return std::unexpected(invalid(
      "a secret is given as file:PATH or env:NAME, never as itself; the value is not shown here",
      {}, "T114"));
}

std::expected<TlsPin, base::Error> TlsPin::parse(std::string_view text) {
  constexpr std::pair<std::string_view, Subject> subjects[] = {
      {"leaf-certificate", Subject::LeafCertificate},
      {"leaf-key", Subject::LeafKey},
      {"ca-certificate", Subject::CaCertificate},
      {"ca-key", Subject::CaKey}};
  text = base::trimmed(text);
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, std::min(colon, text.size()));
  const auto* const subject = std::find_if(std::begin(subjects), std::end(subjects),
                                           [&](const auto& each) { return each.first == word; });
  if (subject == std::end(subjects) || colon == std::string_view::npos) {
    return std::unexpected(
        invalid("a pin begins with leaf-certificate:, leaf-key:, ca-certificate: or ca-key:",
                std::string(text), "T115"));
  }
  const std::string_view value = base::trimmed(text.substr(colon + 1));
  std::optional<Digest> digest = hexadecimal_digest(value);
  if (!digest) {
    digest = base64_digest(value);
  }
  if (!digest) {
    return std::unexpected(
        invalid("a pin ends with a SHA-256 in 64 hexadecimal digits or in base64",
                std::string(text), "T115"));
  }
  return TlsPin{subject->second, *digest};
}

std::expected<std::vector<TlsPin>, base::Error> TlsPin::parse_list(std::string_view text) {
  std::vector<TlsPin> pins;
  while (!text.empty()) {
    std::string_view line = base::take_part(text, '\n');
    line = line.substr(0, line.find('#'));
    while (!line.empty()) {
      const std::string_view piece = base::trimmed(base::take_part(line, ','));
      if (piece.empty()) {
        continue;
      }
      auto pin = parse(piece);
      if (!pin) {
        return std::unexpected(std::move(pin.error()));
      }
      pins.push_back(*pin);
    }
  }
  return pins;
}

std::expected<void, base::Error> check(const TlsSettings& settings) {
  if (!has_tls()) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "this build has no TLS (it was made without OpenSSL)",
                                       {},
                                       "T101"});
  }
  if (settings.version_min > settings.version_max) {
    return std::unexpected(
        invalid("the least TLS version is above the largest", "TLS versions", "T109"));
  }
  if (settings.handshake_timeout_ns < base::ns_per_ms ||
      settings.handshake_timeout_ns > handshake_timeout_max_ns) {
    return std::unexpected(
        invalid("the time for a handshake is not within 1 ms to 1 h", "handshake timeout", "T109"));
  }
  if (auto checked = check_certificates(settings); !checked) {
    return checked;
  }
  return check_trust(settings);
}

}  // namespace affix::inline v0::tls
