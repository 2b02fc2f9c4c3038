// SPDX-License-Identifier: MIT
// A password hash for storage in files: PBKDF2 with HMAC-SHA-256, in the text form of Django and
// others. Making and checking one needs OpenSSL, like TLS.
#pragma once

#include "affix/base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::tls {

/// `pbkdf2_sha256$<iterations>$<salt>$<key>`: the salt is text without `$`, the key 32 bytes in
/// base64. A value; contains no password.
class PasswordHash {
 public:
  static constexpr std::uint32_t iterations_min =
      1'000;  ///< Fewer are refused: too cheap to guess.
  static constexpr std::uint32_t iterations_max = 10'000'000;  ///< About 2.5 s of one core.

  /// About 5 ms of one core, which delays a thread that trades.
  static constexpr std::uint32_t iterations_default = 20'000;

  static constexpr std::size_t salt_bytes_max = 64;  ///< parse() refuses a longer salt.

  /// InvalidArgument: not of this form. Unsupported: this build has no OpenSSL.
  [[nodiscard]] static std::expected<PasswordHash, base::Error> parse(std::string_view text);

  /// Uses a salt of 128 random bits. Takes about iterations / 4,000 milliseconds. InvalidArgument:
  /// an empty password, or iterations out of range. Unsupported: this build has no OpenSSL, or one
  /// without PBKDF2.
  [[nodiscard]] static std::expected<PasswordHash, base::Error> make(
      std::string_view password, std::uint32_t iterations = iterations_default);

  /// Takes as long as make(), also for a wrong password. Does not allocate by itself.
  [[nodiscard]] bool matches(std::string_view password) const noexcept;

  /// The form that parse() accepts. Allocates.
  [[nodiscard]] std::string text() const;

  /// Rounds of HMAC-SHA-256 for one password.
  [[nodiscard]] std::uint32_t iterations() const noexcept { return iterations_; }

 private:
  PasswordHash() = default;

  std::uint32_t iterations_ = 0;
  std::uint32_t salt_size_ = 0;
  std::array<char, salt_bytes_max> salt_{};
  std::array<unsigned char, 32> key_{};
};

/// Compares two texts in a time that does not depend on where they differ, only on the size of
/// `given`.
[[nodiscard]] bool same_secret(std::string_view given, std::string_view wanted) noexcept;

}  // namespace affix::inline v0::tls
