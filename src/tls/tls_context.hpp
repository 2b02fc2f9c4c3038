// SPDX-License-Identifier: MIT
// OpenSSL contexts of one endpoint, made from files once and never changed: parameters of
// handshakes, trusted authorities, and texts of failures. One class in three files:
// tls_context.cpp makes it, tls_files.cpp reads certificates, keys and lists, tls_verify.cpp
// verifies peers.
#pragma once

#include "affix/base/error.hpp"
#include "affix/tls/tls_settings.hpp"

#include "tls/tls_openssl.hpp"
#include "tls/tls_secrets.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tls {

/// Results of a handshake's checks for its connection, which owns this object.
struct HandshakeNotes {
  TlsFault fault;  ///< Reason for refusing the peer, if one of our own rules did.
  bool verified = false;
  std::string preshared_identity;  ///< Identity of the pre-shared key in use, if any.
};

class TlsContext {
 public:
  /// Reads every file that the settings name; the settings have been checked.
  [[nodiscard]] static std::expected<std::shared_ptr<const TlsContext>, base::Error> make(
      const TlsSettings& settings);

  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext() = default;

  [[nodiscard]] const TlsSettings& settings() const noexcept { return settings_; }

  /// Makes an SSL object for one connection; the peer's certificate is verified for `utc_ns`. Null:
  /// no memory. This context and `notes` outlive it.
  [[nodiscard]] OwnedSsl make_ssl(std::int64_t utc_ns, HandshakeNotes& notes) const noexcept;

 private:
  explicit TlsContext(const TlsSettings& settings) : settings_(settings) {}

  struct Named {
    std::string server_name;  // Empty: the one for all other names.
    OwnedContext context;
  };

  // tls_context.cpp
  [[nodiscard]] std::expected<void, base::Error> open();
  [[nodiscard]] std::expected<void, base::Error> open_keys();
  [[nodiscard]] std::expected<void, base::Error> open_pins();
  [[nodiscard]] std::expected<OwnedContext, base::Error> make_context(
      const TlsCertificate* certificate);
  [[nodiscard]] std::expected<void, base::Error> set_ciphers(SSL_CTX* context) const;
  void set_peer_proof(SSL_CTX* context) const noexcept;
  void set_server_name(SSL* ssl) const noexcept;

  // tls_files.cpp
  [[nodiscard]] std::expected<void, base::Error> use_certificate(
      SSL_CTX* context, const TlsCertificate& certificate) const;
  [[nodiscard]] std::expected<OwnedStore, base::Error> read_trust() const;
  [[nodiscard]] std::expected<void, base::Error> name_accepted_authorities(SSL_CTX* context) const;

  // tls_verify.cpp: OpenSSL's calls. `context` is this.
  static int verify(X509_STORE_CTX* store, void* context) noexcept;
  static int choose_certificate(SSL* ssl, int* alert, void* context) noexcept;
  [[nodiscard]] static const TlsContext* context_of(const SSL* ssl) noexcept;
  static unsigned show_key(SSL* ssl, const char* hint, char* identity, unsigned identity_size_max,
                           unsigned char* key, unsigned key_size_max) noexcept;
  static unsigned look_key_up(SSL* ssl, const char* identity, unsigned char* key,
                              unsigned key_size_max) noexcept;
  [[nodiscard]] std::expected<void, TlsFault> verify_chain(X509_STORE_CTX* store) const;
  [[nodiscard]] std::expected<void, TlsFault> verify_pinned_leaf(X509_STORE_CTX* store) const;
  [[nodiscard]] bool is_pinned(X509_STORE_CTX* store, bool chain_is_verified) const;
  [[nodiscard]] TlsFault fault_of(X509_STORE_CTX* store) const;

  [[nodiscard]] bool has_ca() const noexcept {
    return !settings_.ca_file.empty() || !settings_.ca_path.empty();
  }

  const TlsSettings settings_;
  std::vector<TlsPin> pins_;  // From the settings and from the file.
  PresharedKeys keys_;
  const PresharedKeys::Entry* own_key_ = nullptr;
  OwnedStore trust_;
  std::vector<Named> contexts_;  // The first has no name.
};

}  // namespace affix::inline v0::tls
