// SPDX-License-Identifier: MIT
// The tokens that give a connection its role.
#pragma once

#include "affix/admin/command.hpp"
#include "affix/base/error.hpp"
#include "affix/engine/management_settings.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace affix::inline v0::admin {

inline constexpr std::size_t token_bytes_min = 16;
inline constexpr std::size_t token_bytes_max = 256;

class Tokens {
 public:
  /// Reads them where the settings say they are; a file's first line counts. Errors name the file
  /// or variable, never the token: missing, shorter than token_bytes_min, longer than
  /// token_bytes_max, both the same.
  [[nodiscard]] static std::expected<Tokens, base::Error> read(
      const engine::ManagementSettings& settings);

  /// The role that `token` gives; None: it is no token. Takes the same time for every token of one
  /// length, however much of it is right.
  [[nodiscard]] Role role_of(std::string_view token) const noexcept;

  [[nodiscard]] bool any() const noexcept { return !read_.empty() || !operate_.empty(); }

 private:
  std::string read_;
  std::string operate_;
};

}  // namespace affix::inline v0::admin
