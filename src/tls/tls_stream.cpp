// SPDX-License-Identifier: MIT
// TLS of one connection by OpenSSL, which reads and writes through a BIO of ours: directly from the
// present bytes and directly into the reactor's output, without a buffer of its own between.
#include "tls/tls_stream.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <cstring>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <utility>

namespace affix::inline v0::tls {

namespace {

/// Names of a string type whose bytes are text; drops one with a NUL inside, since careless readers
/// take "a\0b" for "a".
void add_name(std::vector<std::string>& names, const ASN1_STRING* name) {
  const auto* const bytes = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name));
  const std::string_view text(bytes, static_cast<std::size_t>(ASN1_STRING_length(name)));
  if (!text.empty() && text.find('\0') == std::string_view::npos) {
    names.emplace_back(text);
  }
}

void add_common_names(TlsPeer& peer, const X509_NAME* subject) {
  int at = -1;
  while ((at = X509_NAME_get_index_by_NID(subject, NID_commonName, at)) >= 0) {
    const ASN1_STRING* const value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at));
    unsigned char* utf8 = nullptr;
    const int size = ASN1_STRING_to_UTF8(&utf8, value);
    if (size > 0) {
      const std::string_view text(reinterpret_cast<const char*>(utf8),
                                  static_cast<std::size_t>(size));
      if (text.find('\0') == std::string_view::npos) {
        peer.common_names.emplace_back(text);
      }
    }
    OPENSSL_free(utf8);
  }
}

void add_alternative_names(TlsPeer& peer, const X509* certificate) {
  auto* const names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int index = 0; index < sk_GENERAL_NAME_num(names); ++index) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names, index);
    int kind = 0;
    const auto* const value = static_cast<const ASN1_STRING*>(GENERAL_NAME_get0_value(name, &kind));
    if (kind == GEN_DNS) {
      add_name(peer.dns_names, value);
    } else if (kind == GEN_URI) {
      add_name(peer.uris, value);
    } else if (kind == GEN_EMAIL) {
      add_name(peer.emails, value);
    }
  }
  GENERAL_NAMES_free(names);
}

}  // namespace

bool TlsOutput::append(std::string_view bytes) noexcept {
  if (bytes.size() > capacity_ - size_) {
    return false;
  }
  std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
  return true;
}

std::unique_ptr<TlsStream> TlsStream::make(std::shared_ptr<const TlsContext> context,
                                           std::int64_t utc_ns) {
  std::unique_ptr<TlsStream> stream(new TlsStream(std::move(context)));
  stream->method_.reset(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "affix"));
  BIO_METHOD* const method = stream->method_.get();
  if (method == nullptr || BIO_meth_set_read(method, &read_wire) != 1 ||
      BIO_meth_set_write(method, &write_wire) != 1 ||
      BIO_meth_set_ctrl(method, &control_wire) != 1) {
    ERR_clear_error();
    return nullptr;
  }
  stream->ssl_ = stream->context_->make_ssl(utc_ns, stream->notes_);
  BIO* const bio = stream->ssl_ != nullptr ? BIO_new(method) : nullptr;
  if (bio == nullptr) {
    ERR_clear_error();
    return nullptr;
  }
  BIO_set_data(bio, stream.get());
  BIO_set_init(bio, 1);
  SSL_set_bio(stream->ssl_.get(), bio, bio);  // Owned from here on.
  return stream;
}

int TlsStream::read_wire(BIO* bio, char* place, int size) noexcept {
  auto* const stream = static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (stream->input_ == nullptr || stream->input_->empty()) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const std::size_t taken = std::min(stream->input_->size(), static_cast<std::size_t>(size));
  std::memcpy(place, stream->input_->data(), taken);
  stream->input_->remove_prefix(taken);
  return static_cast<int>(taken);
}

int TlsStream::write_wire(BIO* bio, const char* bytes, int size) noexcept {
  auto* const stream = static_cast<TlsStream*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  const bool taken = stream->output_ != nullptr &&
                     stream->output_->append({bytes, static_cast<std::size_t>(size)});
  return taken ? size : -1;
}

