// SPDX-License-Identifier: MIT
// Tokens that authenticate connections and give them a role.
#pragma once

#include "affix/admin/command.hpp"
#include "affix/base/error.hpp"
#include "affix/config/management_settings.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

inline constexpr std::size_t token_bytes_min = 16;      ///< Shorter tokens are refused.
inline constexpr std::size_t token_bytes_max = 256;     ///< Longer tokens are refused.
inline constexpr std::size_t users_max = 256;           ///< Lines of management_users_file.
inline constexpr std::size_t user_name_bytes_max = 64;  ///< Size of a name in that file.

/// Bearer of a token. Views the tokens.
struct TokenBearer {
  Role role = Role::None;      ///< None: the token is unknown.
  std::string_view name = {};  ///< Empty: the token has no user name.
};

/// All valid tokens, with their roles and, for named users, their names. Owns them; any number of
/// threads may use it.
class Tokens {
 public:
  /// Reads tokens from the places in the settings; of a file, the first line. Errors name the file
  /// or variable, never the token: missing, shorter than token_bytes_min, longer than
  /// token_bytes_max, duplicate, or an invalid line in management_users_file. Reads only the first
  /// line of a token's file, and at most 64 KiB of a file of users.
  [[nodiscard]] static std::expected<Tokens, base::Error> read(
      const config::ManagementSettings& settings);

  /// Returns bearer and role of `token`. Takes the same time for all tokens of one length, valid or
  /// not.
  [[nodiscard]] TokenBearer bearer_of(std::string_view token) const noexcept;

  /// Returns the role only.
  [[nodiscard]] Role role_of(std::string_view token) const noexcept {
    return bearer_of(token).role;
  }

  /// True if any token exists. False: the port accepts no token.
  [[nodiscard]] bool any() const noexcept {
    return !read_.empty() || !operate_.empty() || !users_.empty();
  }

  /// True if any token has Role::Operate.
  [[nodiscard]] bool any_operates() const noexcept;

 private:
  struct User {
    std::string name;
    Role role = Role::None;
    std::string token;
  };

  [[nodiscard]] static std::expected<std::vector<User>, base::Error> read_users(
      const std::string& path);
  [[nodiscard]] std::expected<void, base::Error> check_differ() const;

  std::string read_;
  std::string operate_;
  std::vector<User> users_;
};

}  // namespace affix::inline v0::admin
