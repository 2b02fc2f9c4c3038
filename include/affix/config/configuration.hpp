// SPDX-License-Identifier: MIT
// The engine's configuration: typed values with their defaults, and the INI file they are read
// from. Start-up only; everything here may allocate. Reports every problem of a file at once.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/application_settings.hpp"
#include "affix/config/choices.hpp"
#include "affix/config/encryption_settings.hpp"
#include "affix/config/failover_settings.hpp"
#include "affix/config/finding.hpp"
#include "affix/config/management_settings.hpp"
#include "affix/journal/options.hpp"
#include "affix/session/options.hpp"
#include "affix/session/practice.hpp"
#include "affix/wire/convert.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {
class Disk;
}  // namespace affix::inline v0::journal

namespace affix::inline v0::config {

/// The [ENGINE] group: settings that all instances of the process share.
struct EngineSettings : ManagementSettings, NodeSettings {
  LogLevel log_level = LogLevel::Info;
  std::string log_file;                                   ///< Empty: standard error.
  LogDestination log_destination = LogDestination::File;  ///< Or SYSLOG, JOURNALD.
  LogFormat log_format = LogFormat::Text;                 ///< Or JSON.
  std::int64_t log_file_bytes_max = 0;  ///< Size at which a new file is begun; 0: never.
  std::int64_t log_files_kept = 5;      ///< Number of full log files kept.
  std::string audit_file;               ///< File for operators' changes; empty: they go to the log.
  bool ignore_sighup = false;
  bool lock_pages = false;
  bool huge_pages = false;  ///< Allocates buffers of sessions and connections from huge pages.
  std::int64_t numa_bind_node = -1;       ///< The process runs on this node's cores; -1: anywhere.
  bool numa_aware_allocations = false;    ///< Allocates memory only from that node.
  std::string pid_file;                   ///< Empty: no file is written.
  std::string counters_file;              ///< Empty: no other process can read the counters.
  std::string latency_file;               ///< Empty: the times of messages are not recorded.
  std::int64_t latency_records = 65'536;  ///< Number of records per worker in that file.
  std::int64_t shutdown_timeout_seconds = 10;  ///< From the stop request to the last logout.
  KernelChoice kernel = KernelChoice::Auto;    ///< SIMD kernel of the codec, for the whole process.
  std::int64_t callback_queue_bytes = 4'194'304;  ///< Size of each queue to a callback thread.
  std::int64_t added_sessions_max = 64;           ///< Maximum number of sessions added at run time.
  std::int64_t wait_warning_microseconds =
      10'000;          ///< Worker waits of this length or more are logged; 0: none.
  std::string keeper;  ///< Keeps connections beyond the process: a path, or SYSTEMD; empty: none.
  std::string keeper_instance = "affix";      ///< This engine's name at its keeper.
  std::int64_t upgrade_timeout_seconds = 60;  ///< From a successor's start until it is ready.
  std::int64_t memory_journal_bytes = 0;      ///< Sum for durability=memory journals; 0: no limit.
};

/// Settings common to client (initiator) and server (acceptor) groups: sockets, buffers,
/// waiting.
struct InstanceSettings : EncryptionSettings {
  std::string name;
  std::int64_t cpu_core_id = -1;
  std::string nic_address;
  std::string nic_name;
  std::int64_t socket_rx_size = 212'992;
  std::int64_t socket_tx_size = 212'992;
  std::int64_t rx_buffer_capacity = 212'992;
  std::int64_t tx_encode_buffer_capacity = 212'992;
  bool disable_nagle = true;
  bool quick_ack = false;
  std::int64_t send_try_count =
      0;                          ///< Maximum seconds of refused output; 0: output_timeout_seconds.
  std::int64_t receive_size = 0;  ///< Maximum bytes per read; 0: all of rx_buffer_capacity.
  std::int64_t async_io_timeout_nanoseconds = 0;  ///< Longest wait in the kernel; 0: as wait_mode.
  std::int64_t worker_thread_count = 1;  ///< 0: one per physical core that the process may use.
  std::string worker_core_ids;           ///< AUTO, or comma-separated cores; empty: not pinned.
  ReactorKind reactor = ReactorKind::Epoll;
  WaitMode wait_mode = WaitMode::Block;
  std::int64_t spin_microseconds = 50;
  std::int64_t busy_poll_microseconds = 0;  ///< SO_BUSY_POLL; 0: the system's value.
  ReceiveTimeStamps receive_time_stamps =
      ReceiveTimeStamps::None;  ///< SO_TIMESTAMPING: NONE, KERNEL or NETWORK_CARD.
  std::string failover_group;   ///< Name of a failover group; empty: its sessions run here only.
};

/// A client group: one endpoint that its sessions connect to, under one or more addresses.
struct ClientSettings : InstanceSettings {
  std::string primary_address;
  std::int64_t primary_port = 0;
  std::string secondary_address;
  std::int64_t secondary_port = 0;
  std::string further_addresses;  ///< Comma-separated `host:port`; tried after the secondary.
  std::int64_t connect_timeout_milliseconds = 5'000;
  std::int64_t reconnect_milliseconds =
      1'000;                    ///< First pause after a connection was lost or refused.
  std::string tls_server_name;  ///< Empty: the address connected to.
  bool tls_check_server_name = true;
  std::string tls_preshared_identity;
  std::int64_t reconnect_milliseconds_max = 30'000;  ///< The pause doubles up to this, with jitter.
};

/// A server group: one listening endpoint, and limits for connections before their Logon.
struct ServerSettings : InstanceSettings {
  std::int64_t accept_port = 0;  ///< 0: the kernel chooses; see Engine::listening_addresses().
  std::int64_t pending_connection_queue_size = 32;
  std::int64_t max_poll_events = 64;
  /// 0: the number of sessions the group may have, at least 256.
  std::int64_t max_connections_before_logon = 0;
  std::string allowed_addresses;  ///< Comma-separated addresses and networks; empty: any.
  std::int64_t max_connections_per_address = 0;               ///< 0: no limit.
  std::int64_t max_connections_before_logon_per_address = 0;  ///< 0: no limit.
  std::string proxy_protocol_addresses;     ///< Proxies that send a PROXY protocol header.
  std::int64_t accept_timeout_seconds = 0;  ///< From accept to a complete Logon; 0: the longest
                                            ///< logon_timeout_seconds of its sessions.
  std::string tls_named_certificates;       ///< Comma-separated `name=certificate:key`.
};

/// A session group. The rules in which counterparties differ from the standard are its base.
struct SessionSettings : session::Practice {
  std::string name;
  std::string instance;  ///< Name of the owning client or server group; may be empty if only one
                         ///< exists.
  std::int64_t callback_thread = -1;  ///< Number of its callback thread, from 0; -1: its worker.
  std::int64_t worker = -1;           ///< Worker of the group, from 0; -1: assigned in rotation.
  bool acceptor_template = false;     ///< Its ids are patterns; each matching peer gets a session.
  std::int64_t template_sessions_max = 64;   ///< Maximum sessions of a template at one time.
  std::int64_t template_retire_seconds = 0;  ///< From logout to removal; 0: never.
  bool enabled = true;                       ///< False: stays logged out until enabled.
  Profile profile = Profile::Standard;  ///< Base values for the keys of a configuration file; no
                                        ///< effect when set in code (see settings_of_profile).

