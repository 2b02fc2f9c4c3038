// SPDX-License-Identifier: MIT
// Compares the credentials of a Logon with the session's configuration.
#include "config/credential_check.hpp"

namespace affix::inline v0::config {

namespace {

constexpr std::uint32_t username_tag = 553;
constexpr std::uint32_t password_tag = 554;
constexpr std::uint32_t new_password_tag = 925;

}  // namespace

std::string_view CredentialCheck::fault_of(const SessionSettings& settings,
                                           const wire::MessageView& logon,
                                           std::int64_t steady_ns) noexcept {
  const bool has_password =
      !settings.logon_password.empty() || !settings.logon_password_hash.empty();
  if (settings.logon_username.empty() && !has_password) {
    return {};
  }
  // Compares all before it judges any, so that response time does not show whether a user name
  // exists.
  const std::string_view password = logon.value_or_null(password_tag);
  const bool named = settings.logon_username.empty() ||
                     tls::same_secret(logon.value_or_null(username_tag), settings.logon_username);
  bool right =
      settings.logon_password.empty() || tls::same_secret(password, settings.logon_password);
  if (!settings.logon_password_hash.empty()) {
    const Answer answer = compare(settings.logon_password_hash, password, steady_ns);
    if (answer == Answer::TooSoon) {
      return "Too many attempts with a wrong Password (554), try again later";
    }
    right = right && answer == Answer::Right;
  }
  if (!named || !right) {
    return "Username (553) or Password (554) is wrong";
  }
  if (logon.has(new_password_tag)) {
    return "NewPassword (925) cannot be taken over here";
  }
  return {};
}

CredentialCheck::Answer CredentialCheck::compare(const std::string& hash, std::string_view password,
                                                 std::int64_t steady_ns) noexcept {
  if (known_ != nullptr && known_->configured == hash && known_->hash.matches(password)) {
    return Answer::Right;
  }
  if (steady_ns < not_before_ns_) {
    return Answer::TooSoon;
  }
  const auto wanted = tls::PasswordHash::parse(hash);
  if (password.empty() || !wanted || !wanted->matches(password)) {
    not_before_ns_ = steady_ns + pause_ns;
    return Answer::Wrong;
  }
  if (const auto made = tls::PasswordHash::make(password, tls::PasswordHash::iterations_min)) {
    known_ = std::make_unique<const Known>(*made, hash);
  }
  return Answer::Right;
}

std::expected<void, base::Error> check_credentials(const SessionSettings& settings,
                                                   bool initiator) {
  if (settings.logon_password_hash.empty()) {
    return {};
  }
  if (initiator) {
    return base::invalid_argument(
        "key 'logon_password_hash': a client sends its password, which a hash cannot give", "E212");
  }
  if (!settings.logon_password.empty()) {
    return base::invalid_argument(
        "keys 'logon_password' and 'logon_password_hash': there is one password", "E212");
  }
  const auto hash = tls::PasswordHash::parse(settings.logon_password_hash);
  if (!hash) {
    return base::invalid_argument("key 'logon_password_hash': " + hash.error().message, "E211");
  }
  return {};
}

}  // namespace affix::inline v0::config
