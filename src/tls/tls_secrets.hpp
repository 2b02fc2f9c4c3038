// SPDX-License-Identifier: MIT
// Secrets in memory: read from the place in the settings, overwritten after use, never part of a
// message.
#pragma once

#include "affix/base/error.hpp"
#include "affix/tls/tls_settings.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tls {

/// Text that its destructor overwrites. Moved only.
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

/// Reads the secret, without line ends after it. Empty for Source::None. NotFound: no such file or
/// variable.
[[nodiscard]] std::expected<SecretText, base::Error> read_secret(const TlsSecret& secret);

/// Pre-shared keys by identity.
class PresharedKeys {
 public:
  /// Reads lines "identity:key", the key in hexadecimal digits. Skips empty lines and those that
  /// begin with #. Errors name the line, and quote nothing of it but the identity.
  [[nodiscard]] static std::expected<PresharedKeys, base::Error> parse(std::string_view text,
                                                                       const std::string& where);

  struct Entry {
    std::string identity;
    SecretText key;  ///< As bytes.
  };

  /// Null: unknown. The duration depends on the number of identities, not on which are
  /// known.
  [[nodiscard]] const Entry* find(std::string_view identity) const noexcept;

  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace affix::inline v0::tls
