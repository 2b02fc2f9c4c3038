// SPDX-License-Identifier: MIT
// OpenSSL's errors as text for the operator.
#include "tls/tls_openssl.hpp"

#include <array>
#include <ctime>
#include <openssl/err.h>
#include <openssl/sslerr.h>
#include <span>

namespace affix::inline v0::tls {

namespace {

struct AlertText {
  int alert;
  const char* text;
  base::MessageCode code;
};

// Likely meaning of the peer's alert, from our side. The numbers are the protocol's.
constexpr std::array alert_texts{
    AlertText{SSL_AD_UNEXPECTED_MESSAGE, "a message of ours came when it expected another", "T217"},
    AlertText{SSL_AD_BAD_RECORD_MAC, "a record of ours was changed on its way, or keys differ",
              "T217"},
    AlertText{SSL_AD_HANDSHAKE_FAILURE, "no cipher, key or certificate kind suits both sides",
              "T215"},
    AlertText{SSL_AD_BAD_CERTIFICATE, "it does not accept our certificate", "T214"},
    AlertText{SSL_AD_UNSUPPORTED_CERTIFICATE, "our certificate is of a kind it does not support",
              "T214"},
    AlertText{SSL_AD_CERTIFICATE_REVOKED, "our certificate has been revoked", "T214"},
    AlertText{SSL_AD_CERTIFICATE_EXPIRED, "our certificate has expired, or is not yet valid",
              "T214"},
    AlertText{SSL_AD_CERTIFICATE_UNKNOWN, "it does not accept our certificate", "T214"},
    AlertText{SSL_AD_ILLEGAL_PARAMETER, "a value of ours is not allowed", "T217"},
    AlertText{SSL_AD_UNKNOWN_CA, "it does not know the CA of our certificate", "T214"},
    AlertText{SSL_AD_ACCESS_DENIED, "our certificate is valid and not admitted", "T214"},
    AlertText{SSL_AD_DECODE_ERROR, "it could not read a message of ours", "T217"},
    AlertText{SSL_AD_DECRYPT_ERROR, "it rejected our proof; the pre-shared keys may differ",
              "T216"},
    AlertText{SSL_AD_PROTOCOL_VERSION, "it allows none of our TLS versions", "T215"},
    AlertText{SSL_AD_INSUFFICIENT_SECURITY, "our ciphers are too weak for it", "T215"},
    AlertText{SSL_AD_INTERNAL_ERROR, "it has a fault of its own", "T217"},
    AlertText{SSL_AD_NO_RENEGOTIATION, "it does not renegotiate", "T215"},
    AlertText{SSL_AD_UNRECOGNIZED_NAME, "it is not the server that we asked for by name", "T216"},
    AlertText{SSL_AD_UNKNOWN_PSK_IDENTITY, "it does not know our pre-shared key's identity",
              "T216"},
    AlertText{SSL_AD_CERTIFICATE_REQUIRED, "it wants a certificate, and we showed none", "T214"},
};

TlsFault alert_fault(int alert) {
  const std::string text = "the peer refused: ";
  for (const AlertText& each : alert_texts) {
    if (each.alert == alert) {
      return {text + each.text + " (alert " + std::to_string(alert) + ")", each.code};
    }
  }
  return {text + "alert " + std::to_string(alert), "T213"};
}

std::string text_of_reason(unsigned long code) {
  const char* reason = ERR_reason_error_string(code);
  if (reason != nullptr) {
    return reason;
  }
  std::array<char, 256> text{};
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

}  // namespace

std::string hexadecimal(std::span<const unsigned char> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15U];
  }
  return text;
}

std::string take_openssl_text() {
  const unsigned long code = ERR_peek_error();
  std::string text = code == 0 ? "no reason given" : text_of_reason(code);
  ERR_clear_error();
  return text;
}

