// SPDX-License-Identifier: MIT
// A certificate authority for one test: makes keys, certificates and revocation lists with
// OpenSSL's library, as files in a directory that is removed with it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::support {

/// Contents of a certificate.
struct CertificateRequest {
  std::string common_name;
  std::string alternative_names = {};  ///< In OpenSSL's notation: "DNS:a,URI:b,IP:::1".
  long valid_from_s = -3600;           ///< From now.
  long valid_until_s = 24L * 3600;
  bool is_authority = false;
  std::string key_password = {};  ///< Encrypts the key's file; empty: not encrypted.
};

/// Files of one certificate and its key.
struct CertificateFiles {
  std::string certificate;
  std::string key;
  std::string certificate_sha256;  ///< Lower-case hexadecimal digits.
  std::string key_sha256;
  long serial = 0;
};

/// Shared pointers hold OpenSSL's objects, so that an authority can be copied.
class TestAuthority {
 public:
  /// A root authority with files under `directory`, which outlives it.
  TestAuthority(std::string directory, const std::string& name)
      : directory_(std::move(directory)), name_(name) {
    key_ = make_key();
    CertificateRequest request{.common_name = name, .is_authority = true};
    certificate_ = make_certificate(request, key_.get(), nullptr, nullptr);
    write_certificate(file(), certificate_.get());
  }

  /// The file of its own certificate.
  [[nodiscard]] std::string file() const { return directory_ + "/" + name_ + ".ca.pem"; }

  [[nodiscard]] std::string sha256() const { return digest_of(certificate_.get()); }

  [[nodiscard]] std::string key_sha256() const { return key_digest_of(certificate_.get()); }

  /// A certificate with a key of its own, in files named after it.
  [[nodiscard]] CertificateFiles issue(const CertificateRequest& request) {
    return issue(request, make_key().get());
  }

  /// The same for a key that another certificate has too.
  [[nodiscard]] CertificateFiles issue_again(const CertificateRequest& request,
                                             const CertificateFiles& same_key) {
    const std::unique_ptr<FILE, int (*)(FILE*)> in(std::fopen(same_key.key.c_str(), "r"),
                                                   &std::fclose);
    const std::shared_ptr<EVP_PKEY> key(PEM_read_PrivateKey(in.get(), nullptr, nullptr, nullptr),
                                        &EVP_PKEY_free);
    return issue(request, key.get());
  }

  /// An authority below this one; its certificates' files contain the chain up to it.
  [[nodiscard]] TestAuthority below(const std::string& name) {
    TestAuthority authority(directory_, name);
    CertificateRequest request{.common_name = name, .is_authority = true};
    authority.certificate_ =
        make_certificate(request, authority.key_.get(), certificate_.get(), key_.get());
    write_certificate(authority.file(), authority.certificate_.get());
    authority.chain_ = chain_;
    authority.chain_.insert(authority.chain_.begin(), authority.certificate_);
    return authority;
  }