long TlsStream::control_wire(BIO* /*bio*/, int command, long /*number*/,
                             void* /*pointer*/) noexcept {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

TlsStream::Status TlsStream::shake_hands(std::string_view& input, TlsOutput& output) noexcept {
  AFFIX_ASSERT(!shaken_);
  ERR_clear_error();
  input_ = &input;
  output_ = &output;
  const int result = SSL_do_handshake(ssl_.get());
  const Status status = result == 1 ? Status::Done : status_of(result);
  if (status == Status::Done) {
    shaken_ = true;
    learn_peer();
  }
  input_ = nullptr;
  output_ = nullptr;
  return status;
}

TlsStream::Read TlsStream::read(std::string_view& input, std::span<char> room,
                                TlsOutput& output) noexcept {
  ERR_clear_error();
  input_ = &input;
  output_ = &output;
  Read all;
  while (all.bytes < room.size() && all.status == Status::Open) {
    std::size_t got = 0;
    const int result =
        SSL_read_ex(ssl_.get(), room.data() + all.bytes, room.size() - all.bytes, &got);
    if (result == 1) {
      all.bytes += got;
    } else {
      all.status = status_of(result);
      break;
    }
  }
  input_ = nullptr;
  output_ = nullptr;
  return all;
}

bool TlsStream::write(std::string_view plain, TlsOutput& output) noexcept {
  if (plain.empty()) {
    return true;
  }
  ERR_clear_error();
  output_ = &output;
  records_written_ += plain.size() / record_bytes_max + 1;
  if (records_written_ > records_per_key_max) {
    records_written_ = 0;
    // Leaves with the next write. TLS 1.2 refuses, and continues.
    static_cast<void>(SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_NOT_REQUESTED));
    ERR_clear_error();
  }
  std::size_t written = 0;
  const bool done = SSL_write_ex(ssl_.get(), plain.data(), plain.size(), &written) == 1;
  if (!done) {
    fail();
  }
  output_ = nullptr;
  return done;
}

void TlsStream::end(TlsOutput& output) noexcept {
  ERR_clear_error();
  output_ = &output;
  // The reactor waits for the peer's remaining output.
  static_cast<void>(SSL_shutdown(ssl_.get()));
  ERR_clear_error();
  output_ = nullptr;
}

bool TlsStream::has_pending() const noexcept {
  return SSL_has_pending(ssl_.get()) == 1;
}

TlsStream::Status TlsStream::status_of(int result) noexcept {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return Status::Open;
    case SSL_ERROR_ZERO_RETURN:
      if (shaken_) {
        return Status::Ended;
      }
      fault_ = {"the peer ended the handshake", "T211"};
      return Status::Failed;
    default:
      fail();
      return Status::Failed;
  }
}

void TlsStream::fail() {
  const TlsSettings& settings = context_->settings();
  fault_ =
      take_handshake_fault(settings.is_server, settings.peer_proof == TlsPeerProof::PresharedKey);
  if (!notes_.fault.text.empty()) {
    fault_ = notes_.fault;
  }
}

void TlsStream::learn_peer() {
  peer_.version = SSL_get_version(ssl_.get());
  peer_.cipher = SSL_get_cipher_name(ssl_.get());
  peer_.preshared_identity = notes_.preshared_identity;
  const X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
  if (certificate == nullptr) {
    return;
  }
  peer_.has_certificate = true;
  peer_.verified = notes_.verified;
  peer_.subject = text_of(X509_get_subject_name(certificate));
  peer_.certificate_sha256 = certificate_sha256(certificate);
  peer_.key_sha256 = key_sha256(certificate);
  add_common_names(peer_, X509_get_subject_name(certificate));
  add_alternative_names(peer_, certificate);
  ERR_clear_error();
}

}  // namespace affix::inline v0::tls
