// SPDX-License-Identifier: MIT
// Whether a peer's Logon has the credentials that its session is configured with. Knows no clock:
// it is told the time.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/net/password_hash.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace affix::inline v0::engine {

/// One session's, over all its connections. Its worker's thread.
class CredentialCheck {
 public:
  /// After a wrong password no other is compared with a hash for so long, except the one that was
  /// right before: comparing takes the worker's time, and nobody is to take it all by guessing.
  static constexpr std::int64_t pause_ns = 1'000'000'000;

  /// What is wrong with the credentials (553, 554) of `logon`, as static text for the peer, which
  /// does not say which of them is wrong; empty when nothing is, or `settings` has none to compare
  /// with. Comparing with `logon_password_hash` takes as long as its iterations take, but not for a
  /// password that was right before. No allocation otherwise.
  [[nodiscard]] std::string_view fault_of(const SessionSettings& settings,
                                          const wire::MessageView& logon,
                                          std::int64_t steady_ns) noexcept;

 private:
  enum class Answer : std::uint8_t { Right, Wrong, TooSoon };

  [[nodiscard]] Answer compare(const std::string& hash, std::string_view password,
                               std::int64_t steady_ns) noexcept;

  /// Of the password that was right last, with few iterations, a salt of its own and in memory
  /// only; and the configured text that it was right for.
  struct Known {
    net::PasswordHash hash;
    std::string configured;
  };

  std::unique_ptr<const Known> known_;
  std::int64_t not_before_ns_ = 0;
};

/// What is wrong with the credentials that `settings` have; empty: nothing. Never a part of them.
[[nodiscard]] std::string credentials_fault(const SessionSettings& settings, bool initiator);

}  // namespace affix::inline v0::engine
