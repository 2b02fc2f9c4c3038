// SPDX-License-Identifier: MIT
// Makes OpenSSL contexts from settings.
#include "tls/tls_context.hpp"

#include <algorithm>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <utility>

namespace affix::inline v0::tls {

namespace {

// Authenticated encryption with forward secrecy, and nothing else: the requirement of FIXS.
constexpr const char* default_ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20:!PSK";

// The same with a pre-shared key.
constexpr const char* default_key_ciphers =
    "ECDHE-PSK-CHACHA20-POLY1305:DHE-PSK-AES256-GCM-SHA384:DHE-PSK-CHACHA20-POLY1305:"
    "DHE-PSK-AES128-GCM-SHA256";

// An external key belongs to one hash, by default SHA-256 (RFC 8446, 4.2.11), so it cannot be used
// with the suite that has SHA-384.
constexpr const char* default_key_suites = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256";

// 112 bits: RSA of 2048 and more.
constexpr int security_level = 2;

constexpr std::size_t pin_file_bytes_max = std::size_t{1} << 20;

int version_number(TlsVersion version) noexcept {
  return version == TlsVersion::Tls12 ? TLS1_2_VERSION : TLS1_3_VERSION;
}

std::unexpected<base::Error> openssl_error(const char* what) {
  return std::unexpected(base::Error{base::ErrorCode::Io, take_openssl_text(), what, "T107"});
}

}  // namespace

std::expected<std::shared_ptr<const TlsContext>, base::Error> TlsContext::make(
    const TlsSettings& settings) {
  ERR_clear_error();
  std::shared_ptr<TlsContext> context(new TlsContext(settings));
  if (auto opened = context->open(); !opened) {
    ERR_clear_error();
    return std::unexpected(std::move(opened.error()));
  }
  return context;
}

std::expected<void, base::Error> TlsContext::open() {
  if (auto opened = open_pins(); !opened) {
    return opened;
  }
  if (auto opened = open_keys(); !opened) {
    return opened;
  }
  auto trust = read_trust();
  if (!trust) {
    return std::unexpected(std::move(trust.error()));
  }
  trust_ = std::move(*trust);
  if (settings_.certificates.empty()) {
    auto made = make_context(nullptr);
    if (!made) {
      return std::unexpected(std::move(made.error()));
    }
    contexts_.push_back({{}, std::move(*made)});
  }
  for (const TlsCertificate& certificate : settings_.certificates) {
    auto made = make_context(&certificate);
    if (!made) {
      return std::unexpected(std::move(made.error()));
    }
    contexts_.push_back({certificate.server_name, std::move(*made)});
  }
  return {};
}

std::expected<void, base::Error> TlsContext::open_pins() {
  pins_ = settings_.pins;
  if (settings_.pin_file.empty()) {
    return {};
  }
  auto text = read_whole_file(settings_.pin_file, pin_file_bytes_max);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  auto pins = TlsPin::parse_list(*text);
  if (!pins) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged, pins.error().sentence(),
                                       settings_.pin_file, pins.error().message_code});
  }
  if (pins->empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::Damaged, "holds no pin", settings_.pin_file, "T103"});
  }
  const bool ca_pins = std::any_of(pins->begin(), pins->end(), [](const TlsPin& pin) {
    return pin.subject == TlsPin::Subject::CaCertificate || pin.subject == TlsPin::Subject::CaKey;
  });
  if (ca_pins && !has_ca()) {
    return std::unexpected(
        base::Error{base::ErrorCode::InvalidArgument,
                    "a CA is pinned, and no CA is given that a chain could lead to",
                    settings_.pin_file, "T113"});
  }
  pins_.insert(pins_.end(), pins->begin(), pins->end());
  return {};
}

std::expected<void, base::Error> TlsContext::open_keys() {
  if (settings_.preshared_keys.source == TlsSecret::Source::None) {
    return {};
  }
  const auto text = read_secret(settings_.preshared_keys);
  if (!text) {
    return std::unexpected(text.error());
  }
  auto keys = PresharedKeys::parse(text->view(), settings_.preshared_keys.name);
  if (!keys) {
    return std::unexpected(std::move(keys.error()));
  }
  keys_ = std::move(*keys);
  if (settings_.is_server) {
    return {};
  }
  const std::string& wanted = settings_.preshared_identity;
  if (wanted.empty() && keys_.entries().size() != 1) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "holds several pre-shared keys, and none is named as ours",
                                       settings_.preshared_keys.name, "T111"});
  }
  own_key_ = wanted.empty() ? &keys_.entries().front() : keys_.find(wanted);
  if (own_key_ == nullptr) {
    return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                       "holds no pre-shared key for the identity '" + wanted + "'",
                                       settings_.preshared_keys.name, "T111"});
  }
  return {};
}

