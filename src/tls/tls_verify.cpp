// SPDX-License-Identifier: MIT
// Verifies peers during the handshake: chains, pins, server names, pre-shared keys. Called by
// OpenSSL.
#include "tls/tls_context.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <span>
#include <utility>

namespace affix::inline v0::tls {

namespace {

HandshakeNotes& notes_of(const SSL* ssl) noexcept {
  return *static_cast<HandshakeNotes*>(SSL_get_app_data(ssl));
}

/// Requires a revocation list only from the issuer of the peer's own certificate: many authorities
/// publish none for the roots above. A revoked certificate is refused anywhere in the chain.
int forgive_missing_lists_above(int verified, X509_STORE_CTX* store) noexcept {
  const bool forgiven = verified != 1 && X509_STORE_CTX_get_error_depth(store) > 0 &&
                        X509_STORE_CTX_get_error(store) == X509_V_ERR_UNABLE_TO_GET_CRL;
  if (forgiven) {
    X509_STORE_CTX_set_error(store, X509_V_OK);
  }
  return forgiven ? 1 : verified;
}

/// DNS names and addresses of a certificate, else its common name: for a message.
std::string names_in(X509* certificate) {
  std::string names;
  const OwnedBio memory(BIO_new(BIO_s_mem()));
  const int at = X509_get_ext_by_NID(certificate, NID_subject_alt_name, -1);
  if (memory != nullptr && at >= 0 &&
      X509V3_EXT_print(memory.get(), X509_get_ext(certificate, at), 0, 0) == 1) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &bytes);
    names.assign(bytes, static_cast<std::size_t>(std::max(size, 0L)));
  }
  ERR_clear_error();
  return names.empty() ? text_of(X509_get_subject_name(certificate)) : names;
}

bool has_digest(const X509* certificate, const TlsPin& pin) {
  const bool whole = pin.subject == TlsPin::Subject::LeafCertificate ||
                     pin.subject == TlsPin::Subject::CaCertificate;
  return hexadecimal(pin.digest) ==
         (whole ? certificate_sha256(certificate) : key_sha256(certificate));
}

std::string unpinned_text(const X509* leaf) {
  return "the peer's certificate (" + text_of(X509_get_subject_name(leaf)) +
         ") matches no pin; the SHA-256 of it is " + certificate_sha256(leaf) + ", of its key " +
         key_sha256(leaf);
}

}  // namespace

const TlsContext* TlsContext::context_of(const SSL* ssl) noexcept {
  return static_cast<const TlsContext*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
}

int TlsContext::verify(X509_STORE_CTX* store, void* context) noexcept {
  const auto* const self = static_cast<const TlsContext*>(context);
  const auto* const ssl = static_cast<const SSL*>(
      X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  HandshakeNotes& notes = notes_of(ssl);
  bool accepted = false;
  switch (self->settings_.peer_proof) {
    case TlsPeerProof::None:
      X509_STORE_CTX_set_error(store, X509_V_OK);
      return 1;
    case TlsPeerProof::PresharedKey:
      notes.fault = {"the peer showed a certificate where a pre-shared key was demanded", "T207"};
      break;
    case TlsPeerProof::Certificate:
    case TlsPeerProof::Optional: {
      auto verified = self->has_ca() ? self->verify_chain(store) : self->verify_pinned_leaf(store);
      accepted = verified.has_value();
      if (!accepted) {
        notes.fault = std::move(verified.error());
      }
      break;
    }
  }
  notes.verified = accepted;
  if (accepted) {
    X509_STORE_CTX_set_error(store, X509_V_OK);
  } else if (X509_STORE_CTX_get_error(store) == X509_V_OK) {
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
  }
  return accepted ? 1 : 0;
}

std::expected<void, TlsFault> TlsContext::verify_chain(X509_STORE_CTX* store) const {
  X509_STORE_CTX_set_verify_cb(store, &forgive_missing_lists_above);
  if (X509_verify_cert(store) != 1) {
    return std::unexpected(fault_of(store));
  }
  if (!pins_.empty() && !is_pinned(store, true)) {
    return std::unexpected(TlsFault{unpinned_text(X509_STORE_CTX_get0_cert(store)), "T205"});
  }
  return {};
}

/// Without a CA the pin is the only proof. Dates still count: the key of an expired certificate may
/// have been given up.
std::expected<void, TlsFault> TlsContext::verify_pinned_leaf(X509_STORE_CTX* store) const {
  X509* const leaf = X509_STORE_CTX_get0_cert(store);
  std::time_t at = X509_VERIFY_PARAM_get_time(X509_STORE_CTX_get0_param(store));
  X509_STORE_CTX_set_current_cert(store, leaf);
  X509_STORE_CTX_set_error_depth(store, 0);
  if (X509_cmp_time(X509_get0_notAfter(leaf), &at) <= 0) {
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_HAS_EXPIRED);
  } else if (X509_cmp_time(X509_get0_notBefore(leaf), &at) >= 0) {
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_NOT_YET_VALID);
  } else if (is_pinned(store, false)) {
    return {};
  } else {
    return std::unexpected(TlsFault{unpinned_text(leaf), "T205"});
  }
  return std::unexpected(fault_of(store));
}