  std::string begin_string;
  std::string sender_comp_id;
  std::string target_comp_id;
  std::string sender_sub_id;
  std::string target_sub_id;
  std::string sender_location_id;
  std::string target_location_id;
  std::string on_behalf_of_comp_id;
  std::string deliver_to_comp_id;
  std::string allowed_peer_addresses;  ///< Comma-separated addresses and networks that the peer may
                                       ///< log on from; empty: any that its server allows.
  std::string tls_peer;  ///< Rules, one of which the TLS peer must match; empty: any peer.
  std::string additional_static_header_tags;
  bool include_last_processed_seqnum_in_header = false;
  wire::TimePrecision timestamp_subseconds_precision = wire::TimePrecision::Nanos;

  std::int64_t heartbeat_interval_seconds = 30;
  std::int64_t heartbeat_interval_seconds_min = 0;  ///< Limits for a received HeartBtInt.
  std::int64_t heartbeat_interval_seconds_max = 86'400;
  std::int64_t receive_grace_percent = 20;
  session::TestAnswer test_answer = session::TestAnswer::AnyMessage;
  std::int64_t logon_timeout_seconds = 5;
  std::int64_t logout_timeout_seconds = 5;
  std::int64_t fault_logout_timeout_seconds = 2;
  std::int64_t logout_answered_timeout_seconds = 10;
  session::FaultLogout fault_logout = session::FaultLogout::AwaitAnswer;
  std::int64_t output_timeout_seconds = 30;  ///< Maximum time that the peer may leave output unread
                                             ///< while the buffers are full.
  std::string default_app_ver_id;
  std::string logon_username;
  std::string logon_password;
  std::string logon_password_hash;
  std::string logon_message_new_password;
  bool logon_reset_sequence_numbers = false;
  bool logon_include_next_expected_seq_no = false;
  std::int64_t logon_max_message_size = 0;  ///< MaxMessageSize (383); 0: not sent.
  session::TestMessages test_message_indicator = session::TestMessages::Ignore;
  session::RefusalNumber refused_logon_number = session::RefusalNumber::Keep;
  session::MidSessionReset mid_session_reset = session::MidSessionReset::Accept;
  session::ResetStart reset_start = session::ResetStart::AtOnce;
  std::string daily_reset_utc;       ///< HH:MM or HH:MM:SS; empty: none.
  std::string secret_tags;           ///< Comma-separated tags, masked in every stored message.
  std::string schedule_week_days;    ///< Digits, 1 is Monday, ranges with a dash; empty: every day.
  std::int64_t start_hour_utc = -1;  ///< -1, as for the three below: no hours.
  std::int64_t start_minute_utc = -1;
  std::int64_t end_hour_utc = -1;
  std::int64_t end_minute_utc = -1;
  std::string schedule_windows;  ///< Comma-separated `MON-FRI 08:00-17:30`; empty: always.
  std::string schedule_time_zone = "UTC";
  std::string schedule_logon_windows;  ///< Empty: the session's own windows.
  std::string schedule_holidays_file;
  bool schedule_reset_at_start = false;
  session::SendWhileDown send_while_disconnected = session::SendWhileDown::Refuse;
  std::int64_t send_queue_max = 10'000;
  SecondLogon second_logon = SecondLogon::Refuse;
  std::int64_t second_logon_probe_milliseconds = 2'000;
  CancelOnDisconnect cancel_on_disconnect = CancelOnDisconnect::Off;
  std::int64_t cancel_on_disconnect_grace_milliseconds = 0;
  bool cancel_on_disconnect_tags = false;  ///< Fields 35002 and 35003 of the peer's Logon decide.
  bool reset_on_logout = false;
  bool reset_on_disconnect = false;

