// SPDX-License-Identifier: MIT
// Reads tokens and compares with them.
#include "affix/admin/tokens.hpp"

#include "affix/base/text.hpp"
#include "affix/tls/tls_settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>

namespace affix::inline v0::admin {

namespace {

constexpr std::size_t users_file_bytes_max = 64 * 1024;

/// At most `bytes_max` and one more, so that neither a device nor a large file is read to its end.
std::optional<std::string> read_some(const std::string& path, std::size_t bytes_max) {
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    return std::nullopt;
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

base::Error wrong_size(const std::string& where) {
  return {base::ErrorCode::InvalidArgument,
          "a token has " + std::to_string(token_bytes_min) + " to " +
              std::to_string(token_bytes_max) + " characters",
          where, "A108"};
}

/// The next word of a line; empty: there is none.
std::string_view take_field(std::string_view& line) noexcept {
  constexpr std::string_view blanks = " \t\r";
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(blanks)));
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

bool is_user_name(std::string_view name) noexcept {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@";
  return !name.empty() && name.size() <= user_name_bytes_max &&
         name.find_first_not_of(letters) == std::string_view::npos;
}

std::expected<std::string, base::Error> read_token(const std::string& text) {
  const auto secret = tls::TlsSecret::parse(text);
  if (!secret) {
    return std::unexpected(secret.error());
  }
  const auto fail = [&](base::ErrorCode code, std::string message) {
    return std::unexpected(base::Error{code, std::move(message), text, "A108"});
  };
  std::string token;
  switch (secret->source) {
    case tls::TlsSecret::Source::None:
      return token;
    case tls::TlsSecret::Source::Environment: {
      const char* const value = std::getenv(secret->name.c_str());
      if (value == nullptr) {
        return fail(base::ErrorCode::NotFound, "the variable is not set");
      }
      token = value;
      break;
    }
    case tls::TlsSecret::Source::File: {
      constexpr std::size_t line_end_bytes = 2;
      const auto first = read_some(secret->name, token_bytes_max + line_end_bytes);
      if (!first || first->empty()) {
        return fail(base::ErrorCode::NotFound, "the token cannot be read");
      }
      token = first->substr(0, first->find('\n'));
      break;
    }
  }
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) {
    token.pop_back();
  }
  if (token.size() < token_bytes_min || token.size() > token_bytes_max) {
    return std::unexpected(wrong_size(text));
  }
  return token;
}

/// The loop's time depends only on the given token, so it reveals nothing about the right one.
bool matches(std::string_view given, std::string_view token) noexcept {
  if (token.empty()) {
    return false;
  }
  unsigned difference = given.size() == token.size() ? 0 : 1;
  std::size_t at = 0;
  for (const char byte : given) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(byte)) ^
                  static_cast<unsigned>(static_cast<unsigned char>(token[at]));
    at = at + 1 == token.size() ? 0 : at + 1;
  }
  return difference == 0;
}

}  // namespace

std::expected<Tokens, base::Error> Tokens::read(const config::ManagementSettings& settings) {
  Tokens tokens;
  auto read = read_token(settings.management_read_token);
  if (!read) {
    return std::unexpected(read.error());
  }
  auto operate = read_token(settings.management_operate_token);
  if (!operate) {
    return std::unexpected(operate.error());
  }
  tokens.read_ = std::move(*read);
  tokens.operate_ = std::move(*operate);
  if (!settings.management_users_file.empty()) {
    auto users = read_users(settings.management_users_file);
    if (!users) {
      return std::unexpected(std::move(users.error()));
    }
    tokens.users_ = std::move(*users);
  }
  if (auto differ = tokens.check_differ(); !differ) {
    return std::unexpected(std::move(differ.error()));
  }
  return tokens;
}

std::expected<std::vector<Tokens::User>, base::Error> Tokens::read_users(const std::string& path) {
  const auto text = read_some(path, users_file_bytes_max);
  if (!text) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "the file of users cannot be read", path, "A108"});
  }
  if (text->size() > users_file_bytes_max) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "is larger than 64 KiB", path, "A108"});
  }
  std::vector<User> users;
  std::string_view rest = *text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    std::string_view line = base::take_part(rest, '\n');
    const std::string where = path + ":" + std::to_string(number);
    const std::string_view name = take_field(line);
    if (name.empty() || name.starts_with('#')) {
      continue;
    }
    const std::string_view role = take_field(line);
    const std::string_view token = take_field(line);
    if (!is_user_name(name) || (role != "READ" && role != "OPERATE") || !take_field(line).empty()) {
      // Quotes nothing of the line: any word of it may be the token.
      return std::unexpected(
          base::Error{base::ErrorCode::InvalidArgument,
                      "a user is NAME READ TOKEN or NAME OPERATE TOKEN, the name "
                      "of letters, digits and ._-@",
                      where, "A108"});
    }
    if (token.size() < token_bytes_min || token.size() > token_bytes_max) {
      return std::unexpected(wrong_size(where));
    }
    const bool known =
        std::ranges::any_of(users, [name](const User& user) { return user.name == name; });
    if (known || users.size() == users_max) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         known
                                             ? "user '" + std::string(name) + "' is there twice"
                                             : "more than " + std::to_string(users_max) + " users",
                                         where, "A108"});
    }
    users.push_back(
        {std::string(name), role == "READ" ? Role::Read : Role::Operate, std::string(token)});
  }
  return users;
}

std::expected<void, base::Error> Tokens::check_differ() const {
  if (!read_.empty() && read_ == operate_) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "management_read_token and management_operate_token are "
                                       "the same",
                                       {},
                                       "A108"});
  }
  std::vector<std::string_view> all;
  for (const User& user : users_) {
    const bool twice = user.token == read_ || user.token == operate_ ||
                       std::ranges::find(all, user.token) != all.end();
    if (twice) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "the token of user '" + user.name + "' is another's too",
                                         {},
                                         "A108"});
    }
    all.push_back(user.token);
  }
  return {};
}

TokenBearer Tokens::bearer_of(std::string_view token) const noexcept {
  // Compares with all, even after a match.
  TokenBearer bearer;
  if (matches(token, read_)) {
    bearer = {Role::Read, {}};
  }
  if (matches(token, operate_)) {
    bearer = {Role::Operate, {}};
  }
  for (const User& user : users_) {
    if (matches(token, user.token)) {
      bearer = {user.role, user.name};
    }
  }
  return bearer;
}

bool Tokens::any_operates() const noexcept {
  return !operate_.empty() ||
         std::ranges::any_of(users_, [](const User& user) { return user.role == Role::Operate; });
}

}  // namespace affix::inline v0::admin