  /// Writes a list that revokes these serials, and returns its file.
  [[nodiscard]] std::string revoke(const std::vector<long>& serials, long valid_until_s = 3600,
                                   const std::string& suffix = "crl") const {
    const std::shared_ptr<X509_CRL> list(X509_CRL_new(), &X509_CRL_free);
    EXPECT_EQ(X509_CRL_set_version(list.get(), 1), 1);
    EXPECT_EQ(X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(certificate_.get())), 1);
    const std::shared_ptr<ASN1_TIME> from(X509_gmtime_adj(nullptr, -7200), &ASN1_TIME_free);
    const std::shared_ptr<ASN1_TIME> until(X509_gmtime_adj(nullptr, valid_until_s),
                                           &ASN1_TIME_free);
    X509_CRL_set1_lastUpdate(list.get(), from.get());
    X509_CRL_set1_nextUpdate(list.get(), until.get());
    for (const long serial : serials) {
      X509_REVOKED* const revoked = X509_REVOKED_new();
      const std::shared_ptr<ASN1_INTEGER> number(ASN1_INTEGER_new(), &ASN1_INTEGER_free);
      ASN1_INTEGER_set(number.get(), serial);
      X509_REVOKED_set_serialNumber(revoked, number.get());
      X509_REVOKED_set_revocationDate(revoked, from.get());
      X509_CRL_add0_revoked(list.get(), revoked);
    }
    EXPECT_GT(X509_CRL_sign(list.get(), key_.get(), EVP_sha256()), 0);
    const std::string path = directory_ + "/" + name_ + "." + suffix;
    const std::unique_ptr<FILE, int (*)(FILE*)> out(std::fopen(path.c_str(), "w"), &std::fclose);
    EXPECT_EQ(PEM_write_X509_CRL(out.get(), list.get()), 1);
    return path;
  }

 private:
  static std::shared_ptr<EVP_PKEY> make_key() { return {EVP_EC_gen("P-256"), &EVP_PKEY_free}; }

  [[nodiscard]] CertificateFiles issue(const CertificateRequest& request, EVP_PKEY* key) {
    const auto certificate = make_certificate(request, key, certificate_.get(), key_.get());
    const std::string stem =
        directory_ + "/" + name_ + "." + std::to_string(serial_of(certificate.get()));
    CertificateFiles files;
    files.certificate = stem + ".pem";
    files.key = stem + ".key";
    files.certificate_sha256 = digest_of(certificate.get());
    files.key_sha256 = key_digest_of(certificate.get());
    files.serial = serial_of(certificate.get());
    write_certificate(files.certificate, certificate.get());
    for (const auto& above : chain_) {
      write_certificate(files.certificate, above.get(), "a");
    }
    const std::unique_ptr<FILE, int (*)(FILE*)> out(std::fopen(files.key.c_str(), "w"),
                                                    &std::fclose);
    const bool secret = !request.key_password.empty();
    EXPECT_EQ(
        PEM_write_PKCS8PrivateKey(out.get(), key, secret ? EVP_aes_256_cbc() : nullptr,
                                  secret ? request.key_password.data() : nullptr,
                                  static_cast<int>(request.key_password.size()), nullptr, nullptr),
        1);
    return files;
  }

  static std::shared_ptr<X509> make_certificate(const CertificateRequest& request, EVP_PKEY* key,
                                                X509* issuer, EVP_PKEY* issuer_key) {
    std::shared_ptr<X509> certificate(X509_new(), &X509_free);
    EXPECT_EQ(X509_set_version(certificate.get(), 2), 1);
    // Unique in a process, so that a list that revokes one revokes no other.
    static long next_serial = std::time(nullptr) * 100000L;
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), ++next_serial);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), request.valid_from_s);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), request.valid_until_s);
    X509_set_pubkey(certificate.get(), key);
    X509_NAME* const subject = X509_get_subject_name(certificate.get());
    add(subject, "O", "affix test");
    add(subject, "CN", request.common_name);
    X509_set_issuer_name(certificate.get(),
                         issuer != nullptr ? X509_get_subject_name(issuer) : subject);
    X509* const signer = issuer != nullptr ? issuer : certificate.get();
    extend(certificate.get(), signer, NID_basic_constraints,
           request.is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    extend(certificate.get(), signer, NID_key_usage,
           request.is_authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature");
    if (!request.alternative_names.empty()) {
      extend(certificate.get(), signer, NID_subject_alt_name, request.alternative_names);
    }
    EXPECT_GT(X509_sign(certificate.get(), issuer_key != nullptr ? issuer_key : key, EVP_sha256()),
              0);
    return certificate;
  }

  static void add(X509_NAME* name, const char* field, const std::string& value) {
    if (!value.empty()) {
      EXPECT_EQ(X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                           reinterpret_cast<const unsigned char*>(value.data()),
                                           static_cast<int>(value.size()), -1, 0),
                1);
    }
  }

  static void extend(X509* certificate, X509* issuer, int nid, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    const std::shared_ptr<X509_EXTENSION> extension(
        X509V3_EXT_nconf_nid(nullptr, &context, nid, value.c_str()), &X509_EXTENSION_free);
    EXPECT_NE(extension, nullptr) << value;
    EXPECT_EQ(X509_add_ext(certificate, extension.get(), -1), 1);
  }

  static void write_certificate(const std::string& path, X509* certificate,
                                const char* mode = "w") {
    const std::unique_ptr<FILE, int (*)(FILE*)> out(std::fopen(path.c_str(), mode), &std::fclose);
    EXPECT_EQ(PEM_write_X509(out.get(), certificate), 1);
  }

  static long serial_of(X509* certificate) {
    return ASN1_INTEGER_get(X509_get_serialNumber(certificate));
  }

  static std::string digits(const unsigned char* bytes, unsigned size) {
    std::string text;
    char pair[3];
    for (unsigned index = 0; index < size; ++index) {
      std::snprintf(pair, sizeof pair, "%02x", bytes[index]);
      text += pair;
    }
    return text;
  }

  static std::string digest_of(X509* certificate) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    X509_digest(certificate, EVP_sha256(), digest, &size);
    return digits(digest, size);
  }

  static std::string key_digest_of(X509* certificate) {
    unsigned char* encoded = nullptr;
    const int encoded_size = i2d_PUBKEY(X509_get0_pubkey(certificate), &encoded);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    EVP_Digest(encoded, static_cast<std::size_t>(encoded_size), digest, &size, EVP_sha256(),
               nullptr);
    OPENSSL_free(encoded);
    return digits(digest, size);
  }

  std::string directory_;
  std::string name_;
  std::shared_ptr<EVP_PKEY> key_;
  std::shared_ptr<X509> certificate_;
  std::vector<std::shared_ptr<X509>> chain_;  // Authorities between leaves and the root.
};

}  // namespace affix::support
