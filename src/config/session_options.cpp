// SPDX-License-Identifier: MIT
// Translates settings; units change here and nowhere else.
#include "config/session_options.hpp"

#include "affix/session/out.hpp"

#include "config/clock_text.hpp"
#include "config/identity.hpp"
#include "config/list_text.hpp"
#include "config/practice_keys.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>
#include <utility>

namespace affix::inline v0::config {

namespace {

/// Space of a message of typical size in a ring.
constexpr std::uint64_t cached_message_bytes = 256;

std::int64_t ns_of_seconds(std::int64_t seconds) noexcept {
  return seconds * base::ns_per_second;
}

void set_identity(const SessionSettings& settings, session::SessionOptions& options) noexcept {
  options.begin_string = settings.begin_string;
  options.sender_comp_id = settings.sender_comp_id;
  options.target_comp_id = settings.target_comp_id;
  options.sender_sub_id = settings.sender_sub_id;
  options.sender_location_id = settings.sender_location_id;
  options.target_sub_id = settings.target_sub_id;
  options.target_location_id = settings.target_location_id;
  options.on_behalf_of_comp_id = settings.on_behalf_of_comp_id;
  options.deliver_to_comp_id = settings.deliver_to_comp_id;
}

void set_logon(const SessionSettings& settings, session::SessionOptions& options) noexcept {
  options.default_appl_ver_id = settings.default_app_ver_id;
  options.username = settings.logon_username;
  options.password = settings.logon_password;
  options.new_password = settings.logon_message_new_password;
  options.include_next_expected = settings.logon_include_next_expected_seq_no;
  options.max_message_size = static_cast<std::uint32_t>(settings.logon_max_message_size);
  options.test_messages = settings.test_message_indicator;
  options.reset_on_logon = settings.logon_reset_sequence_numbers;
  options.reset_on_logout = settings.reset_on_logout;
  options.reset_on_disconnect = settings.reset_on_disconnect;
  options.mid_session_reset = settings.mid_session_reset;
  options.reset_start = settings.reset_start;
  options.refusal_number = settings.refused_logon_number;
}

void set_timers(const SessionSettings& settings, session::SessionOptions& options) noexcept {
  options.heartbeat_interval_ns = ns_of_seconds(settings.heartbeat_interval_seconds);
  options.heartbeat_interval_min_ns = ns_of_seconds(settings.heartbeat_interval_seconds_min);
  options.heartbeat_interval_max_ns = ns_of_seconds(settings.heartbeat_interval_seconds_max);
  options.receive_grace_percent = static_cast<std::uint32_t>(settings.receive_grace_percent);
  options.test_answer = settings.test_answer;
  options.logon_timeout_ns = ns_of_seconds(settings.logon_timeout_seconds);
  options.logout_timeout_ns = ns_of_seconds(settings.logout_timeout_seconds);
  options.fault_logout_timeout_ns = ns_of_seconds(settings.fault_logout_timeout_seconds);
  options.logout_answered_timeout_ns = ns_of_seconds(settings.logout_answered_timeout_seconds);
  options.fault_logout = settings.fault_logout;
  options.message_age_max_ns =
      settings.validations_enabled ? ns_of_seconds(settings.max_allowed_message_age_seconds) : 0;
}

void set_resends(const SessionSettings& settings, session::SessionOptions& options) noexcept {
  options.resend_answer = settings.replay_messages_on_incoming_resend_request
                              ? session::ResendAnswer::Replay
                              : session::ResendAnswer::GapFill;
  options.resend_end = settings.resend_request_end;
  options.resend_range_max = static_cast<std::uint64_t>(settings.max_resend_range);
  options.resend_attempts_max = static_cast<std::uint32_t>(settings.resend_attempts_max);
  options.resend_expiry_ns = ns_of_seconds(settings.outgoing_resend_request_expire_in_secs);
  options.mark_possible_resend = settings.include_t97_during_resends;
  options.skipped_in_resend = settings.skipped_in_resend;
  options.resend_repeats_max = static_cast<std::uint32_t>(settings.resend_repeats_max);
}

void set_throttle(const SessionSettings& settings, session::SessionOptions& options) noexcept {
  if (throttle_limits_sends(settings, options.role)) {
    return;
  }
  options.throttle_limit = static_cast<std::uint32_t>(settings.throttle_limit);
  options.throttle_window_ns = settings.throttle_window_in_milliseconds * base::ns_per_ms;
  options.throttle_action = settings.throttle_action;
  options.throttle_text = settings.throttler_reject_message;
}

/// Header fields that the session writes itself: a duplicate would make every message faulty. Sub
/// and location ids are among them only if the session has some.
bool is_session_tag(std::uint32_t tag, const SessionSettings& settings) noexcept {
  constexpr std::uint32_t tags[] = {8, 9, 10, 34, 35, 43, 49, 52, 56, 89, 93, 97, 122, 369};
  switch (tag) {
    case 50:
      return !settings.sender_sub_id.empty();
    case 57:
      return !settings.target_sub_id.empty();
    case 142:
      return !settings.sender_location_id.empty();
    case 143:
      return !settings.target_location_id.empty();
    default:
      return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
  }
}

/// Zero: the piece is not tag=value.
std::uint32_t tag_of_field(std::string_view piece) noexcept {
  const std::size_t equals = piece.find('=');
  if (equals == std::string_view::npos || equals + 1 == piece.size() || piece.front() == '0' ||
      piece.find(wire::soh) != std::string_view::npos) {
    return 0;
  }
  return base::parse_number<std::uint32_t>(piece.substr(0, equals)).value_or(0);
}

}  // namespace

std::expected<std::string, base::Error> encode_static_header(const SessionSettings& settings) {
  std::string encoded;
  std::vector<std::uint32_t> tags;
  std::string_view rest = settings.additional_static_header_tags;
  while (!rest.empty()) {
    const std::string_view piece = base::take_part(rest, ',');
    const std::uint32_t tag = tag_of_field(piece);
    if (tag == 0 || is_session_tag(tag, settings) ||
        std::find(tags.begin(), tags.end(), tag) != tags.end()) {
      // Its value may be a secret.
      return base::invalid_argument(
          "'" + std::string(piece.substr(0, std::min(piece.find('='), piece.size()))) +
              "' is not the tag of tag=value, or comes twice, or the session writes "
              "that tag itself",
          "C233");
    }
    tags.push_back(tag);
    encoded += piece;
    encoded += wire::soh;
  }
  return encoded;
}

std::expected<std::vector<std::uint32_t>, base::Error> secret_tags_of(
    const SessionSettings& settings) {
  constexpr std::uint32_t needed[] = {8, 9, 10, 34, 35, 43, 49, 52, 56, 122};
  std::vector<std::uint32_t> tags;
  std::string_view rest = settings.secret_tags;
  while (!rest.empty()) {
    const std::string_view piece = take_piece(rest);
    const std::uint32_t tag = base::parse_number<std::uint32_t>(piece).value_or(0);
    if (tag == 0 || std::find(std::begin(needed), std::end(needed), tag) != std::end(needed)) {
      return base::invalid_argument(
          "'" + std::string(piece) + "' is not a tag, or is one that a stored message needs",
          "C234");
    }
    tags.push_back(tag);
  }
  return tags;
}

std::expected<std::int64_t, base::Error> daily_reset_of(const SessionSettings& settings) {
  if (settings.daily_reset_utc.empty()) {
    return -1;
  }
  const auto ns = ns_of_day(settings.daily_reset_utc);
  if (!ns) {
    return base::invalid_argument("'" + settings.daily_reset_utc + "' is not HH:MM or HH:MM:SS",
                                  "C232");
  }
  return *ns;
}

std::expected<SessionTexts, base::Error> session_texts(const SessionSettings& settings) {
  const auto fault = [&](std::string_view key, const base::Error& error) {
    return std::unexpected(fault_of_key(key, settings.name, error));
  };
  auto header = encode_static_header(settings);
  if (!header) {
    return fault("additional_static_header_tags", header.error());
  }
  auto rules = resend_rules_of(settings);
  if (!rules) {
    return fault("resend_policy", rules.error());
  }
  auto secrets = secret_tags_of(settings);
  if (!secrets) {
    return fault("secret_tags", secrets.error());
  }
  return SessionTexts{std::move(*header), std::move(*rules), std::move(*secrets)};
}

session::SessionOptions session_options(const SessionSettings& settings, const SessionTexts& texts,
                                        session::Role role, session::Validator validator) noexcept {
  session::SessionOptions options;
  options.validator = validator;
  options.role = role;
  options.time_precision = settings.timestamp_subseconds_precision;
  options.static_header_fields = texts.static_header_fields;
  options.include_last_processed = settings.include_last_processed_seqnum_in_header;
  options.validation_place = settings.validation_place;
  options.secret_tags = texts.secret_tags;
  options.send_while_down = settings.send_while_disconnected;
  options.queued_max = static_cast<std::uint64_t>(settings.send_queue_max);
  options.resend_rules = texts.resend_rules.rules;
  options.resend_policy = texts.resend_rules.otherwise;
  options.practice = static_cast<const session::Practice&>(settings);
  set_identity(settings, options);
  set_logon(settings, options);
  set_timers(settings, options);
  set_resends(settings, options);
  set_throttle(settings, options);
  return options;
}

bool throttle_limits_sends(const SessionSettings& settings, session::Role role) noexcept {
  return role == session::Role::Initiator &&
         settings.throttle_direction == ThrottleDirection::ByRole;
}

SendLimit send_limit_of(const SessionSettings& settings, session::Role role) noexcept {
  SendLimit limit;
  limit.waits = settings.send_throttle_action == SendThrottleAction::Wait;
  if (throttle_limits_sends(settings, role) && settings.throttle_limit != 0) {
    limit.messages = static_cast<std::size_t>(settings.throttle_limit);
    limit.window_ns = settings.throttle_window_in_milliseconds * base::ns_per_ms;
  } else {
    limit.messages = static_cast<std::size_t>(settings.send_throttle_limit);
    limit.window_ns = settings.send_throttle_window_in_milliseconds * base::ns_per_ms;
  }
  return limit;
}

std::uint64_t outbox_size(std::size_t wanted) noexcept {
  return std::max<std::uint64_t>(wanted, 2 * session::Out::step_bytes);
}

std::uint64_t largest_record(const SessionSettings& settings, std::size_t outbox_bytes) noexcept {
  return std::max(static_cast<std::uint64_t>(settings.max_message_bytes),
                  outbox_size(outbox_bytes));
}

std::uint64_t segment_bytes_of(const SessionSettings& settings, std::size_t outbox_bytes) noexcept {
  const auto wanted = static_cast<std::uint64_t>(settings.max_serialised_file_size);
  return wanted == 0 ? 0
                     : std::bit_ceil(std::max(wanted, 2 * largest_record(settings, outbox_bytes)));
}

std::int64_t cached_messages_of(const SessionSettings& settings, std::size_t outbox_bytes) {
  return static_cast<std::int64_t>(journal_options(settings, outbox_bytes).ring_bytes /
                                   cached_message_bytes);
}

std::string journal_directory(const SessionSettings& settings) {
  return settings.durability == journal::Durability::Memory
             ? std::string()
             : settings.journal_path + "/" + directory_name(settings);
}

journal::Options journal_options(const SessionSettings& settings, std::size_t outbox_bytes) {
  journal::Options options = journal_options(settings);
  // A message that the journal can never store would end the session each time it comes.
  options.ring_message_bytes_max = largest_record(settings, outbox_bytes);
  options.ring_bytes = std::max(options.ring_bytes, 8 * options.ring_message_bytes_max);
  // A small segment must not be the cause either: files of other engines set any size.
  options.max_segment_bytes = segment_bytes_of(settings, outbox_bytes);
  return options;
}

journal::Options journal_options(const SessionSettings& settings) {
  journal::Options options;
  options.directory = settings.journal_path + "/" + directory_name(settings);
  options.identity = identity_text(settings);
  options.durability = settings.durability;
  options.mark_trust = journal::MarkTrust::Vouched;
  options.keep_ns = settings.journal_keep_hours * 3'600 * base::ns_per_second;
  options.keep_days = settings.journal_keep_days;
  options.keep_bytes = static_cast<std::uint64_t>(settings.journal_keep_bytes);
  if (!settings.journal_archive_path.empty()) {
    options.archive_directory = settings.journal_archive_path + "/" + directory_name(settings);
  }
  options.disk = settings.journal_disk;
  options.ring_bytes = std::max(
      options.ring_bytes, static_cast<std::uint64_t>(settings.replay_message_cache_initial_size) *
                              cached_message_bytes);
  options.max_segment_bytes = static_cast<std::uint64_t>(settings.max_serialised_file_size);
  options.sequence_reserve = static_cast<std::uint64_t>(settings.sequence_reserve);
  return options;
}

std::uint64_t ring_bytes_at_start(const SessionSettings& settings, std::size_t outbox_bytes) {
  return settings.durability == journal::Durability::Memory
             ? journal::ring_bytes_at_start(journal_options(settings, outbox_bytes))
             : 0;
}

}  // namespace affix::inline v0::config
