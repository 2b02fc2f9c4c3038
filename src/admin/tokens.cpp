// SPDX-License-Identifier: MIT
// Reading tokens and comparing with them.
#include "affix/admin/tokens.hpp"

#include "affix/net/tls_settings.hpp"

#include <cstdlib>
#include <fstream>

namespace affix::inline v0::admin {

namespace {

std::expected<std::string, base::Error> read_token(const std::string& text) {
  const auto secret = net::TlsSecret::parse(text);
  if (!secret) {
    return std::unexpected(secret.error());
  }
  const auto fail = [&](base::ErrorCode code, std::string message) {
    return std::unexpected(base::Error{code, std::move(message), text});
  };
  std::string token;
  switch (secret->source) {
    case net::TlsSecret::Source::None:
      return token;
    case net::TlsSecret::Source::Environment: {
      const char* const value = std::getenv(secret->name.c_str());
      if (value == nullptr) {
        return fail(base::ErrorCode::NotFound, "the variable is not set");
      }
      token = value;
      break;
    }
    case net::TlsSecret::Source::File: {
      std::ifstream file(secret->name);
      if (!file || !std::getline(file, token)) {
        return fail(base::ErrorCode::NotFound, "the token cannot be read");
      }
      break;
    }
  }
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) {
    token.pop_back();
  }
  if (token.size() < token_bytes_min || token.size() > token_bytes_max) {
    return fail(base::ErrorCode::InvalidArgument, "a token has " + std::to_string(token_bytes_min) +
                                                      " to " + std::to_string(token_bytes_max) +
                                                      " characters");
  }
  return token;
}

/// The loop depends on what was given alone, so its time says nothing of what would be right.
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

std::expected<Tokens, base::Error> Tokens::read(const engine::ManagementSettings& settings) {
  Tokens tokens;
  auto read = read_token(settings.management_read_token);
  if (!read) {
    return std::unexpected(read.error());
  }
  auto operate = read_token(settings.management_operate_token);
  if (!operate) {
    return std::unexpected(operate.error());
  }
  if (!read->empty() && *read == *operate) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "management_read_token and management_operate_token are "
                                       "the same",
                                       {}});
  }
  tokens.read_ = std::move(*read);
  tokens.operate_ = std::move(*operate);
  return tokens;
}

Role Tokens::role_of(std::string_view token) const noexcept {
  // Both are looked at, whatever the first says.
  const bool operates = matches(token, operate_);
  const bool reads = matches(token, read_);
  return operates ? Role::Operate : reads ? Role::Read : Role::None;
}

}  // namespace affix::inline v0::admin
