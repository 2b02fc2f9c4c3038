// SPDX-License-Identifier: MIT
// Decides by message type which sent messages are resent at the peer's request, so that outdated
// orders are not executed.
#pragma once

#include "affix/wire/msg_type.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <span>

namespace affix::inline v0::session {

enum class ResendAction : std::uint8_t {
  Replay,           ///< Resends, with 43=Y.
  GapFill,          ///< Never resends: sends a gap fill instead.
  ReplayIfYounger,  ///< Resends if the message is younger than `age_max_ns`, else sends a gap fill.
};

struct ResendPolicy {
  ResendAction action = ResendAction::Replay;
  std::int64_t age_max_ns = 0;

  friend bool operator==(const ResendPolicy&, const ResendPolicy&) = default;
};

struct ResendRule {
  wire::MsgType type;
  ResendPolicy policy;
};

/// Applies `rules`, or `otherwise` for other types, to a stored message of ours at `utc_ns`. A
/// SendingTime that is unreadable, or further in the future than the age allows (the clock was set
/// back), counts as too old. O(rules).
[[nodiscard]] bool may_resend(const wire::MessageView& stored, std::span<const ResendRule> rules,
                              ResendPolicy otherwise, std::int64_t utc_ns) noexcept;

}  // namespace affix::inline v0::session
