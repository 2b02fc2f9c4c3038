// SPDX-License-Identifier: MIT
// The configuration's answer to a peer's Logon, kept until the application has answered.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/host/application.hpp"
#include "affix/wire/view.hpp"

#include "config/credential_check.hpp"

#include <cstdint>
#include <string_view>

namespace affix::inline v0::host {

/// One session's, for all its connections. Its worker's thread.
class LogonCheck {
 public:
  /// A peer logs on: checks its credentials against those of `settings`. Costs and allocates as
  /// CredentialCheck::fault_of() does.
  void on_request(const config::SessionSettings& settings, const wire::MessageView& logon,
                  std::int64_t steady_ns) noexcept {
    fault_ = credentials_.fault_of(settings, logon, steady_ns);
  }

  /// A peer has answered our Logon, which needs no credentials.
  void on_answer() noexcept { fault_ = {}; }

  /// Accepts the Logon, or refuses it with a static text.
  [[nodiscard]] LogonAnswer configured() const noexcept {
    return fault_.empty() ? LogonAnswer::accept() : LogonAnswer::refuse(fault_);
  }

  /// The application's answer, or the configured one if the application leaves it to that.
  [[nodiscard]] LogonAnswer decide(const LogonAnswer& application) const noexcept {
    return application.decision == LogonAnswer::Decision::AsConfigured ? configured() : application;
  }

 private:
  config::CredentialCheck credentials_;
  std::string_view fault_;  // Of the credentials, static text; empty: there is none.
};

}  // namespace affix::inline v0::host
