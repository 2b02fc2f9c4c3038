// SPDX-License-Identifier: MIT
// Compares secrets; in a build without OpenSSL, answers requests for password hashes.
#include "affix/tls/password_hash.hpp"

namespace affix::inline v0::tls {

bool same_secret(std::string_view given, std::string_view wanted) noexcept {
  // Volatile, so that no compiler stops at the first difference.
  volatile unsigned char different = given.size() == wanted.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at) {
    const char other = wanted.empty() ? '\0' : wanted[at % wanted.size()];
    different = static_cast<unsigned char>(
        different | (static_cast<unsigned char>(given[at]) ^ static_cast<unsigned char>(other)));
  }
  return different == 0;
}

#ifndef AFFIX_TLS

namespace {

base::Error no_openssl() {
  return {base::ErrorCode::Unsupported,
          "this build has no hashes of passwords (it was made without OpenSSL)",
          {},
          "E213"};
}

}  // namespace

std::expected<PasswordHash, base::Error> PasswordHash::parse(std::string_view /*text*/) {
  return std::unexpected(no_openssl());
}

std::expected<PasswordHash, base::Error> PasswordHash::make(std::string_view /*password*/,
                                                            std::uint32_t /*iterations*/) {
  return std::unexpected(no_openssl());
}

bool PasswordHash::matches(std::string_view /*password*/) const noexcept {
  return false;
}

std::string PasswordHash::text() const {
  return {};
}

#endif

}  // namespace affix::inline v0::tls