TlsFault take_handshake_fault(bool is_server, bool by_key) {
  const unsigned long code = ERR_peek_error();
  if (code == 0) {
    return {"the handshake failed without a reason", "T211"};
  }
  TlsFault fault{{}, "T211"};
  std::string& text = fault.text;
  const int reason = ERR_GET_REASON(code);
  if (ERR_GET_LIB(code) == ERR_LIB_SSL && reason >= SSL_AD_REASON_OFFSET) {
    fault = alert_fault(reason - SSL_AD_REASON_OFFSET);
  } else if (ERR_GET_LIB(code) == ERR_LIB_SSL) {
    switch (reason) {
      case SSL_R_WRONG_VERSION_NUMBER:
      case SSL_R_HTTP_REQUEST:
      case SSL_R_HTTPS_PROXY_REQUEST:
      case SSL_R_PACKET_LENGTH_TOO_LONG:
      case SSL_R_RECORD_LENGTH_MISMATCH:
      case SSL_R_BAD_PACKET_LENGTH:
        text = "the peer's bytes are not TLS";
        fault.code = "T209";
        break;
      case SSL_R_UNSUPPORTED_PROTOCOL:
      case SSL_R_UNKNOWN_PROTOCOL:
      case SSL_R_VERSION_TOO_LOW:
      case SSL_R_NO_PROTOCOLS_AVAILABLE:
        text = "the peer offers no TLS version that is allowed here";
        fault.code = "T208";
        break;
      case SSL_R_NO_SHARED_CIPHER:
      case SSL_R_NO_SUITABLE_KEY_SHARE:
      case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
      case SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
        text = by_key ? "the peer and we have no cipher in common, or it offers no pre-shared key "
                        "that is known here"
                      : "the peer and we have no cipher in common";
        fault.code = "T208";
        break;
      case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
        text = "the peer showed no certificate";
        fault.code = "T207";
        break;
      case SSL_R_PSK_IDENTITY_NOT_FOUND:
        text = is_server ? "the peer's pre-shared key identity is not known here"
                         : "there is no pre-shared key to offer";
        fault.code = "T207";
        break;
      case SSL_R_BINDER_DOES_NOT_VERIFY:
      case SSL_R_DIGEST_CHECK_FAILED:
        text = by_key ? "the peer's pre-shared key is not ours" : "the peer's proof is wrong";
        fault.code = "T210";
        break;
      case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC:
        text = by_key ? "a record does not decrypt: the pre-shared keys differ, or bytes were "
                        "changed on their way"
                      : "a record does not decrypt: bytes were changed on their way";
        fault.code = "T210";
        break;
      case SSL_R_UNEXPECTED_EOF_WHILE_READING:
        text = "the stream ended in the middle";
        break;
      default:
        text = text_of_reason(code);
        break;
    }
  } else {
    text = text_of_reason(code);
  }
  ERR_clear_error();
  return fault;
}

std::string text_of(const X509_NAME* name) {
  const OwnedBio memory(BIO_new(BIO_s_mem()));
  // RFC 2253 with UTF-8 unescaped; control characters stay escaped, so that a name cannot forge a
  // log line.
  constexpr unsigned long flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
  if (memory == nullptr || X509_NAME_print_ex(memory.get(), name, 0, flags) < 0) {
    ERR_clear_error();
    return {};
  }
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

std::string text_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) {
    ERR_clear_error();
    return "an unreadable date";
  }
  std::array<char, 64> text{};
  static_cast<void>(std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts));
  return text.data();
}

std::string certificate_sha256(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) {
    ERR_clear_error();
    return {};
  }
  return hexadecimal(std::span(digest).first(size));
}

std::string key_sha256(const X509* certificate) {
  unsigned char* encoded = nullptr;
  const int encoded_size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded);
  if (encoded_size <= 0) {
    ERR_clear_error();
    return {};
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const int done = EVP_Digest(encoded, static_cast<std::size_t>(encoded_size), digest.data(), &size,
                              EVP_sha256(), nullptr);
  OPENSSL_free(encoded);
  if (done != 1) {
    ERR_clear_error();
    return {};
  }
  return hexadecimal(std::span(digest).first(size));
}

}  // namespace affix::inline v0::tls
