// SPDX-License-Identifier: MIT
// Secrets while they are in memory: read from where the settings say, overwritten when they are no
// longer needed, never part of a message.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/tls_settings.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::net {

/// Text that is overwritten when it goes. Moved only.
class SecretText {
 public:
  SecretText() = default;

  explicit SecretText(std::string text) noexcept : text_(std::move(text)) {}

  SecretText(SecretText&& other) noexcept;
  SecretText& operator=(SecretText&& other) noexcept;
  SecretText(const SecretText&) = delete;
  SecretText& operator=(const SecretText&) = delete;
  ~SecretText();

  [[nodiscard]] std::string_view view() const noexcept { return text_; }

 private:
  void overwrite() noexcept;

  std::string text_;
};

/// All of a file. NotFound, Denied or Io; Limit beyond `bytes_max`.
[[nodiscard]] std::expected<std::string, base::Error> read_whole_file(const std::string& path,
                                                                      std::size_t bytes_max);

/// What the secret is, without line ends behind it. Empty for Source::None. NotFound: no such file
/// or variable.
[[nodiscard]] std::expected<SecretText, base::Error> read_secret(const TlsSecret& secret);

/// Pre-shared keys by identity.
class PresharedKeys {
 public:
  /// Reads lines "identity:key", the key in hexadecimal digits. Empty lines and those that begin
  /// with # are skipped. Errors name the line and nothing that stands in it but the identity.
  [[nodiscard]] static std::expected<PresharedKeys, base::Error> parse(std::string_view text,
                                                                       const std::string& where);

  struct Entry {
    std::string identity;
    SecretText key;  ///< As bytes.
  };

  /// Null: unknown. The time it takes does not depend on which identities are known but for their
  /// number.
  [[nodiscard]] const Entry* find(std::string_view identity) const noexcept;

  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace affix::inline v0::net
