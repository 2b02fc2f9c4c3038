// SPDX-License-Identifier: MIT
// TLS of OpenSSL.
#include "administration/tls_channel.hpp"

#include <algorithm>
#include <climits>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <poll.h>
#include <string>
#include <utility>

namespace affix::inline v0::tools {

namespace {

/// The error of `file`, which should hold `content`, from OpenSSL's oldest fault; `certificate` is
/// the file with the certificate of a key.
base::Error tls_error(const std::string& file, const char* content,
                      const std::string& certificate = {}) {
  const unsigned long fault = ERR_get_error();
  ERR_clear_error();
  const int reason = ERR_GET_REASON(fault);
  if (ERR_SYSTEM_ERROR(fault)) {
    return base::make_system_error("open", reason, file);
  }
  if (ERR_GET_LIB(fault) == ERR_LIB_PEM || ERR_GET_LIB(fault) == ERR_LIB_OSSL_DECODER) {
    return {base::ErrorCode::InvalidArgument, std::string("holds no ") + content + " in PEM form",
            file, "T103"};
  }
  // OpenSSL keeps a key of another kind beside the certificate, and then finds none that fits it.
  const bool other_kind =
      ERR_GET_LIB(fault) == ERR_LIB_SSL && reason == SSL_R_NO_CERTIFICATE_ASSIGNED;
  if (other_kind || (ERR_GET_LIB(fault) == ERR_LIB_X509 && reason == X509_R_KEY_VALUES_MISMATCH)) {
    return {base::ErrorCode::InvalidArgument, "is not the key of the certificate in " + certificate,
            file, "T105"};
  }
  const char* const text = ERR_reason_error_string(fault);
  return {base::ErrorCode::InvalidArgument,
          std::string("OpenSSL refuses the file: ") + (text != nullptr ? text : "no reason given"),
          file, "T107"};
}

}  // namespace

TlsContext::TlsContext(ssl_ctx_st* context) : context_(context, SSL_CTX_free) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

std::expected<TlsContext, base::Error> TlsContext::for_server(const std::string& certificate_file,
                                                              const std::string& key_file) {
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate_file.c_str()) != 1) {
    return std::unexpected(tls_error(certificate_file, "certificate"));
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1) {
    return std::unexpected(tls_error(key_file, "private key", certificate_file));
  }
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  return context;
}

std::expected<TlsContext, base::Error> TlsContext::for_client(const std::string& trusted_file) {
  TlsContext context(SSL_CTX_new(TLS_client_method()));
  if (SSL_CTX_load_verify_locations(context.get(), trusted_file.c_str(), nullptr) != 1) {
    return std::unexpected(tls_error(trusted_file, "certificate"));
  }
  // The file may contain the server's own certificate, which need not be a CA's.
  X509_STORE_set_flags(SSL_CTX_get_cert_store(context.get()), X509_V_FLAG_PARTIAL_CHAIN);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  return context;
}

bool TlsChannel::wait_for_tls(int result, std::int64_t deadline_ns) const noexcept {
  switch (SSL_get_error(tls_, result)) {
    case SSL_ERROR_WANT_READ:
      return wait(POLLIN, deadline_ns);
    case SSL_ERROR_WANT_WRITE:
      return wait(POLLOUT, deadline_ns);
    default:
      ERR_clear_error();
      return false;
  }
}

bool TlsChannel::begin_tls(const TlsContext& context, bool server, std::int64_t deadline_ns) {
  tls_ = SSL_new(context.get());
  if (tls_ == nullptr || SSL_set_fd(tls_, socket_) != 1) {
    return false;
  }
  for (;;) {
    const int result = server ? SSL_accept(tls_) : SSL_connect(tls_);
    if (result == 1) {
      return true;
    }
    if (!wait_for_tls(result, deadline_ns)) {
      // A shutdown message before the handshake would be an error in itself.
      SSL_free(std::exchange(tls_, nullptr));
      return false;
    }
  }
}

void TlsChannel::end_tls() noexcept {
  if (tls_ != nullptr) {
    // Marks the end of the data for the peer; its answer does not matter.
    SSL_shutdown(tls_);
    SSL_free(tls_);
    ERR_clear_error();
  }
}

long TlsChannel::read_tls(char* to, std::size_t size, std::int64_t deadline_ns) {
  const int most = static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  for (;;) {
    const int result = SSL_read(tls_, to, most);
    if (result > 0) {
      return result;
    }
    if (SSL_get_error(tls_, result) == SSL_ERROR_ZERO_RETURN) {
      return 0;
    }
    if (!wait_for_tls(result, deadline_ns)) {
      return -1;
    }
  }
}

bool TlsChannel::write_tls(std::string_view bytes, std::int64_t deadline_ns) {
  while (!bytes.empty()) {
    const int result = SSL_write(tls_, bytes.data(),
                                 static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
    if (result > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(result));
    } else if (!wait_for_tls(result, deadline_ns)) {
      return false;
    }
  }
  return true;
}

}  // namespace affix::inline v0::tools
