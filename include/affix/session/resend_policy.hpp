// SPDX-License-Identifier: MIT
// Which messages of ours go out again when the peer asks for them, by message type, so that no
// order is executed that was meant for another hour.
#pragma once

#include "affix/wire/msg_type.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <span>

namespace affix::inline v0::session {

enum class ResendAction : std::uint8_t {
  Replay,           ///< Again, with 43=Y.
  GapFill,          ///< Never again: a gap fill stands for it.
  ReplayIfYounger,  ///< Again if it was written less than `age_max_ns` ago, else a gap fill.
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

/// What `rules` say of a stored message of ours, or `otherwise` when they do not name its type;
/// `utc_ns` is now. A message whose SendingTime cannot be read, or lies further ahead than the age
/// allows, as after a clock that was set back, is not younger than anything. O(rules).
[[nodiscard]] bool may_resend(const wire::MessageView& stored, std::span<const ResendRule> rules,
                              ResendPolicy otherwise, std::int64_t utc_ns) noexcept;

}  // namespace affix::inline v0::session
