// SPDX-License-Identifier: MIT
// Applies the settings' rules by the session layer's function.
#include "affix/config/resend_judge.hpp"

#include "affix/session/admin.hpp"
#include "affix/session/resend_policy.hpp"

#include "config/resend_rules.hpp"

namespace affix::inline v0::config {

struct ResendJudge::Rules {
  SessionSettings settings;  // The rules may have views of it.
  ResendRules rules;
};

ResendJudge::ResendJudge(const SessionSettings& settings) {
  auto rules = std::make_unique<Rules>();
  rules->settings = settings;
  // Settings of a running engine have been checked.
  rules->rules = resend_rules_of(rules->settings).value_or(ResendRules());
  rules_ = std::move(rules);
}

ResendJudge::ResendJudge(ResendJudge&& other) noexcept = default;
ResendJudge& ResendJudge::operator=(ResendJudge&& other) noexcept = default;
ResendJudge::~ResendJudge() = default;

bool ResendJudge::allows(const wire::MessageView& stored, std::int64_t utc_ns) const {
  return rules_->settings.replay_messages_on_incoming_resend_request &&
         !session::is_admin(stored.type()) &&
         session::may_resend(stored, rules_->rules.rules, rules_->rules.otherwise, utc_ns);
}

}  // namespace affix::inline v0::config