  bool validations_enabled = true;
  std::string dictionary;  ///< File; in FIXT, of the default application version. Empty: none.
  std::string transport_dictionary;  ///< FIXT only.
  std::string further_dictionaries;  ///< FIXT only: comma-separated files for other versions.
  ValidationPreset validation_preset = ValidationPreset::Strict;
  std::string validation_rules;  ///< Comma-separated `rule:ACTION`; override the preset.
  bool validate_repeating_groups = true;
  session::ValidationPlace validation_place = session::ValidationPlace::WhenNext;
  ValidationOrder validation_order = ValidationOrder::Message;
  std::int64_t max_allowed_message_age_seconds = 120;
  std::int64_t max_message_bytes = 65'536;

  std::int64_t throttle_limit = 0;  ///< 0: no limit.
  std::int64_t throttle_window_in_milliseconds = 1'000;
  session::ThrottleAction throttle_action = session::ThrottleAction::Wait;
  std::string throttler_reject_message = "Message rate limit exceeded";
  ThrottleDirection throttle_direction = ThrottleDirection::ByRole;
  std::int64_t send_throttle_limit = 0;  ///< 0: no limit.
  std::int64_t send_throttle_window_in_milliseconds = 1'000;
  SendThrottleAction send_throttle_action = SendThrottleAction::Wait;
  bool enable_simd_avx2 = false;

