// SPDX-License-Identifier: MIT
// Translation of settings; units change here and nowhere else.
#include "engine/session_options.hpp"

#include "engine/identity.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace affix::inline v0::engine {

namespace {

wire::TimePrecision precision_of(const std::string& word) noexcept {
  if (word == "NONE") {
    return wire::TimePrecision::Seconds;
  }
  if (word == "MILLI") {
    return wire::TimePrecision::Millis;
  }
  return word == "MICRO" ? wire::TimePrecision::Micros : wire::TimePrecision::Nanos;
}

/// Header fields that the session writes itself: twice they would make every message faulty.
bool is_session_tag(std::uint32_t tag) noexcept {
  constexpr std::uint32_t tags[] = {8,  9,  10, 34, 35, 43,  49,  50,  52,
                                    56, 57, 89, 93, 97, 122, 142, 143, 369};
  return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

bool is_field(std::string_view piece) noexcept {
  const std::size_t equals = piece.find('=');
  if (equals == std::string_view::npos || equals + 1 == piece.size()) {
    return false;
  }
  std::uint32_t tag = 0;
  const auto [end, error] = std::from_chars(piece.data(), piece.data() + equals, tag);
  return error == std::errc{} && end == piece.data() + equals && piece.front() != '0' &&
         !is_session_tag(tag) && piece.find(wire::soh) == std::string_view::npos;
}

}  // namespace

std::expected<std::string, base::Error> encode_static_header(const SessionSettings& settings) {
  std::string encoded;
  std::string_view rest = settings.additional_static_header_tags;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view piece = rest.substr(0, comma);
    if (!is_field(piece)) {
      return std::unexpected(
          base::Error{base::ErrorCode::InvalidArgument,
                      "additional_static_header_tags: '" + std::string(piece) +
                          "' is not tag=value, or the session writes that tag itself",
                      settings.name});
    }
    encoded += piece;
    encoded += wire::soh;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return encoded;
}

session::SessionOptions session_options(const SessionSettings& settings, const SessionTexts& texts,
                                        session::Role role, session::Validator validator) noexcept {
  session::SessionOptions options;
  options.validator = validator;
  options.role = role;
  options.begin_string = settings.begin_string;
  options.sender_comp_id = settings.sender_comp_id;
  options.target_comp_id = settings.target_comp_id;
  options.sender_sub_id = settings.sender_sub_id;
  options.sender_location_id = settings.sender_location_id;
  options.target_sub_id = settings.target_sub_id;
  options.target_location_id = settings.target_location_id;
  options.time_precision = precision_of(settings.timestamp_subseconds_precision);
  options.static_header_fields = texts.static_header_fields;
  options.include_last_processed = settings.include_last_processed_seqnum_in_header;
  options.heartbeat_interval_ns = settings.heartbeat_interval_seconds * base::ns_per_second;
  options.default_appl_ver_id = settings.default_app_ver_id;
  options.username = settings.logon_username;
  options.password = settings.logon_password;
  options.new_password = settings.logon_message_new_password;
  options.include_next_expected = settings.logon_include_next_expected_seq_no;
  options.reset_on_logon = settings.logon_reset_sequence_numbers;
  options.reset_on_logout = settings.reset_on_logout;
  options.reset_on_disconnect = settings.reset_on_disconnect;
  options.logon_timeout_ns = settings.logon_timeout_seconds * base::ns_per_second;
  options.logout_timeout_ns = settings.logout_timeout_seconds * base::ns_per_second;
  options.message_age_max_ns = settings.validations_enabled
                                   ? settings.max_allowed_message_age_seconds * base::ns_per_second
                                   : 0;
  options.resend_answer = settings.replay_messages_on_incoming_resend_request
                              ? session::ResendAnswer::Replay
                              : session::ResendAnswer::GapFill;
  options.resend_range_max = static_cast<std::uint64_t>(settings.max_resend_range);
  options.resend_expiry_ns = settings.outgoing_resend_request_expire_in_secs * base::ns_per_second;
  options.mark_possible_resend = settings.include_t97_during_resends;
  return options;
}

journal::Options journal_options(const SessionSettings& settings) {
  journal::Options options;
  options.directory = settings.journal_path + "/" + directory_name(settings);
  options.identity = identity_text(settings);
  options.durability =
      settings.durability == "memory" ? journal::Durability::Memory : journal::Durability::Process;
  options.max_segment_bytes = static_cast<std::uint64_t>(settings.max_serialised_file_size);
  options.sequence_reserve = static_cast<std::uint64_t>(settings.sequence_reserve);
  return options;
}

}  // namespace affix::inline v0::engine
