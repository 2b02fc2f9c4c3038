// SPDX-License-Identifier: MIT
// OpenSSL's contexts of one endpoint, made from files once and never changed: what handshakes
// offer, whom they trust, and what they say when they do not. One class over three files:
// tls_context.cpp makes it, tls_files.cpp reads certificates, keys and lists, tls_verify.cpp judges
// peers.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/tls_endpoint.hpp"

#include "net/tls_openssl.hpp"
#include "net/tls_secrets.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

/// What a handshake's judges leave behind for its connection, which owns this.
struct HandshakeNotes {
  std::string fault;  ///< Why the peer was refused, when it was one of our own rules.
  bool verified = false;
  std::string preshared_identity;  ///< Of the key that is in use, if one is.
};

class TlsContext {
 public:
  /// Reads every file that the settings name; they have been checked.
  [[nodiscard]] static std::expected<std::shared_ptr<const TlsContext>, base::Error> make(
      const TlsSettings& settings);

  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext() = default;

  [[nodiscard]] const TlsSettings& settings() const noexcept { return settings_; }

  /// An SSL object for one connection, with the peer's certificate to be judged at `utc_ns`. Null:
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
  [[nodiscard]] bool verify_chain(X509_STORE_CTX* store, std::string& fault) const;
  [[nodiscard]] bool verify_pinned_leaf(X509_STORE_CTX* store, std::string& fault) const;
  [[nodiscard]] bool is_pinned(X509_STORE_CTX* store, bool chain_is_verified) const;
  [[nodiscard]] std::string text_of_fault(X509_STORE_CTX* store) const;

  [[nodiscard]] bool has_ca() const noexcept {
    return !settings_.ca_file.empty() || !settings_.ca_path.empty();
  }

  const TlsSettings settings_;
  std::vector<TlsPin> pins_;  // Those of the settings and those of the file.
  PresharedKeys keys_;
  const PresharedKeys::Entry* own_key_ = nullptr;
  OwnedStore trust_;
  std::vector<Named> contexts_;  // The first has no name.
};

}  // namespace affix::inline v0::net
