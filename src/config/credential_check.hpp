// SPDX-License-Identifier: MIT
// Checks the credentials of a peer's Logon against those of the session's configuration. Reads no
// clock: callers pass the time.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/configuration.hpp"
#include "affix/tls/password_hash.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::config {

/// One session's, for all its connections. Its worker's thread.
class CredentialCheck {
 public:
  /// Pause after a wrong password, in which only the password that was right before is accepted and
  /// no other is hashed: hashing takes the worker's time, and guesses must not use it up.
  static constexpr std::int64_t pause_ns = 1'000'000'000;

  /// Returns the fault in the credentials (553, 554) of `logon` as static text for the peer,
  /// without saying which of them is wrong; empty when they are right or `settings` has none. A
  /// comparison with `logon_password_hash` takes the time of its iterations, except for a password
  /// that was right before. Allocates only then.
  [[nodiscard]] std::string_view fault_of(const SessionSettings& settings,
                                          const wire::MessageView& logon,
                                          std::int64_t steady_ns) noexcept;

 private:
  enum class Answer : std::uint8_t { Right, Wrong, TooSoon };

  [[nodiscard]] Answer compare(const std::string& hash, std::string_view password,
                               std::int64_t steady_ns) noexcept;

  /// Cheap hash (few iterations, own salt, in memory only) of the last right password, and the
  /// configured text that it was right for.
  struct Known {
    tls::PasswordHash hash;
    std::string configured;
  };

  std::unique_ptr<const Known> known_;
  std::int64_t not_before_ns_ = 0;
};

/// Finds a fault in the credentials of `settings`, which it never quotes.
[[nodiscard]] std::expected<void, base::Error> check_credentials(const SessionSettings& settings,
                                                                 bool initiator);

}  // namespace affix::inline v0::config