  bool replay_messages_on_incoming_resend_request = true;
  std::int64_t replay_message_cache_initial_size = 10'240;
  std::int64_t max_resend_range = 10'000;
  session::ResendEnd resend_request_end = session::ResendEnd::Infinity;
  std::int64_t resend_attempts_max = 3;
  bool include_t97_during_resends = false;
  std::string resend_policy;  ///< Comma-separated `type:ACTION`; `*` is every other type.
  session::SkippedInResend skipped_in_resend = session::SkippedInResend::AskAgain;
  std::int64_t resend_repeats_max = 32;
  std::int64_t outgoing_resend_request_expire_in_secs = 30;

  std::string journal_path = "journal";
  journal::Durability durability = journal::Durability::Process;
  std::int64_t group_interval_milliseconds = 10;
  StoreOrder store_order = StoreOrder::BeforeSend;
  std::int64_t journal_keep_hours = 0;
  std::int64_t journal_keep_days = 0;
  std::int64_t journal_keep_bytes = 0;
  std::string journal_archive_path;
  journal::Disk* journal_disk = nullptr;  ///< Not a key: a test's disk; null: the system's.
  std::int64_t max_serialised_file_size = 67'108'864;
  std::int64_t sequence_reserve = 100'000;

  friend bool operator==(const SessionSettings&, const SessionSettings&) = default;
};

struct Configuration {
  EngineSettings engine;
  std::vector<ClientSettings> clients;
  std::vector<ServerSettings> servers;
  std::vector<SessionSettings> sessions;
  std::vector<SessionSettings> templates;  ///< Session groups with acceptor_template.
  ApplicationSettings application;
  std::vector<RouteSettings> routes;
  std::vector<FailoverSettings> failovers;  ///< Failover groups, in the order of the file.

  /// Settings of the file that have no effect, each with its place. The engine reports them as
  /// events at start-up.
  std::vector<Finding> warnings;

  /// The session groups that belong to `instance`.
  [[nodiscard]] std::vector<const SessionSettings*> sessions_of(std::string_view instance) const;

  /// The failover group `name`; null if there is none. Valid until `failovers` changes.
  [[nodiscard]] const FailoverSettings* failover_named(std::string_view name) const noexcept;
};

/// Default values of a session group with this profile: a set of options for one kind of
/// counterparty, each of which can still be overridden. Empty for an unknown name.
[[nodiscard]] std::optional<SessionSettings> settings_of_profile(std::string_view profile);
/// The same by its value; one without a word counts as Profile::Standard.
[[nodiscard]] SessionSettings settings_of_profile(Profile profile);

/// All problems as lines of text.
[[nodiscard]] std::string text_of(const Problems& problems);

/// Reads an INI file and the files it includes: `[GROUP]`, `key=value`, `#` comments, `${NAME}`
/// from the environment. A group's kind follows from `type` (engine, client, server, session,
/// application, route, failover, and defaults of these), from its name (ENGINE, APPLICATION,
/// DEFAULTS) or from its keys (accept_port, primary_address, begin_string). Files that keys name
/// must exist. See docs/reference/configuration.md.
[[nodiscard]] std::expected<Configuration, Problems> load_configuration(const std::string& path);

/// Parses the same format from text. `where` names the text in problems, and included files are
/// resolved beside that path. Does not check files that keys name: Engine::open() does.
[[nodiscard]] std::expected<Configuration, Problems> parse_configuration(std::string_view text,
                                                                         const std::string& where);

/// Parses session groups for a running engine (Engine::add_sessions): refuses groups of other
/// kinds, and defaults groups apply to this text only. Files that keys name must exist.
[[nodiscard]] std::expected<std::vector<SessionSettings>, Problems> parse_sessions(
    std::string_view text, const std::string& where);

}  // namespace affix::inline v0::config
