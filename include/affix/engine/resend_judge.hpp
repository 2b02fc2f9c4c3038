// SPDX-License-Identifier: MIT
// Which stored messages a session's settings let go out again, for whoever wants to know without
// asking for them.
#pragma once

#include "affix/engine/configuration.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <memory>

namespace affix::inline v0::engine {

/// Any thread, one at a time. Owns a copy of what it goes by.
class ResendJudge {
 public:
  explicit ResendJudge(const SessionSettings& settings);
  ResendJudge(ResendJudge&& other) noexcept;
  ResendJudge& operator=(ResendJudge&& other) noexcept;
  ~ResendJudge();

  /// As `replay_messages_on_incoming_resend_request` and `resend_policy` say at `utc_ns`. A session
  /// message never goes out again. What Application::before_resend() would say is not known here.
  [[nodiscard]] bool allows(const wire::MessageView& stored, std::int64_t utc_ns) const;

 private:
  struct Rules;

  std::unique_ptr<const Rules> rules_;
};

}  // namespace affix::inline v0::engine
