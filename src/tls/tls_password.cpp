// SPDX-License-Identifier: MIT
// Password hashes by OpenSSL.
#include "affix/base/text.hpp"
#include "affix/tls/password_hash.hpp"

#include <algorithm>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

namespace affix::inline v0::tls {

namespace {

constexpr std::string_view scheme = "pbkdf2_sha256$";
constexpr std::size_t key_bytes = 32;
constexpr std::size_t key_text_bytes = 44;  // In base64, with one `=`.

base::Error fault(std::string_view text, base::MessageCode code) {
  return {base::ErrorCode::InvalidArgument, std::string(text), {}, code};
}

bool derive(std::string_view password, std::string_view salt, std::uint32_t iterations,
            std::array<unsigned char, key_bytes>& key) noexcept {
  return PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()),
                           reinterpret_cast<const unsigned char*>(salt.data()),
                           static_cast<int>(salt.size()), static_cast<int>(iterations),
                           EVP_sha256(), static_cast<int>(key.size()), key.data()) == 1;
}

}  // namespace

std::expected<PasswordHash, base::Error> PasswordHash::parse(std::string_view text) {
  if (!text.starts_with(scheme)) {
    return std::unexpected(fault("it does not begin with 'pbkdf2_sha256$'", "E211"));
  }
  std::string_view rest = text.substr(scheme.size());
  PasswordHash hash;
  hash.iterations_ = base::parse_number<std::uint32_t>(base::take_part(rest, '$')).value_or(0);
  const std::string_view salt = base::take_part(rest, '$');
  if (hash.iterations_ < iterations_min || hash.iterations_ > iterations_max) {
    return std::unexpected(fault("its iterations are not a number from 1000 to 10000000", "E211"));
  }
  if (salt.empty() || salt.size() > salt_bytes_max) {
    return std::unexpected(fault("its salt must have 1 to 64 characters", "E211"));
  }
  // One block more, since EVP_DecodeBlock() writes zeros for the padding.
  std::array<unsigned char, key_bytes + 1> key;
  if (rest.size() != key_text_bytes || rest.back() != '=' || rest[key_text_bytes - 2] == '=' ||
      EVP_DecodeBlock(key.data(), reinterpret_cast<const unsigned char*>(rest.data()),
                      static_cast<int>(rest.size())) != static_cast<int>(key.size())) {
    return std::unexpected(fault("its key is not 32 bytes in base64", "E211"));
  }
  hash.salt_size_ = static_cast<std::uint32_t>(salt.copy(hash.salt_.data(), salt.size()));
  std::copy_n(key.begin(), key_bytes, hash.key_.begin());
  return hash;
}

std::expected<PasswordHash, base::Error> PasswordHash::make(std::string_view password,
                                                            std::uint32_t iterations) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  constexpr std::uint32_t salt_size = 22;  // Of six bits each: more than 128.
  std::array<unsigned char, salt_size> random;
  if (password.empty() || iterations < iterations_min || iterations > iterations_max) {
    return std::unexpected(
        fault("a password that is not empty and 1000 to 10000000 iterations are needed", "E213"));
  }
  PasswordHash hash;
  hash.iterations_ = iterations;
  hash.salt_size_ = salt_size;
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) {
    return std::unexpected(
        base::Error{base::ErrorCode::Unsupported, "OpenSSL gives no random numbers", {}, "E213"});
  }
  std::transform(random.begin(), random.end(), hash.salt_.begin(),
                 [&](unsigned char byte) { return letters[byte % letters.size()]; });
  if (!derive(password, {hash.salt_.data(), salt_size}, iterations, hash.key_)) {
    return std::unexpected(base::Error{
        base::ErrorCode::Unsupported, "OpenSSL has no PBKDF2 with SHA-256", {}, "E213"});
  }
  return hash;
}

bool PasswordHash::matches(std::string_view password) const noexcept {
  std::array<unsigned char, key_bytes> key{};
  return derive(password, {salt_.data(), salt_size_}, iterations_, key) &&
         CRYPTO_memcmp(key.data(), key_.data(), key.size()) == 0;
}

std::string PasswordHash::text() const {
  std::array<unsigned char, key_text_bytes + 1> key;  // With a zero byte.
  EVP_EncodeBlock(key.data(), key_.data(), static_cast<int>(key_.size()));
  std::string text(scheme);
  text += std::to_string(iterations_) + '$';
  text.append(salt_.data(), salt_size_) += '$';
  text.append(reinterpret_cast<const char*>(key.data()), key_text_bytes);
  return text;
}

}  // namespace affix::inline v0::tls
