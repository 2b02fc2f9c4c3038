// SPDX-License-Identifier: MIT
// Owners of OpenSSL objects, and its errors as text. Included only by the TLS sources of this
// layer.
#pragma once

#include "affix/base/error.hpp"

#include <memory>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tls {

/// Reason why a handshake or a connection failed.
struct TlsFault {
  std::string text;
  base::MessageCode code = {};

  [[nodiscard]] base::CodedText view() const noexcept { return {text, code}; }
};

template <auto Free>
struct OpenSslDeleter {
  template <typename Object>
  void operator()(Object* object) const noexcept {
    Free(object);
  }
};

using OwnedBio = std::unique_ptr<BIO, OpenSslDeleter<&BIO_free_all>>;
using OwnedBioMethod = std::unique_ptr<BIO_METHOD, OpenSslDeleter<&BIO_meth_free>>;
using OwnedCertificate = std::unique_ptr<X509, OpenSslDeleter<&X509_free>>;
using OwnedContext = std::unique_ptr<SSL_CTX, OpenSslDeleter<&SSL_CTX_free>>;
using OwnedCrl = std::unique_ptr<X509_CRL, OpenSslDeleter<&X509_CRL_free>>;
using OwnedKey = std::unique_ptr<EVP_PKEY, OpenSslDeleter<&EVP_PKEY_free>>;
using OwnedSsl = std::unique_ptr<SSL, OpenSslDeleter<&SSL_free>>;
using OwnedStore = std::unique_ptr<X509_STORE, OpenSslDeleter<&X509_STORE_free>>;

/// Two lower-case digits for each byte.
[[nodiscard]] std::string hexadecimal(std::span<const unsigned char> bytes);

/// Text of the oldest error in this thread's OpenSSL queue; empties the queue.
[[nodiscard]] std::string take_openssl_text();

/// Reason why a handshake, or a connection after it, failed: the same queue as text for the
/// operator. `by_key`: peers authenticate by a pre-shared key.
[[nodiscard]] TlsFault take_handshake_fault(bool is_server, bool by_key);

/// "CN=FIRM,O=Example", RFC 2253, UTF-8 kept and control characters escaped.
[[nodiscard]] std::string text_of(const X509_NAME* name);

/// "2026-11-22 00:07:00 UTC"
[[nodiscard]] std::string text_of(const ASN1_TIME* time);

/// SHA-256 of a certificate and of its SubjectPublicKeyInfo, 64 lower-case hexadecimal digits;
/// empty when OpenSSL fails.
[[nodiscard]] std::string certificate_sha256(const X509* certificate);
[[nodiscard]] std::string key_sha256(const X509* certificate);

}  // namespace affix::inline v0::tls
