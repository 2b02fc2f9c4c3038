// SPDX-License-Identifier: MIT
// The tokens that give a connection its role.
#pragma once

#include "affix/admin/command.hpp"
#include "affix/base/error.hpp"
#include "affix/engine/management_settings.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

inline constexpr std::size_t token_bytes_min = 16;      ///< What is shorter is refused: guessable.
inline constexpr std::size_t token_bytes_max = 256;     ///< What is longer is refused.
inline constexpr std::size_t users_max = 256;           ///< Lines of management_users_file.
inline constexpr std::size_t user_name_bytes_max = 64;  ///< A name in that file.

/// Whose token it is. Views the tokens.
struct TokenBearer {
  Role role = Role::None;      ///< None: it is no token.
  std::string_view name = {};  ///< Empty: a token that names nobody.
};

/// Every token that management accepts, with its role and, for named users, its bearer. Owns them;
/// any thread may ask at once.
class Tokens {
 public:
  /// Reads them where the settings say they are; a file's first line counts. Errors name the file
  /// or variable, never the token: missing, shorter than token_bytes_min, longer than
  /// token_bytes_max, two the same; a line of management_users_file that is wrong. Of a token's
  /// file no more than its first line is read, of a file of users 64 KiB.
  [[nodiscard]] static std::expected<Tokens, base::Error> read(
      const engine::ManagementSettings& settings);

  /// Who shows `token`, and the role that it gives. Takes the same time for every token of one
  /// length, however much of it is right.
  [[nodiscard]] TokenBearer bearer_of(std::string_view token) const noexcept;

  /// The role alone.
  [[nodiscard]] Role role_of(std::string_view token) const noexcept {
    return bearer_of(token).role;
  }

  /// Some token is accepted. False: management answers nobody.
  [[nodiscard]] bool any() const noexcept {
    return !read_.empty() || !operate_.empty() || !users_.empty();
  }

  /// Whether any of them gives the role of those who change things.
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
