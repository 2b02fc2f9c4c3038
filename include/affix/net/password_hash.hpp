// SPDX-License-Identifier: MIT
// A password as a file may keep it: PBKDF2 with HMAC-SHA-256, in the text that Django and others
// write. Making and checking one needs OpenSSL, as TLS does.
#pragma once

#include "affix/base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::net {

/// `pbkdf2_sha256$<iterations>$<salt>$<key>`: the salt is text without `$`, the key 32 bytes in
/// base64. A value; holds no password.
class PasswordHash {
 public:
  static constexpr std::uint32_t iterations_min =
      1'000;  ///< Fewer are refused: too cheap to guess.
  static constexpr std::uint32_t iterations_max = 10'000'000;  ///< About 2.5 s of one core.

  /// About 5 ms of one core: whoever checks one on a thread that trades waits so long.
  static constexpr std::uint32_t iterations_default = 20'000;

  static constexpr std::size_t salt_bytes_max = 64;  ///< A longer salt is refused by parse().

  /// InvalidArgument: it is no such text. Unsupported: this build has no OpenSSL.
  [[nodiscard]] static std::expected<PasswordHash, base::Error> parse(std::string_view text);

  /// With a salt of 128 random bits. Takes iterations / 4,000 milliseconds or so. InvalidArgument:
  /// an empty password, or iterations out of range. Unsupported: this build has no OpenSSL, or one
  /// without this.
  [[nodiscard]] static std::expected<PasswordHash, base::Error> make(
      std::string_view password, std::uint32_t iterations = iterations_default);

  /// Takes as long as make(), and not less for a password that is wrong. No allocation of ours.
  [[nodiscard]] bool matches(std::string_view password) const noexcept;

  /// The form that parse() takes. Allocates.
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

/// Whether two texts are the same, in a time that tells nothing about where they differ; it depends
/// on the size of `given` alone.
[[nodiscard]] bool same_secret(std::string_view given, std::string_view wanted) noexcept;

}  // namespace affix::inline v0::net
