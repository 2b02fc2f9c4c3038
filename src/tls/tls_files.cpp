// SPDX-License-Identifier: MIT
// Reads certificates, keys, authorities and revocation lists. Every fault names the file.
#include "tls/tls_context.hpp"

#include <algorithm>
#include <cstring>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <utility>

namespace affix::inline v0::tls {

namespace {

constexpr std::size_t certificate_file_bytes_max = std::size_t{1} << 20;
constexpr std::size_t trust_file_bytes_max = std::size_t{64} << 20;

constexpr std::string_view system_trust = "SYSTEM";

std::unexpected<base::Error> damaged(std::string message, const std::string& path,
                                     base::MessageCode code) {
  ERR_clear_error();
  return std::unexpected(base::Error{base::ErrorCode::Damaged, std::move(message), path, code});
}

OwnedBio reader_of(std::string_view text) {
  return OwnedBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// True if reading stopped at the end of the file, and not at an unreadable block.
bool at_end_of_blocks() noexcept {
  const unsigned long code = ERR_peek_last_error();
  const bool end = ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE;
  if (end) {
    ERR_clear_error();
  }
  return end;
}

/// Never prompts at a terminal, which is OpenSSL's default.
int give_password(char* buffer, int size, int /*writing*/, void* user) noexcept {
  const auto* const password = static_cast<const SecretText*>(user);
  const std::string_view text = password->view();
  if (text.empty() || text.size() > static_cast<std::size_t>(size)) {
    return -1;
  }
  std::memcpy(buffer, text.data(), text.size());
  return static_cast<int>(text.size());
}

std::expected<std::vector<OwnedCertificate>, base::Error> read_certificates(const std::string& path,
                                                                            std::size_t bytes_max) {
  auto text = read_whole_file(path, bytes_max);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  const OwnedBio reader = reader_of(*text);
  std::vector<OwnedCertificate> certificates;
  while (X509* read = PEM_read_bio_X509_AUX(reader.get(), nullptr, nullptr, nullptr)) {
    certificates.emplace_back(read);
  }
  if (!at_end_of_blocks()) {
    return damaged("certificate " + std::to_string(certificates.size() + 1) +
                       " in it cannot be read: " + take_openssl_text(),
                   path, "T103");
  }
  if (certificates.empty()) {
    return damaged("holds no certificate in PEM form", path, "T103");
  }
  return certificates;
}

std::expected<OwnedKey, base::Error> read_key(const std::string& path, const TlsSecret& place) {
  auto password = read_secret(place);
  if (!password) {
    return std::unexpected(std::move(password.error()));
  }
  auto text = read_whole_file(path, certificate_file_bytes_max);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  const SecretText kept(*text);
  OPENSSL_cleanse(text->data(), text->size());
  const OwnedBio reader = reader_of(kept.view());
  OwnedKey key(PEM_read_bio_PrivateKey(reader.get(), nullptr, &give_password, &*password));
  if (key == nullptr) {
    const bool encrypted = kept.view().find("ENCRYPTED") != std::string_view::npos;
    if (!encrypted) {
      return damaged("holds no private key in PEM form", path, "T103");
    }
    return damaged(password->view().empty()
                       ? "the private key is encrypted, and no password for it is given"
                       : "the password does not open the private key",
                   path, "T104");
  }
  return key;
}

std::expected<void, base::Error> check_dates(const X509* certificate, const std::string& path) {
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) <= 0) {
    return damaged("the certificate expired on " + text_of(X509_get0_notAfter(certificate)), path,
                   "T106");
  }
  if (X509_cmp_current_time(X509_get0_notBefore(certificate)) >= 0) {
    return damaged(
        "the certificate is not valid before " + text_of(X509_get0_notBefore(certificate)), path,
        "T106");
  }
  return {};
}

std::expected<void, base::Error> add_authorities(X509_STORE* store, const std::string& path) {
  const auto certificates = read_certificates(path, trust_file_bytes_max);
  if (!certificates) {
    return std::unexpected(certificates.error());
  }
  for (const OwnedCertificate& each : *certificates) {
    if (X509_STORE_add_cert(store, each.get()) != 1) {
      return damaged(take_openssl_text(), path, "T107");
    }
  }
  return {};
}

std::expected<void, base::Error> add_directory(X509_STORE* store, const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "there is no such directory", path, "T102"});
  }
  if (X509_STORE_load_path(store, path.c_str()) != 1) {
    return damaged(take_openssl_text(), path, "T107");
  }
  return {};
}

