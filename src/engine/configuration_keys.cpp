// SPDX-License-Identifier: MIT
// The tables of configuration keys.
#include "engine/configuration_keys.hpp"

#include "affix/session/options.hpp"

#include "engine/worker_plan.hpp"

#include <array>

namespace affix::inline v0::engine {

namespace {

constexpr std::int64_t int31_max = 2'147'483'647;
constexpr std::int64_t buffer_max = std::int64_t{1} << 30;
constexpr std::int64_t throttle_max = session::throttle_limit_max;
constexpr std::int64_t window_max = 3'600'000;
constexpr std::string_view versions = "FIX.4.0|FIX.4.1|FIX.4.2|FIX.4.3|FIX.4.4|FIXT.1.1";

constexpr std::array engine_table{
    ConfigurationKey<EngineSettings>{"log_level", &EngineSettings::log_level, 0, 0,
                                     "ERROR|WARNING|INFO|DEBUG"},
    ConfigurationKey<EngineSettings>{"log_file", &EngineSettings::log_file},
    ConfigurationKey<EngineSettings>{"log_destination", &EngineSettings::log_destination, 0, 0,
                                     "FILE|SYSLOG|JOURNALD"},
    ConfigurationKey<EngineSettings>{"log_format", &EngineSettings::log_format, 0, 0, "TEXT|JSON"},
    ConfigurationKey<EngineSettings>{"log_file_bytes_max", &EngineSettings::log_file_bytes_max, 0,
                                     std::int64_t{1} << 40},
    ConfigurationKey<EngineSettings>{"log_files_kept", &EngineSettings::log_files_kept, 0, 1'000},
    ConfigurationKey<EngineSettings>{"audit_file", &EngineSettings::audit_file},
    ConfigurationKey<EngineSettings>{"ignore_sighup", &EngineSettings::ignore_sighup},
    ConfigurationKey<EngineSettings>{"lock_pages", &EngineSettings::lock_pages},
    ConfigurationKey<EngineSettings>{"huge_pages", &EngineSettings::huge_pages},
    ConfigurationKey<EngineSettings>{"numa_bind_node", &EngineSettings::numa_bind_node, -1, 1'023},
    ConfigurationKey<EngineSettings>{"numa_aware_allocations",
                                     &EngineSettings::numa_aware_allocations},
    ConfigurationKey<EngineSettings>{"pid_file", &EngineSettings::pid_file},
    ConfigurationKey<EngineSettings>{"counters_file", &EngineSettings::counters_file},
    ConfigurationKey<EngineSettings>{"shutdown_timeout_seconds",
                                     &EngineSettings::shutdown_timeout_seconds, 1, 3'600},
    ConfigurationKey<EngineSettings>{"kernel", &EngineSettings::kernel, 0, 0,
                                     "AUTO|SCALAR|SSE42|AVX2|AVX512|NEON"},
    ConfigurationKey<EngineSettings>{"callback_queue_bytes", &EngineSettings::callback_queue_bytes,
                                     4'096, buffer_max},
    ConfigurationKey<EngineSettings>{"added_sessions_max", &EngineSettings::added_sessions_max, 0,
                                     100'000},
    ConfigurationKey<EngineSettings>{"wait_warning_microseconds",
                                     &EngineSettings::wait_warning_microseconds, 0, 60'000'000},
    ConfigurationKey<EngineSettings>{"memory_journal_bytes", &EngineSettings::memory_journal_bytes,
                                     0, std::int64_t{1} << 50},
};

constexpr std::array instance_table{
    ConfigurationKey<InstanceSettings>{"cpu_core_id", &InstanceSettings::cpu_core_id, -1, 4'095},
    ConfigurationKey<InstanceSettings>{"nic_address", &InstanceSettings::nic_address},
    ConfigurationKey<InstanceSettings>{"nic_name", &InstanceSettings::nic_name},
    ConfigurationKey<InstanceSettings>{"socket_rx_size", &InstanceSettings::socket_rx_size, 2'048,
                                       buffer_max},
    ConfigurationKey<InstanceSettings>{"socket_tx_size", &InstanceSettings::socket_tx_size, 2'048,
                                       buffer_max},
    ConfigurationKey<InstanceSettings>{"rx_buffer_capacity", &InstanceSettings::rx_buffer_capacity,
                                       4'096, buffer_max},
    ConfigurationKey<InstanceSettings>{"tx_encode_buffer_capacity",
                                       &InstanceSettings::tx_encode_buffer_capacity, 4'096,
                                       buffer_max},
    ConfigurationKey<InstanceSettings>{"disable_nagle", &InstanceSettings::disable_nagle},
    ConfigurationKey<InstanceSettings>{"quick_ack", &InstanceSettings::quick_ack},
    ConfigurationKey<InstanceSettings>{"send_try_count", &InstanceSettings::send_try_count, 0,
                                       int31_max},
    ConfigurationKey<InstanceSettings>{"receive_size", &InstanceSettings::receive_size, 0,
                                       buffer_max},
    ConfigurationKey<InstanceSettings>{"async_io_timeout_nanoseconds",
                                       &InstanceSettings::async_io_timeout_nanoseconds, 0,
                                       3'600'000'000'000},
    ConfigurationKey<InstanceSettings>{"worker_thread_count",
                                       &InstanceSettings::worker_thread_count, 0, workers_max},
    ConfigurationKey<InstanceSettings>{"worker_core_ids", &InstanceSettings::worker_core_ids},
    ConfigurationKey<InstanceSettings>{"reactor", &InstanceSettings::reactor, 0, 0,
                                       "EPOLL|IO_URING"},
    ConfigurationKey<InstanceSettings>{"wait_mode", &InstanceSettings::wait_mode, 0, 0,
                                       "BLOCK|SPIN|SPIN_THEN_BLOCK"},
    ConfigurationKey<InstanceSettings>{"spin_microseconds", &InstanceSettings::spin_microseconds, 0,
                                       10'000'000},
    ConfigurationKey<InstanceSettings>{"busy_poll_microseconds",
                                       &InstanceSettings::busy_poll_microseconds, 0, 1'000'000},
    ConfigurationKey<InstanceSettings>{"receive_time_stamps",
                                       &InstanceSettings::receive_time_stamps, 0, 0,
                                       "NONE|KERNEL|NETWORK_CARD"},
};

constexpr std::array encryption_table{
    ConfigurationKey<EncryptionSettings>{"tls", &EncryptionSettings::tls, 0, 0, "OFF|ON"},
    ConfigurationKey<EncryptionSettings>{"tls_version_min", &EncryptionSettings::tls_version_min, 0,
                                         0, "TLS1.2|TLS1.3"},
    ConfigurationKey<EncryptionSettings>{"tls_version_max", &EncryptionSettings::tls_version_max, 0,
                                         0, "TLS1.2|TLS1.3"},
    ConfigurationKey<EncryptionSettings>{"tls_ciphers", &EncryptionSettings::tls_ciphers},
    ConfigurationKey<EncryptionSettings>{"tls_cipher_suites",
                                         &EncryptionSettings::tls_cipher_suites},
    ConfigurationKey<EncryptionSettings>{"tls_certificate_file",
                                         &EncryptionSettings::tls_certificate_file},
    ConfigurationKey<EncryptionSettings>{"tls_key_file", &EncryptionSettings::tls_key_file},
    ConfigurationKey<EncryptionSettings>{"tls_key_password", &EncryptionSettings::tls_key_password},
    ConfigurationKey<EncryptionSettings>{"tls_peer_proof", &EncryptionSettings::tls_peer_proof, 0,
                                         0, "CERTIFICATE|OPTIONAL|NONE|PRESHARED_KEY"},
    ConfigurationKey<EncryptionSettings>{"tls_ca_file", &EncryptionSettings::tls_ca_file},
    ConfigurationKey<EncryptionSettings>{"tls_ca_path", &EncryptionSettings::tls_ca_path},
    ConfigurationKey<EncryptionSettings>{"tls_crl_file", &EncryptionSettings::tls_crl_file},
    ConfigurationKey<EncryptionSettings>{"tls_pins", &EncryptionSettings::tls_pins},
    ConfigurationKey<EncryptionSettings>{"tls_pin_file", &EncryptionSettings::tls_pin_file},
    ConfigurationKey<EncryptionSettings>{"tls_preshared_keys",
                                         &EncryptionSettings::tls_preshared_keys},
    ConfigurationKey<EncryptionSettings>{"tls_handshake_timeout_milliseconds",
                                         &EncryptionSettings::tls_handshake_timeout_milliseconds, 1,
                                         3'600'000},
};

constexpr std::array client_table{
    ConfigurationKey<ClientSettings>{"primary_address", &ClientSettings::primary_address},
    ConfigurationKey<ClientSettings>{"primary_port", &ClientSettings::primary_port, 1, 65'535},
    ConfigurationKey<ClientSettings>{"secondary_address", &ClientSettings::secondary_address},
    ConfigurationKey<ClientSettings>{"secondary_port", &ClientSettings::secondary_port, 1, 65'535},
    ConfigurationKey<ClientSettings>{"further_addresses", &ClientSettings::further_addresses},
    ConfigurationKey<ClientSettings>{"connect_timeout_milliseconds",
                                     &ClientSettings::connect_timeout_milliseconds, 1, int31_max},
    ConfigurationKey<ClientSettings>{"reconnect_milliseconds",
                                     &ClientSettings::reconnect_milliseconds, 1, int31_max},
    ConfigurationKey<ClientSettings>{"reconnect_milliseconds_max",
                                     &ClientSettings::reconnect_milliseconds_max, 1, int31_max},
    ConfigurationKey<ClientSettings>{"tls_server_name", &ClientSettings::tls_server_name},
    ConfigurationKey<ClientSettings>{"tls_check_server_name",
                                     &ClientSettings::tls_check_server_name},
    ConfigurationKey<ClientSettings>{"tls_preshared_identity",
                                     &ClientSettings::tls_preshared_identity},
};

constexpr std::array server_table{
    ConfigurationKey<ServerSettings>{"accept_port", &ServerSettings::accept_port, 0, 65'535},
    ConfigurationKey<ServerSettings>{"pending_connection_queue_size",
                                     &ServerSettings::pending_connection_queue_size, 1, 65'535},
    ConfigurationKey<ServerSettings>{"max_poll_events", &ServerSettings::max_poll_events, 1, 4'096},
    ConfigurationKey<ServerSettings>{"max_connections_before_logon",
                                     &ServerSettings::max_connections_before_logon, 0, 1'000'000},
    ConfigurationKey<ServerSettings>{"allowed_addresses", &ServerSettings::allowed_addresses},
    ConfigurationKey<ServerSettings>{"max_connections_per_address",
                                     &ServerSettings::max_connections_per_address, 0, 1'000'000},
    ConfigurationKey<ServerSettings>{"max_connections_before_logon_per_address",
                                     &ServerSettings::max_connections_before_logon_per_address, 0,
                                     1'000'000},
    ConfigurationKey<ServerSettings>{"proxy_protocol_addresses",
                                     &ServerSettings::proxy_protocol_addresses},
    ConfigurationKey<ServerSettings>{"accept_timeout_seconds",
                                     &ServerSettings::accept_timeout_seconds, 0, 3'600},
    ConfigurationKey<ServerSettings>{"tls_named_certificates",
                                     &ServerSettings::tls_named_certificates},
};

constexpr std::array session_table{
    ConfigurationKey<SessionSettings>{"enabled", &SessionSettings::enabled},
    ConfigurationKey<SessionSettings>{"acceptor_template", &SessionSettings::acceptor_template},
    ConfigurationKey<SessionSettings>{"template_sessions_max",
                                      &SessionSettings::template_sessions_max, 1, 100'000},
    ConfigurationKey<SessionSettings>{"template_retire_seconds",
                                      &SessionSettings::template_retire_seconds, 0, int31_max},
    ConfigurationKey<SessionSettings>{"instance", &SessionSettings::instance},
    ConfigurationKey<SessionSettings>{"callback_thread", &SessionSettings::callback_thread, -1,
                                      callback_threads_max - 1},
    ConfigurationKey<SessionSettings>{"worker", &SessionSettings::worker, -1, workers_max - 1},
    ConfigurationKey<SessionSettings>{"profile", &SessionSettings::profile, 0, 0,
                                      "standard|quickfix|cme|24x7"},
    ConfigurationKey<SessionSettings>{"begin_string", &SessionSettings::begin_string, 0, 0,
                                      versions},
    ConfigurationKey<SessionSettings>{"sender_comp_id", &SessionSettings::sender_comp_id},
    ConfigurationKey<SessionSettings>{"target_comp_id", &SessionSettings::target_comp_id},
    ConfigurationKey<SessionSettings>{"sender_sub_id", &SessionSettings::sender_sub_id},
    ConfigurationKey<SessionSettings>{"target_sub_id", &SessionSettings::target_sub_id},
    ConfigurationKey<SessionSettings>{"sender_location_id", &SessionSettings::sender_location_id},
    ConfigurationKey<SessionSettings>{"target_location_id", &SessionSettings::target_location_id},
    ConfigurationKey<SessionSettings>{"on_behalf_of_comp_id",
                                      &SessionSettings::on_behalf_of_comp_id},
    ConfigurationKey<SessionSettings>{"deliver_to_comp_id", &SessionSettings::deliver_to_comp_id},
    ConfigurationKey<SessionSettings>{"allowed_peer_addresses",
                                      &SessionSettings::allowed_peer_addresses},
    ConfigurationKey<SessionSettings>{"tls_peer", &SessionSettings::tls_peer},
    ConfigurationKey<SessionSettings>{"additional_static_header_tags",
                                      &SessionSettings::additional_static_header_tags},
    ConfigurationKey<SessionSettings>{"include_last_processed_seqnum_in_header",
                                      &SessionSettings::include_last_processed_seqnum_in_header},
    ConfigurationKey<SessionSettings>{"timestamp_subseconds_precision",
                                      &SessionSettings::timestamp_subseconds_precision, 0, 0,
                                      "NANO|MICRO|MILLI|NONE"},
    ConfigurationKey<SessionSettings>{"heartbeat_interval_seconds",
                                      &SessionSettings::heartbeat_interval_seconds, 0, 86'400},
    ConfigurationKey<SessionSettings>{"heartbeat_interval_seconds_min",
                                      &SessionSettings::heartbeat_interval_seconds_min, 0, 86'400},
    ConfigurationKey<SessionSettings>{"heartbeat_interval_seconds_max",
                                      &SessionSettings::heartbeat_interval_seconds_max, 0, 86'400},
    ConfigurationKey<SessionSettings>{"receive_grace_percent",
                                      &SessionSettings::receive_grace_percent, 0, 1'000},
    ConfigurationKey<SessionSettings>{"test_answer", &SessionSettings::test_answer, 0, 0,
                                      "ANY_MESSAGE|FIRST_MESSAGE|MATCHING_HEARTBEAT"},
    ConfigurationKey<SessionSettings>{"logon_timeout_seconds",
                                      &SessionSettings::logon_timeout_seconds, 1, 3'600},
    ConfigurationKey<SessionSettings>{"logout_timeout_seconds",
                                      &SessionSettings::logout_timeout_seconds, 1, 3'600},
    ConfigurationKey<SessionSettings>{"fault_logout_timeout_seconds",
                                      &SessionSettings::fault_logout_timeout_seconds, 1, 3'600},
    ConfigurationKey<SessionSettings>{"logout_answered_timeout_seconds",
                                      &SessionSettings::logout_answered_timeout_seconds, 1, 3'600},
    ConfigurationKey<SessionSettings>{"fault_logout", &SessionSettings::fault_logout, 0, 0,
                                      "AWAIT_ANSWER|CLOSE_AT_ONCE"},
    ConfigurationKey<SessionSettings>{"output_timeout_seconds",
                                      &SessionSettings::output_timeout_seconds, 1, 3'600},
    ConfigurationKey<SessionSettings>{"default_app_ver_id", &SessionSettings::default_app_ver_id},
    ConfigurationKey<SessionSettings>{"logon_username", &SessionSettings::logon_username},
    ConfigurationKey<SessionSettings>{"logon_password", &SessionSettings::logon_password},
    ConfigurationKey<SessionSettings>{"logon_password_hash", &SessionSettings::logon_password_hash},
    ConfigurationKey<SessionSettings>{"logon_message_new_password",
                                      &SessionSettings::logon_message_new_password},
    ConfigurationKey<SessionSettings>{"logon_reset_sequence_numbers",
                                      &SessionSettings::logon_reset_sequence_numbers},
    ConfigurationKey<SessionSettings>{"logon_include_next_expected_seq_no",
                                      &SessionSettings::logon_include_next_expected_seq_no},
    ConfigurationKey<SessionSettings>{"logon_max_message_size",
                                      &SessionSettings::logon_max_message_size, 0, buffer_max},
    ConfigurationKey<SessionSettings>{"test_message_indicator",
                                      &SessionSettings::test_message_indicator, 0, 0,
                                      "IGNORE|PRODUCTION|TEST"},
    ConfigurationKey<SessionSettings>{"refused_logon_number",
                                      &SessionSettings::refused_logon_number, 0, 0, "KEEP|TAKE"},
    ConfigurationKey<SessionSettings>{"mid_session_reset", &SessionSettings::mid_session_reset, 0,
                                      0, "ACCEPT|ACCEPT_IN_SYNC|REFUSE"},
    ConfigurationKey<SessionSettings>{"reset_on_logout", &SessionSettings::reset_on_logout},
    ConfigurationKey<SessionSettings>{"reset_on_disconnect", &SessionSettings::reset_on_disconnect},
    ConfigurationKey<SessionSettings>{"reset_start", &SessionSettings::reset_start, 0, 0,
                                      "AT_ONCE|IN_SYNC"},
    ConfigurationKey<SessionSettings>{"daily_reset_utc", &SessionSettings::daily_reset_utc},
    ConfigurationKey<SessionSettings>{"schedule_week_days", &SessionSettings::schedule_week_days},
    ConfigurationKey<SessionSettings>{"start_hour_utc", &SessionSettings::start_hour_utc, -1, 23},
    ConfigurationKey<SessionSettings>{"start_minute_utc", &SessionSettings::start_minute_utc, -1,
                                      59},
    ConfigurationKey<SessionSettings>{"end_hour_utc", &SessionSettings::end_hour_utc, -1, 23},
    ConfigurationKey<SessionSettings>{"end_minute_utc", &SessionSettings::end_minute_utc, -1, 59},
    ConfigurationKey<SessionSettings>{"schedule_windows", &SessionSettings::schedule_windows},
    ConfigurationKey<SessionSettings>{"schedule_time_zone", &SessionSettings::schedule_time_zone},
    ConfigurationKey<SessionSettings>{"schedule_logon_windows",
                                      &SessionSettings::schedule_logon_windows},
    ConfigurationKey<SessionSettings>{"schedule_holidays_file",
                                      &SessionSettings::schedule_holidays_file},
    ConfigurationKey<SessionSettings>{"schedule_reset_at_start",
                                      &SessionSettings::schedule_reset_at_start},
    ConfigurationKey<SessionSettings>{"secret_tags", &SessionSettings::secret_tags},
    ConfigurationKey<SessionSettings>{
        "send_while_disconnected", &SessionSettings::send_while_disconnected, 0, 0, "REFUSE|QUEUE"},
    ConfigurationKey<SessionSettings>{"send_queue_max", &SessionSettings::send_queue_max, 1,
                                      int31_max},
    ConfigurationKey<SessionSettings>{"second_logon", &SessionSettings::second_logon, 0, 0,
                                      "REFUSE|PROBE"},
    ConfigurationKey<SessionSettings>{"second_logon_probe_milliseconds",
                                      &SessionSettings::second_logon_probe_milliseconds, 1, 60'000},
    ConfigurationKey<SessionSettings>{"cancel_on_disconnect",
                                      &SessionSettings::cancel_on_disconnect, 0, 0,
                                      "OFF|DISCONNECT|LOGOUT|BOTH"},
    ConfigurationKey<SessionSettings>{"cancel_on_disconnect_grace_milliseconds",
                                      &SessionSettings::cancel_on_disconnect_grace_milliseconds, 0,
                                      3'600'000},
    ConfigurationKey<SessionSettings>{"cancel_on_disconnect_tags",
                                      &SessionSettings::cancel_on_disconnect_tags},
    ConfigurationKey<SessionSettings>{"validations_enabled", &SessionSettings::validations_enabled},
    ConfigurationKey<SessionSettings>{"dictionary", &SessionSettings::dictionary},
    ConfigurationKey<SessionSettings>{"transport_dictionary",
                                      &SessionSettings::transport_dictionary},
    ConfigurationKey<SessionSettings>{"further_dictionaries",
                                      &SessionSettings::further_dictionaries},
    ConfigurationKey<SessionSettings>{"validation_preset", &SessionSettings::validation_preset, 0,
                                      0, "STRICT|TOLERANT|QUICKFIX"},
    ConfigurationKey<SessionSettings>{"validation_rules", &SessionSettings::validation_rules},
    ConfigurationKey<SessionSettings>{"validate_repeating_groups",
                                      &SessionSettings::validate_repeating_groups},
    ConfigurationKey<SessionSettings>{"validation_place", &SessionSettings::validation_place, 0, 0,
                                      "WHEN_NEXT|BEFORE_NUMBER"},
    ConfigurationKey<SessionSettings>{"validation_order", &SessionSettings::validation_order, 0, 0,
                                      "MESSAGE|QUICKFIX"},
    ConfigurationKey<SessionSettings>{"max_allowed_message_age_seconds",
                                      &SessionSettings::max_allowed_message_age_seconds, 0,
                                      int31_max},
    ConfigurationKey<SessionSettings>{"max_message_bytes", &SessionSettings::max_message_bytes,
                                      1'024, buffer_max},
    ConfigurationKey<SessionSettings>{"throttle_limit", &SessionSettings::throttle_limit, 0,
                                      throttle_max},
    ConfigurationKey<SessionSettings>{"throttle_window_in_milliseconds",
                                      &SessionSettings::throttle_window_in_milliseconds, 1,
                                      window_max},
    ConfigurationKey<SessionSettings>{"throttle_action", &SessionSettings::throttle_action, 0, 0,
                                      "WAIT|DISCONNECT|REJECT"},
    ConfigurationKey<SessionSettings>{"throttler_reject_message",
                                      &SessionSettings::throttler_reject_message},
    ConfigurationKey<SessionSettings>{"throttle_direction", &SessionSettings::throttle_direction, 0,
                                      0, "BY_ROLE|RECEIVED"},
    ConfigurationKey<SessionSettings>{"send_throttle_limit", &SessionSettings::send_throttle_limit,
                                      0, throttle_max},
    ConfigurationKey<SessionSettings>{"send_throttle_window_in_milliseconds",
                                      &SessionSettings::send_throttle_window_in_milliseconds, 1,
                                      window_max},
    ConfigurationKey<SessionSettings>{"send_throttle_action",
                                      &SessionSettings::send_throttle_action, 0, 0, "WAIT|REFUSE"},
    ConfigurationKey<SessionSettings>{"enable_simd_avx2", &SessionSettings::enable_simd_avx2},
    ConfigurationKey<SessionSettings>{"replay_messages_on_incoming_resend_request",
                                      &SessionSettings::replay_messages_on_incoming_resend_request},
    ConfigurationKey<SessionSettings>{"replay_message_cache_initial_size",
                                      &SessionSettings::replay_message_cache_initial_size, 0,
                                      4'000'000},
    ConfigurationKey<SessionSettings>{"max_resend_range", &SessionSettings::max_resend_range, 0,
                                      int31_max},
    ConfigurationKey<SessionSettings>{"resend_request_end", &SessionSettings::resend_request_end, 0,
                                      0, "INFINITY|GAP"},
    ConfigurationKey<SessionSettings>{"resend_attempts_max", &SessionSettings::resend_attempts_max,
                                      1, 1'000},
    ConfigurationKey<SessionSettings>{"include_t97_during_resends",
                                      &SessionSettings::include_t97_during_resends},
    ConfigurationKey<SessionSettings>{"resend_policy", &SessionSettings::resend_policy},
    ConfigurationKey<SessionSettings>{"skipped_in_resend", &SessionSettings::skipped_in_resend, 0,
                                      0, "ASK_AGAIN|AWAIT_EXPIRY"},
    ConfigurationKey<SessionSettings>{"repeated_resend_request",
                                      &SessionSettings::repeated_resend_request, 0, 0,
                                      "JUDGED|DISCARDED"},
    ConfigurationKey<SessionSettings>{"resend_repeats_max", &SessionSettings::resend_repeats_max, 0,
                                      1'000'000},
    ConfigurationKey<SessionSettings>{"outgoing_resend_request_expire_in_secs",
                                      &SessionSettings::outgoing_resend_request_expire_in_secs, 1,
                                      86'400},
    ConfigurationKey<SessionSettings>{"journal_path", &SessionSettings::journal_path},
    ConfigurationKey<SessionSettings>{"durability", &SessionSettings::durability, 0, 0,
                                      "memory|process|group|sync"},
    ConfigurationKey<SessionSettings>{"group_interval_milliseconds",
                                      &SessionSettings::group_interval_milliseconds, 1, 60'000},
    ConfigurationKey<SessionSettings>{"journal_keep_hours", &SessionSettings::journal_keep_hours, 0,
                                      1'000'000},
    ConfigurationKey<SessionSettings>{"journal_keep_days", &SessionSettings::journal_keep_days, 0,
                                      100'000},
    ConfigurationKey<SessionSettings>{"journal_keep_bytes", &SessionSettings::journal_keep_bytes, 0,
                                      std::int64_t{1} << 50},
    ConfigurationKey<SessionSettings>{"journal_archive_path",
                                      &SessionSettings::journal_archive_path},
    ConfigurationKey<SessionSettings>{"store_order", &SessionSettings::store_order, 0, 0,
                                      "before_send|after_send"},
    ConfigurationKey<SessionSettings>{"max_serialised_file_size",
                                      &SessionSettings::max_serialised_file_size, 0,
                                      std::int64_t{1} << 40},
    ConfigurationKey<SessionSettings>{"sequence_reserve", &SessionSettings::sequence_reserve, 0,
                                      int31_max},
};

constexpr std::array application_table{
    ConfigurationKey<ApplicationSettings>{"application", &ApplicationSettings::application, 0, 0,
                                          "ECHO|DROP_COPY|ROUTER|PLUGIN"},
    ConfigurationKey<ApplicationSettings>{"plugin_file", &ApplicationSettings::plugin_file},
    ConfigurationKey<ApplicationSettings>{"plugin_settings", &ApplicationSettings::plugin_settings},
    ConfigurationKey<ApplicationSettings>{"drop_copy_from", &ApplicationSettings::drop_copy_from},
    ConfigurationKey<ApplicationSettings>{"drop_copy_to", &ApplicationSettings::drop_copy_to},
};

constexpr std::array route_table{
    ConfigurationKey<RouteSettings>{"route_from", &RouteSettings::route_from},
    ConfigurationKey<RouteSettings>{"route_tag", &RouteSettings::route_tag, 0, int31_max},
    ConfigurationKey<RouteSettings>{"route_values", &RouteSettings::route_values},
    ConfigurationKey<RouteSettings>{"route_to", &RouteSettings::route_to},
};

constexpr std::string_view in_journal =
    "numbers and messages of both directions are in the session's journal, under journal_path";

constexpr std::string_view kernel_sets_rings =
    "the rings of a network card are the kernel's: ethtool -G sets them";

constexpr std::string_view log_has_its_thread =
    "the log is always written by a thread of its own, which the engine's never wait for";

constexpr std::array absent_table{
    AbsentKey{"spin_count", "1", "wait_mode and spin_microseconds say how a worker waits"},
    AbsentKey{"nic_ringbuffer_tx_size", "2048", kernel_sets_rings},
    AbsentKey{"nic_ringbuffer_rx_size", "4096", kernel_sets_rings},
    AbsentKey{"logger_async", "true", log_has_its_thread},
    AbsentKey{"logger_buffer_capacity", "65536", log_has_its_thread},
    AbsentKey{"refresh_resend_cache_during_promotion", "true",
              "no engine here waits to be promoted"},
    AbsentKey{"sequence_store_file_path", "", in_journal},
    AbsentKey{"incoming_message_serialisation_path", "", in_journal},
    AbsentKey{"outgoing_message_serialisation_path", "", in_journal},
};

}  // namespace

std::span<const ConfigurationKey<EngineSettings>> engine_keys() noexcept {
  return engine_table;
}

std::span<const ConfigurationKey<InstanceSettings>> instance_keys() noexcept {
  return instance_table;
}

std::span<const ConfigurationKey<EncryptionSettings>> encryption_keys() noexcept {
  return encryption_table;
}

std::span<const ConfigurationKey<ClientSettings>> client_keys() noexcept {
  return client_table;
}

std::span<const ConfigurationKey<ServerSettings>> server_keys() noexcept {
  return server_table;
}

std::span<const ConfigurationKey<SessionSettings>> session_keys() noexcept {
  return session_table;
}

std::span<const ConfigurationKey<ApplicationSettings>> application_keys() noexcept {
  return application_table;
}

std::span<const ConfigurationKey<RouteSettings>> route_keys() noexcept {
  return route_table;
}

std::span<const AbsentKey> absent_keys() noexcept {
  return absent_table;
}

}  // namespace affix::inline v0::engine