std::expected<OwnedContext, base::Error> TlsContext::make_context(
    const TlsCertificate* certificate) {
  OwnedContext context(
      SSL_CTX_new(settings_.is_server ? TLS_server_method() : TLS_client_method()));
  if (context == nullptr) {
    return openssl_error("SSL_CTX_new");
  }
  SSL_CTX_set_security_level(context.get(), security_level);
  if (SSL_CTX_set_min_proto_version(context.get(), version_number(settings_.version_min)) != 1 ||
      SSL_CTX_set_max_proto_version(context.get(), version_number(settings_.version_max)) != 1) {
    return openssl_error("TLS versions");
  }
  // No resumption: a ticket would outlive the certificate, the pin or the key that it was issued
  // for, and FIX connects too rarely to gain from it.
  SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                         SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  static_cast<void>(SSL_CTX_set_num_tickets(context.get(), 0));
  SSL_CTX_set_dh_auto(context.get(), 1);
  // The chain is that of the file, without additions from the store of trusted certificates.
  SSL_CTX_set_mode(context.get(), SSL_MODE_NO_AUTO_CHAIN | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (auto set = set_ciphers(context.get()); !set) {
    return std::unexpected(std::move(set.error()));
  }
  if (certificate != nullptr) {
    if (auto used = use_certificate(context.get(), *certificate); !used) {
      return std::unexpected(std::move(used.error()));
    }
  }
  SSL_CTX_set1_cert_store(context.get(), trust_.get());
  if (settings_.is_server) {
    if (auto named = name_accepted_authorities(context.get()); !named) {
      return std::unexpected(std::move(named.error()));
    }
    // Like OpenSSL's macros of these names, without their C-style casts.
    static_cast<void>(
        SSL_CTX_callback_ctrl(context.get(), SSL_CTRL_SET_TLSEXT_SERVERNAME_CB,
                              reinterpret_cast<void (*)()>(&TlsContext::choose_certificate)));
    static_cast<void>(SSL_CTX_ctrl(context.get(), SSL_CTRL_SET_TLSEXT_SERVERNAME_ARG, 0, this));
  }
  SSL_CTX_set_app_data(context.get(), this);
  set_peer_proof(context.get());
  return context;
}

std::expected<void, base::Error> TlsContext::set_ciphers(SSL_CTX* context) const {
  const bool by_key = settings_.peer_proof == TlsPeerProof::PresharedKey;
  std::string ciphers = by_key ? default_key_ciphers : default_ciphers;
  if (!settings_.ciphers.empty()) {
    ciphers = settings_.ciphers;
  }
  if (SSL_CTX_set_cipher_list(context, ciphers.c_str()) != 1) {
    ERR_clear_error();
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "contains no cipher that OpenSSL supports for TLS 1.2",
                                       ciphers, "T108"});
  }
  const std::string suites =
      settings_.cipher_suites.empty() && by_key ? default_key_suites : settings_.cipher_suites;
  if (!suites.empty() && SSL_CTX_set_ciphersuites(context, suites.c_str()) != 1) {
    ERR_clear_error();
    return std::unexpected(base::Error{
        base::ErrorCode::InvalidArgument,
        "contains a cipher suite that OpenSSL does not support for TLS 1.3", suites, "T108"});
  }
  return {};
}

void TlsContext::set_peer_proof(SSL_CTX* context) const noexcept {
  int mode = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  switch (settings_.peer_proof) {
    case TlsPeerProof::Certificate:
      break;
    case TlsPeerProof::Optional:
      mode = SSL_VERIFY_PEER;
      break;
    case TlsPeerProof::None:
      mode = SSL_VERIFY_NONE;
      break;
    case TlsPeerProof::PresharedKey:
      // A client keeps checking certificates, to refuse a server that shows one instead of the key;
      // a server neither shows nor requests one.
      mode = settings_.is_server ? SSL_VERIFY_NONE : SSL_VERIFY_PEER;
      if (settings_.is_server) {
        SSL_CTX_set_psk_server_callback(context, &TlsContext::look_key_up);
      } else {
        SSL_CTX_set_psk_client_callback(context, &TlsContext::show_key);
      }
      break;
  }
  SSL_CTX_set_verify(context, mode, nullptr);
  SSL_CTX_set_cert_verify_callback(context, &TlsContext::verify, const_cast<TlsContext*>(this));
}

OwnedSsl TlsContext::make_ssl(std::int64_t utc_ns, HandshakeNotes& notes) const noexcept {
  OwnedSsl ssl(SSL_new(contexts_.front().context.get()));
  if (ssl == nullptr) {
    ERR_clear_error();
    return ssl;
  }
  SSL_set_app_data(ssl.get(), &notes);
  X509_VERIFY_PARAM_set_time(SSL_get0_param(ssl.get()), utc_ns / base::ns_per_second);
  if (settings_.is_server) {
    SSL_set_accept_state(ssl.get());
  } else {
    SSL_set_connect_state(ssl.get());
    set_server_name(ssl.get());
  }
  return ssl;
}

void TlsContext::set_server_name(SSL* ssl) const noexcept {
  const std::string& name = settings_.server_name;
  if (name.empty()) {
    return;
  }
  X509_VERIFY_PARAM* const parameters = SSL_get0_param(ssl);
  const bool numeric = X509_VERIFY_PARAM_set1_ip_asc(parameters, name.c_str()) == 1;
  if (!settings_.check_server_name) {
    static_cast<void>(X509_VERIFY_PARAM_set1_ip(parameters, nullptr, 0));
  }
  if (numeric) {
    return;  // RFC 6066 allows no addresses in SNI.
  }
  ERR_clear_error();
  if (settings_.check_server_name) {
    X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    static_cast<void>(X509_VERIFY_PARAM_set1_host(parameters, name.data(), name.size()));
  }
  // Like the macro SSL_set_tlsext_host_name, without its cast; OpenSSL copies the name.
  static_cast<void>(SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                             const_cast<char*>(name.c_str())));
}

}  // namespace affix::inline v0::tls
