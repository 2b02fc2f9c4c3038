// SPDX-License-Identifier: MIT
// The list.
#include "engine/in_place_keys.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::engine {

namespace {

/// Each is read where it is used, by the session or its worker, and nothing is made of it before.
constexpr std::array<std::string_view, 22> names{
    "allowed_peer_addresses",
    "heartbeat_interval_seconds_min",
    "heartbeat_interval_seconds_max",
    "receive_grace_percent",
    "logout_timeout_seconds",
    "fault_logout_timeout_seconds",
    "logout_answered_timeout_seconds",
    "output_timeout_seconds",
    "logon_username",
    "logon_password",
    "logon_password_hash",
    "logon_message_new_password",
    "send_queue_max",
    "second_logon",
    "second_logon_probe_milliseconds",
    "max_allowed_message_age_seconds",
    "replay_messages_on_incoming_resend_request",
    "max_resend_range",
    "include_t97_during_resends",
    "resend_attempts_max",
    "resend_repeats_max",
    "outgoing_resend_request_expire_in_secs",
};

}  // namespace

std::span<const std::string_view> in_place_keys() noexcept {
  return names;
}

bool applies_in_place(std::string_view key) noexcept {
  return std::find(names.begin(), names.end(), key) != names.end();
}

}  // namespace affix::inline v0::engine