bool TlsContext::is_pinned(X509_STORE_CTX* store, bool chain_is_verified) const {
  const X509* const leaf = X509_STORE_CTX_get0_cert(store);
  STACK_OF(X509)* const chain = chain_is_verified ? X509_STORE_CTX_get0_chain(store) : nullptr;
  return std::any_of(pins_.begin(), pins_.end(), [&](const TlsPin& pin) {
    if (pin.is_leaf()) {
      return has_digest(leaf, pin);
    }
    for (int index = 1; chain != nullptr && index < sk_X509_num(chain); ++index) {
      if (has_digest(sk_X509_value(chain, index), pin)) {
        return true;
      }
    }
    return false;
  });
}

TlsFault TlsContext::fault_of(X509_STORE_CTX* store) const {
  X509* const certificate = X509_STORE_CTX_get_current_cert(store);
  const int error = X509_STORE_CTX_get_error(store);
  if (certificate == nullptr) {
    return {X509_verify_cert_error_string(error), "T202"};
  }
  const std::string issuer = text_of(X509_get_issuer_name(certificate));
  const std::string who =
      (X509_STORE_CTX_get_error_depth(store) == 0 ? "the peer's certificate ("
                                                  : "the certificate above the peer's (") +
      text_of(X509_get_subject_name(certificate)) + ")";
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return {who + " expired on " + text_of(X509_get0_notAfter(certificate)), "T201"};
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return {who + " is not valid before " + text_of(X509_get0_notBefore(certificate)), "T201"};
    case X509_V_ERR_CERT_REVOKED:
      return {who + " has been revoked by its issuer (" + issuer + ")", "T201"};
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return {who + " cannot be checked: " + settings_.crl_file +
                  " has no revocation list of its issuer (" + issuer + ")",
              "T204"};
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return {who + " cannot be checked: the revocation list of its issuer (" + issuer + ") in " +
                  settings_.crl_file + " has expired",
              "T204"};
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return {who + " is for " + names_in(certificate) + " and not for " + settings_.server_name,
              "T203"};
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return {who + ", issued by " + issuer + ", leads to no CA that is trusted here", "T202"};
    default:
      return {who + ": " + X509_verify_cert_error_string(error), "T202"};
  }
}

int TlsContext::choose_certificate(SSL* ssl, int* /*alert*/, void* context) noexcept {
  const auto* const self = static_cast<const TlsContext*>(context);
  const char* const name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (name == nullptr) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  for (const Named& each : self->contexts_) {
    if (!each.server_name.empty() && OPENSSL_strcasecmp(each.server_name.c_str(), name) == 0) {
      SSL_set_SSL_CTX(ssl, each.context.get());
      return SSL_TLSEXT_ERR_OK;
    }
  }
  return SSL_TLSEXT_ERR_OK;
}

unsigned TlsContext::show_key(SSL* ssl, const char* /*hint*/, char* identity,
                              unsigned identity_size_max, unsigned char* key,
                              unsigned key_size_max) noexcept {
  const PresharedKeys::Entry* const own = context_of(ssl)->own_key_;
  const std::string_view bytes = own->key.view();
  if (own->identity.size() + 1 > identity_size_max || bytes.size() > key_size_max) {
    return 0;
  }
  std::memcpy(identity, own->identity.c_str(), own->identity.size() + 1);
  std::memcpy(key, bytes.data(), bytes.size());
  notes_of(ssl).preshared_identity = own->identity;
  return static_cast<unsigned>(bytes.size());
}

unsigned TlsContext::look_key_up(SSL* ssl, const char* identity, unsigned char* key,
                                 unsigned key_size_max) noexcept {
  const PresharedKeys::Entry* const entry = context_of(ssl)->keys_.find(identity);
  HandshakeNotes& notes = notes_of(ssl);
  if (entry == nullptr || entry->key.view().size() > key_size_max) {
    notes.fault = {"the peer names a pre-shared key that is not known here", "T207"};
    return 0;
  }
  notes.fault = {};
  notes.preshared_identity = entry->identity;
  std::memcpy(key, entry->key.view().data(), entry->key.view().size());
  return static_cast<unsigned>(entry->key.view().size());
}

}  // namespace affix::inline v0::tls
