// SPDX-License-Identifier: MIT
// Applies the resend policy to one stored message.

#include "affix/session/resend_policy.hpp"

#include "affix/wire/convert.hpp"

#include "session/tags.hpp"

#include <algorithm>

namespace affix::inline v0::session {

namespace {

bool is_younger(const wire::MessageView& stored, std::int64_t age_max_ns,
                std::int64_t utc_ns) noexcept {
  const auto written = wire::parse_utc_time(stored.find(tag::sending_time).value_or(""));
  std::int64_t age = 0;
  return written && !__builtin_sub_overflow(utc_ns, written->ns, &age) && age < age_max_ns &&
         age > -age_max_ns;
}

}  // namespace

bool may_resend(const wire::MessageView& stored, std::span<const ResendRule> rules,
                ResendPolicy otherwise, std::int64_t utc_ns) noexcept {
  const wire::MsgType type = stored.type();
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const ResendRule& one) { return one.type == type; });
  const ResendPolicy policy = rule == rules.end() ? otherwise : rule->policy;
  switch (policy.action) {
    case ResendAction::Replay:
      return true;
    case ResendAction::GapFill:
      break;
    case ResendAction::ReplayIfYounger:
      return is_younger(stored, policy.age_max_ns, utc_ns);
  }
  return false;
}

}  // namespace affix::inline v0::session
