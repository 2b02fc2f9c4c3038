// SPDX-License-Identifier: MIT
// The TLS keys common to client and server groups, in configuration file syntax. The engine reads
// them when it opens; docs/reference/tls.md gives their meaning.
#pragma once

#include "affix/config/choices.hpp"
#include "affix/tls/tls_settings.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::config {

/// Ignored while `tls` is OFF.
struct EncryptionSettings {
  Encryption tls = Encryption::Off;
  tls::TlsVersion tls_version_min = tls::TlsVersion::Tls12;
  tls::TlsVersion tls_version_max = tls::TlsVersion::Tls13;
  std::string tls_ciphers;
  std::string tls_cipher_suites;
  std::string tls_certificate_file;
  std::string tls_key_file;
  std::string tls_key_password;  ///< file:PATH or env:NAME, not the password.
  tls::TlsPeerProof tls_peer_proof = tls::TlsPeerProof::Certificate;
  std::string tls_ca_file;
  std::string tls_ca_path;
  std::string tls_crl_file;
  std::string tls_pins;
  std::string tls_pin_file;
  std::string tls_preshared_keys;  ///< file:PATH or env:NAME, not the keys.
  std::int64_t tls_handshake_timeout_milliseconds = 5'000;
};

}  // namespace affix::inline v0::config