std::expected<void, base::Error> add_revocations(X509_STORE* store, const std::string& path) {
  auto text = read_whole_file(path, trust_file_bytes_max);
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  const OwnedBio reader = reader_of(*text);
  std::size_t count = 0;
  while (X509_CRL* read = PEM_read_bio_X509_CRL(reader.get(), nullptr, nullptr, nullptr)) {
    const OwnedCrl list(read);
    if (X509_STORE_add_crl(store, list.get()) != 1) {
      return damaged(take_openssl_text(), path, "T107");
    }
    ++count;
  }
  if (!at_end_of_blocks()) {
    return damaged("revocation list " + std::to_string(count + 1) +
                       " in it cannot be read: " + take_openssl_text(),
                   path, "T103");
  }
  if (count == 0) {
    return damaged("holds no revocation list in PEM form", path, "T103");
  }
  return {};
}

}  // namespace

std::expected<void, base::Error> TlsContext::use_certificate(
    SSL_CTX* context, const TlsCertificate& certificate) const {
  const std::string& path = certificate.certificate_file;
  const auto chain = read_certificates(path, certificate_file_bytes_max);
  if (!chain) {
    return std::unexpected(chain.error());
  }
  X509* const leaf = chain->front().get();
  if (auto checked = check_dates(leaf, path); !checked) {
    return checked;
  }
  if (SSL_CTX_use_certificate(context, leaf) != 1) {
    return damaged("OpenSSL refuses the certificate: " + take_openssl_text(), path, "T107");
  }
  for (std::size_t index = 1; index < chain->size(); ++index) {
    if (SSL_CTX_add1_chain_cert(context, (*chain)[index].get()) != 1) {
      return damaged(
          "OpenSSL refuses certificate " + std::to_string(index + 1) + ": " + take_openssl_text(),
          path, "T107");
    }
  }
  const auto key = read_key(certificate.key_file, certificate.key_password);
  if (!key) {
    return std::unexpected(key.error());
  }
  if (X509_check_private_key(leaf, key->get()) != 1) {
    return damaged("is not the key of the certificate in " + path, certificate.key_file, "T105");
  }
  if (SSL_CTX_use_PrivateKey(context, key->get()) != 1) {
    return damaged("OpenSSL refuses the key: " + take_openssl_text(), certificate.key_file, "T107");
  }
  return {};
}

std::expected<OwnedStore, base::Error> TlsContext::read_trust() const {
  OwnedStore store(X509_STORE_new());
  if (store == nullptr) {
    return std::unexpected(
        base::Error{base::ErrorCode::Io, take_openssl_text(), "X509_STORE_new", "T107"});
  }
  // A certificate in this file is trusted as it is, self-signed or not.
  unsigned long flags = X509_V_FLAG_PARTIAL_CHAIN;
  if (settings_.ca_file == system_trust) {
    if (X509_STORE_set_default_paths(store.get()) != 1) {
      return damaged(take_openssl_text(), "the system's certificates", "T107");
    }
  } else if (!settings_.ca_file.empty()) {
    if (auto added = add_authorities(store.get(), settings_.ca_file); !added) {
      return std::unexpected(std::move(added.error()));
    }
  }
  if (!settings_.ca_path.empty()) {
    if (auto added = add_directory(store.get(), settings_.ca_path); !added) {
      return std::unexpected(std::move(added.error()));
    }
  }
  if (!settings_.crl_file.empty()) {
    if (auto added = add_revocations(store.get(), settings_.crl_file); !added) {
      return std::unexpected(std::move(added.error()));
    }
    flags |= X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL;
  }
  static_cast<void>(X509_STORE_set_flags(store.get(), flags));
  return store;
}

/// Names the authorities that a server accepts, so that clients with several certificates show the
/// right one.
std::expected<void, base::Error> TlsContext::name_accepted_authorities(SSL_CTX* context) const {
  if (settings_.ca_file.empty() || settings_.ca_file == system_trust) {
    return {};
  }
  const auto certificates = read_certificates(settings_.ca_file, trust_file_bytes_max);
  if (!certificates) {
    return std::unexpected(certificates.error());
  }
  for (const OwnedCertificate& each : *certificates) {
    if (SSL_CTX_add_client_CA(context, each.get()) != 1) {
      return damaged(take_openssl_text(), settings_.ca_file, "T107");
    }
  }
  return {};
}

}  // namespace affix::inline v0::tls
