// SPDX-License-Identifier: MIT
// Decides which stored messages a session's settings allow to be resent, for programs that need the
// answer without a ResendRequest.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <memory>

namespace affix::inline v0::config {

/// Any thread, one at a time. Owns a copy of the settings that it needs.
class ResendJudge {
 public:
  explicit ResendJudge(const SessionSettings& settings);
  ResendJudge(ResendJudge&& other) noexcept;
  ResendJudge& operator=(ResendJudge&& other) noexcept;
  ~ResendJudge();

  /// Applies `replay_messages_on_incoming_resend_request` and `resend_policy` at `utc_ns`. False
  /// for every session message. Does not call Application::before_resend().
  [[nodiscard]] bool allows(const wire::MessageView& stored, std::int64_t utc_ns) const;

 private:
  struct Rules;

  std::unique_ptr<const Rules> rules_;
};

}  // namespace affix::inline v0::config
