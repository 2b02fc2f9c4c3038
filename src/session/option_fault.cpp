// SPDX-License-Identifier: MIT
// Checks options, and the constant header that they make.

#include "affix/session/options.hpp"
#include "affix/wire/index.hpp"

#include "session/constant_header.hpp"

#include <algorithm>

namespace affix::inline v0::session {

namespace {

bool holds_soh(std::string_view value) noexcept {
  return value.find(wire::soh) != std::string_view::npos;
}

/// Finds options that would lose messages queued for later sending.
OptionFault queue_fault(const SessionOptions& options) noexcept {
  if (options.send_while_down != SendWhileDown::Queue) {
    return OptionFault::None;
  }
  if (options.reset_on_logon || options.reset_on_logout || options.reset_on_disconnect) {
    return OptionFault::QueueLostByReset;
  }
  if (options.resend_answer == ResendAnswer::GapFill) {
    return OptionFault::QueueGapFilled;
  }
  return options.queued_max == 0 ? OptionFault::QueueHasNoRoom : OptionFault::None;
}

bool has_age(const ResendPolicy& policy) noexcept {
  return policy.action != ResendAction::ReplayIfYounger || policy.age_max_ns > 0;
}

}  // namespace

const char* to_text(OptionFault fault) noexcept {
  switch (fault) {
    case OptionFault::None:
      return "none";
    case OptionFault::NoCompId:
      return "SenderCompID and TargetCompID are required";
    case OptionFault::StaticFieldsMalformed:
      return "static header fields are not of the form tag=value SOH";
    case OptionFault::HeaderInvalid:
      return "BeginString, identity or static header fields are empty, too long or hold SOH";
    case OptionFault::HeartbeatInterval:
      return "the heartbeat interval is a whole number of seconds, 0 or more";
    case OptionFault::HeartbeatLimits:
      return "the limits on the heartbeat interval contradict each other";
    case OptionFault::CredentialsTooLong:
      return "username, password and new password are too long";
    case OptionFault::CredentialsHoldSoh:
      return "username, password or new password holds SOH";
    case OptionFault::NoApplVerId:
      return "FIXT.1.1 needs DefaultApplVerID";
    case OptionFault::TimeOut:
      return "time-outs are above 0";
    case OptionFault::ResendAge:
      return "an age up to which messages are resent is above 0";
    case OptionFault::Throttle:
      return "a throttle's limit is at most a million messages, and its window above 0";
    case OptionFault::ThrottleText:
      return "the text for too many messages is too long or holds SOH";
    case OptionFault::QueueLostByReset:
      return "messages queued while disconnected would be lost by a reset at every logon, logout "
             "or "
             "disconnection";
    case OptionFault::QueueGapFilled:
      return "messages queued while disconnected would be gap-filled instead of sent";
    case OptionFault::QueueHasNoRoom:
      return "the queue of messages while disconnected has no room";
  }
  return "unknown";
}

OptionFault option_fault(const SessionOptions& options) noexcept {
  constexpr std::size_t logon_text_max = 1024;
  if (options.sender_comp_id.empty() || options.target_comp_id.empty()) {
    return OptionFault::NoCompId;
  }
  if (const OptionFault fault = constant_header_fault(options); fault != OptionFault::None) {
    return fault;
  }
  if (options.heartbeat_interval_ns < 0 ||
      options.heartbeat_interval_ns % base::ns_per_second != 0) {
    return OptionFault::HeartbeatInterval;
  }
  if (options.heartbeat_interval_min_ns < 0 ||
      options.heartbeat_interval_max_ns < options.heartbeat_interval_min_ns) {
    return OptionFault::HeartbeatLimits;
  }
  if (options.username.size() + options.password.size() + options.new_password.size() >
      logon_text_max) {
    return OptionFault::CredentialsTooLong;
  }
  if (holds_soh(options.username) || holds_soh(options.password) ||
      holds_soh(options.new_password)) {
    return OptionFault::CredentialsHoldSoh;
  }
  if (version_of(options.begin_string) == Version::Fixt11 && options.default_appl_ver_id.empty()) {
    return OptionFault::NoApplVerId;
  }
  if (options.logon_timeout_ns <= 0 || options.logout_timeout_ns <= 0 ||
      options.fault_logout_timeout_ns <= 0 || options.logout_answered_timeout_ns <= 0 ||
      options.resend_expiry_ns <= 0 || options.message_age_max_ns < 0) {
    return OptionFault::TimeOut;
  }
  if (!has_age(options.resend_policy) ||
      !std::all_of(options.resend_rules.begin(), options.resend_rules.end(),
                   [](const ResendRule& rule) { return has_age(rule.policy); })) {
    return OptionFault::ResendAge;
  }
  if (options.throttle_limit > throttle_limit_max || options.throttle_window_ns <= 0) {
    return OptionFault::Throttle;
  }
  if (options.throttle_text.size() > logon_text_max || holds_soh(options.throttle_text)) {
    return OptionFault::ThrottleText;
  }
  return queue_fault(options);
}

}  // namespace affix::inline v0::session
