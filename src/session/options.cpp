// SPDX-License-Identifier: MIT
// Checks options, and makes the constant header from them.

#include "affix/session/options.hpp"

#include "affix/base/fixed_vector.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/encoder.hpp"

#include "session/constant_header.hpp"
#include "session/tags.hpp"

#include <algorithm>

namespace affix::inline v0::session {

namespace {

/// The maximum for the template's memory.
using ConstantFields =
    base::FixedVector<ExtraHeaderField, wire::HeaderTemplate::fields_size_max / sizeof("1=x")>;

/// Adds an encoded run of fields. False if it is malformed, or has too many.
bool add_fields(ConstantFields& fields, std::string_view run) noexcept {
  while (!run.empty()) {
    const std::size_t end = run.find(wire::soh);
    const std::size_t equals = run.find('=');
    if (end == std::string_view::npos || equals >= end) {
      return false;
    }
    const auto number = wire::parse_integer<std::uint32_t>(run.substr(0, equals));
    if (!number || *number == 0 || *number > wire::tag_max ||
        !fields.push_back({*number, run.substr(equals + 1, end - equals - 1)})) {
      return false;
    }
    run.remove_prefix(end + 1);
  }
  return true;
}

void add_part(ConstantFields& fields, std::uint32_t number, std::string_view value) noexcept {
  if (!value.empty()) {
    static_cast<void>(fields.push_back({number, value}));
  }
}

bool holds_soh(std::string_view value) noexcept {
  return value.find(wire::soh) != std::string_view::npos;
}

/// Finds options that would lose messages queued for later sending.
const char* queue_fault(const SessionOptions& options) noexcept {
  if (options.send_while_down != SendWhileDown::Queue) {
    return nullptr;
  }
  if (options.reset_on_logon || options.reset_on_logout || options.reset_on_disconnect) {
    return "messages queued while disconnected would be lost by a reset at every logon, logout or "
           "disconnection";
  }
  if (options.resend_answer == ResendAnswer::GapFill) {
    return "messages queued while disconnected would be gap-filled instead of sent";
  }
  return options.queued_max == 0 ? "the queue of messages while disconnected has no room" : nullptr;
}

bool has_age(const ResendPolicy& policy) noexcept {
  return policy.action != ResendAction::ReplayIfYounger || policy.age_max_ns > 0;
}

}  // namespace

Version version_of(std::string_view begin_string) noexcept {
  if (begin_string == "FIX.4.0") {
    return Version::Fix40;
  }
  if (begin_string == "FIX.4.1") {
    return Version::Fix41;
  }
  if (begin_string == "FIX.4.2") {
    return Version::Fix42;
  }
  if (begin_string == "FIX.4.3") {
    return Version::Fix43;
  }
  return begin_string == "FIX.4.4" ? Version::Fix44 : Version::Fixt11;
}

wire::HeaderTemplate make_constant_header(const SessionOptions& options) noexcept {
  wire::HeaderTemplate header(options.begin_string);
  ConstantFields fields;
  // The template reports an empty CompID as a fault.
  static_cast<void>(fields.push_back({tag::sender_comp_id, options.sender_comp_id}));
  static_cast<void>(fields.push_back({tag::target_comp_id, options.target_comp_id}));
  add_part(fields, tag::sender_sub_id, options.sender_sub_id);
  add_part(fields, tag::target_sub_id, options.target_sub_id);
  // FIX.4.1 introduced SenderLocationID and TargetLocationID.
  add_part(fields, tag::sender_location_id, options.sender_location_id);
  add_part(fields, tag::target_location_id, options.target_location_id);
  static_cast<void>(add_fields(fields, options.static_header_fields));
  if (options.practice.field_order == FieldOrder::Ascending) {
    std::ranges::sort(fields, {}, &ExtraHeaderField::tag);
  }
  for (const ExtraHeaderField& field : fields) {
    header.text(wire::Tag::of(field.tag), field.value);
  }
  return header;
}

const char* option_fault(const SessionOptions& options) noexcept {
  constexpr std::size_t logon_text_max = 1024;
  if (options.sender_comp_id.empty() || options.target_comp_id.empty()) {
    return "SenderCompID and TargetCompID are required";
  }
  ConstantFields fields;
  if (!add_fields(fields, options.static_header_fields)) {
    return "static header fields are not of the form tag=value SOH";
  }
  if (make_constant_header(options).error() != wire::EncodeError::None) {
    return "BeginString, identity or static header fields are empty, too long or hold SOH";
  }
  if (options.heartbeat_interval_ns < 0 ||
      options.heartbeat_interval_ns % base::ns_per_second != 0) {
    return "the heartbeat interval is a whole number of seconds, 0 or more";
  }
  if (options.heartbeat_interval_min_ns < 0 ||
      options.heartbeat_interval_max_ns < options.heartbeat_interval_min_ns) {
    return "the limits on the heartbeat interval contradict each other";
  }
  if (options.username.size() + options.password.size() + options.new_password.size() >
      logon_text_max) {
    return "username, password and new password are too long";
  }
  if (holds_soh(options.username) || holds_soh(options.password) ||
      holds_soh(options.new_password)) {
    return "username, password or new password holds SOH";
  }
  if (version_of(options.begin_string) == Version::Fixt11 && options.default_appl_ver_id.empty()) {
    return "FIXT.1.1 needs DefaultApplVerID";
  }
  if (options.logon_timeout_ns <= 0 || options.logout_timeout_ns <= 0 ||
      options.fault_logout_timeout_ns <= 0 || options.logout_answered_timeout_ns <= 0 ||
      options.resend_expiry_ns <= 0 || options.message_age_max_ns < 0) {
    return "time-outs are above 0";
  }
  if (!has_age(options.resend_policy) ||
      !std::all_of(options.resend_rules.begin(), options.resend_rules.end(),
                   [](const ResendRule& rule) { return has_age(rule.policy); })) {
    return "an age up to which messages are resent is above 0";
  }
  if (options.throttle_limit > throttle_limit_max || options.throttle_window_ns <= 0) {
    return "a throttle's limit is at most a million messages, and its window above 0";
  }
  if (options.throttle_text.size() > logon_text_max || holds_soh(options.throttle_text)) {
    return "the text for too many messages is too long or holds SOH";
  }
  return queue_fault(options);
}

}  // namespace affix::inline v0::session
