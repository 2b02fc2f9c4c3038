// SPDX-License-Identifier: MIT
// Keys of session groups, except the practices of counterparties.
#include "affix/session/options.hpp"

#include "config/configuration_keys.hpp"
#include "config/worker_plan.hpp"

#include <array>

namespace affix::inline v0::config {

namespace {

constexpr std::int64_t throttle_max = session::throttle_limit_max;
constexpr std::int64_t window_max = 3'600'000;
constexpr std::string_view versions = "FIX.4.0|FIX.4.1|FIX.4.2|FIX.4.3|FIX.4.4|FIXT.1.1";

namespace session_rows {

using Settings = SessionSettings;
using Key = ConfigurationKey<Settings>;

// clang-format off: one key a row, and its sentence of the reference on one line.
constexpr std::array table{
    Key{"enabled", &Settings::enabled}.reloads(KeyReload::Switches)
        .means("whether the session connects, or its Logons are accepted; see [Changing sessions while running](#changing-sessions-while-running)"),
    Key{"acceptor_template", &Settings::acceptor_template}
        .means("the group is not a session but a template: sessions are created from it for peers whose ids match its patterns, see [Acceptor templates](#acceptor-templates)"),
    Key{"template_sessions_max", &Settings::template_sessions_max}.between(1, 100'000)
        .means("with `acceptor_template`: maximum number of sessions of the template at one time"),
    Key{"template_retire_seconds", &Settings::template_retire_seconds}.between(0, int31_max).in(Measure::Seconds)
        .means("with `acceptor_template`: time after its logout at which a session is removed and its memory freed; 0: never"),
    Key{"instance", &Settings::instance}.reloads(KeyReload::Refused)
        .means("name of the session's client or server group; not needed if the file has only one"),
    Key{"callback_thread", &Settings::callback_thread}.between(-1, callback_threads_max - 1).reloads(KeyReload::Refused)
        .means("thread that runs the session's callbacks, see [Callback threads](#callback-threads); -1: its worker"),
    Key{"worker", &Settings::worker}.between(-1, workers_max - 1).reloads(KeyReload::Refused)
        .means("worker of the session, from 0; -1: sessions are distributed over the group's workers in turn"),
    Key{"profile", choice_of<&Settings::profile, Profile::Standard, Profile::Quickfix, Profile::Cme, Profile::RoundTheClock>()}.one_of("standard|quickfix|cme|24x7").reloads(KeyReload::WithOthers)
        .means("set of defaults for the other keys: [session profiles](session-profiles.md)"),
    Key{"begin_string", &Settings::begin_string}.one_of(versions)
        .means("FIX version"),
    Key{"sender_comp_id", &Settings::sender_comp_id}
        .means("our CompID: 49 of messages we send"),
    Key{"target_comp_id", &Settings::target_comp_id}
        .means("the peer's CompID: 56 of messages we send"),
    Key{"sender_sub_id", &Settings::sender_sub_id}
        .means("50 of messages we send"),
    Key{"target_sub_id", &Settings::target_sub_id}
        .means("57 of messages we send"),
    Key{"sender_location_id", &Settings::sender_location_id}
        .means("142 of messages we send"),
    Key{"target_location_id", &Settings::target_location_id}
        .means("143 of messages we send"),
    Key{"on_behalf_of_comp_id", &Settings::on_behalf_of_comp_id}
        .means("if set, 115 of received messages must be absent or equal to it"),
    Key{"deliver_to_comp_id", &Settings::deliver_to_comp_id}
        .means("if set, 128 of received messages must be absent or equal to it"),
    Key{"allowed_peer_addresses", &Settings::allowed_peer_addresses}.written_as("comma-separated addresses and networks").reloads(KeyReload::InPlace)
        .means("acceptors: addresses from which the peer may log on, in addition to its server's check, see [Addresses](#addresses); empty: any"),
    Key{"tls_peer", &Settings::tls_peer}.written_as("semicolon-separated rules")
        .means("identity that the TLS peer must have: `cn:`, `dns:`, `uri:`, `email:`, `subject:`, `certificate:`, `key:` or `psk:` with a value; one of the rules must hold before the Logon is processed"),
    Key{"additional_static_header_tags", &Settings::additional_static_header_tags}.written_as("comma-separated tag=value")
        .means("further header fields of every message we send"),
    Key{"include_last_processed_seqnum_in_header", &Settings::include_last_processed_seqnum_in_header}
        .means("sends 369 in every message"),
    Key{"timestamp_subseconds_precision", choice_of<&Settings::timestamp_subseconds_precision, wire::TimePrecision::Nanos, wire::TimePrecision::Micros, wire::TimePrecision::Millis, wire::TimePrecision::Seconds>()}.one_of("NANO|MICRO|MILLI|NONE")
        .means("precision of 52"),
    Key{"heartbeat_interval_seconds", &Settings::heartbeat_interval_seconds}.between(0, 86'400).in(Measure::Seconds)
        .means("108 that an initiator sends; 0: no heartbeats"),
    Key{"heartbeat_interval_seconds_min", &Settings::heartbeat_interval_seconds_min}.between(0, 86'400).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("lowest 108 that is accepted in a peer's Logon"),
    Key{"heartbeat_interval_seconds_max", &Settings::heartbeat_interval_seconds_max}.between(0, 86'400).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("highest 108 that is accepted in a peer's Logon"),
    Key{"receive_grace_percent", &Settings::receive_grace_percent}.between(0, 1'000).reloads(KeyReload::InPlace)
        .means("silence, in percent beyond 108, after which we send a TestRequest; after as much again we disconnect"),
    Key{"test_answer", choice_of<&Settings::test_answer, session::TestAnswer::AnyMessage, session::TestAnswer::FirstMessage, session::TestAnswer::MatchingHeartbeat>()}.one_of("ANY_MESSAGE|FIRST_MESSAGE|MATCHING_HEARTBEAT")
        .means("answer to a TestRequest that proves the peer alive: any message, any message (which also ends the test at once), or the Heartbeat with its 112"),
    Key{"logon_timeout_seconds", &Settings::logon_timeout_seconds}.between(1, 3'600).in(Measure::Seconds)
        .means("time from the connection to an accepted Logon"),
    Key{"logout_timeout_seconds", &Settings::logout_timeout_seconds}.between(1, 3'600).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("time from our Logout to its answer"),
    Key{"fault_logout_timeout_seconds", &Settings::fault_logout_timeout_seconds}.between(1, 3'600).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("the same if a fault of the peer caused our Logout"),
    Key{"logout_answered_timeout_seconds", &Settings::logout_answered_timeout_seconds}.between(1, 3'600).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("time from our answer to the peer's Logout until the peer must have disconnected"),
    Key{"fault_logout", choice_of<&Settings::fault_logout, session::FaultLogout::AwaitAnswer, session::FaultLogout::CloseAtOnce>()}.one_of("AWAIT_ANSWER|CLOSE_AT_ONCE")
        .means("action after our Logout for a fault of the peer"),
    Key{"output_timeout_seconds", &Settings::output_timeout_seconds}.between(1, 3'600).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("time for which output may wait for a peer that does not read; then the connection is closed"),
    Key{"default_app_ver_id", &Settings::default_app_ver_id}.written_as("0 to 10")
        .means("DefaultApplVerID (1137), FIXT.1.1 only"),
    Key{"logon_username", &Settings::logon_username}.reloads(KeyReload::InPlace)
        .means("client: 553 of our Logon; server: 553 that a peer's Logon must have"),
    Key{"logon_password", &Settings::logon_password}.reloads(KeyReload::InPlace).kept_secret()
        .means("client: 554 of our Logon; server: 554 that a peer's Logon must have; never logged or stored"),
    Key{"logon_password_hash", &Settings::logon_password_hash}.written_as("pbkdf2_sha256$...").reloads(KeyReload::InPlace).kept_secret()
        .means("server: replaces logon_password by a hash, as `affix config hash-password` prints it"),
    Key{"logon_message_new_password", &Settings::logon_message_new_password}.reloads(KeyReload::InPlace).kept_secret()
        .means("925 of our Logon; never logged or stored"),
    Key{"logon_reset_sequence_numbers", &Settings::logon_reset_sequence_numbers}
        .means("sets both numbers to 1 at every logon (141=Y)"),
    Key{"logon_include_next_expected_seq_no", &Settings::logon_include_next_expected_seq_no}
        .means("sends 789 in our Logon"),
    Key{"logon_max_message_size", &Settings::logon_max_message_size}.between(0, buffer_max).in(Measure::Bytes)
        .means("383 of our Logon; 0: not sent"),
    Key{"test_message_indicator", choice_of<&Settings::test_message_indicator, session::TestMessages::Ignore, session::TestMessages::Production, session::TestMessages::Test>()}.one_of("IGNORE|PRODUCTION|TEST")
        .means("TestMessageIndicator (464): ignored; a Logon with Y is refused; or Y is sent and required"),
    Key{"refused_logon_number", choice_of<&Settings::refused_logon_number, session::RefusalNumber::Keep, session::RefusalNumber::Take>()}.one_of("KEEP|TAKE")
        .means("whether the Logout that refuses a Logon consumes an outgoing number"),
    Key{"mid_session_reset", choice_of<&Settings::mid_session_reset, session::MidSessionReset::Accept, session::MidSessionReset::AcceptInSync, session::MidSessionReset::Refuse>()}.one_of("ACCEPT|ACCEPT_IN_SYNC|REFUSE")
        .means("answer to a Logon with 141=Y in mid-session; ACCEPT_IN_SYNC: refused while messages of the peer are missing"),
    Key{"reset_on_logout", &Settings::reset_on_logout}
        .means("sets both numbers to 1 after a logout"),
    Key{"reset_on_disconnect", &Settings::reset_on_disconnect}
        .means("sets both numbers to 1 after any disconnection"),
    Key{"reset_start", choice_of<&Settings::reset_start, session::ResetStart::AtOnce, session::ResetStart::InSync>()}.one_of("AT_ONCE|IN_SYNC")
        .means("when we start a reset in mid-session; IN_SYNC: after a TestRequest has been answered and neither side misses messages"),
    Key{"daily_reset_utc", &Settings::daily_reset_utc}.written_as("HH:MM, HH:MM:SS")
        .means("time of day at which the numbers are reset in mid-session; if the session is disconnected or no process runs then, after the next logon"),
    Key{"schedule_week_days", &Settings::schedule_week_days}.written_as("digits 1 (Monday) to 7, separated by dashes")
        .means("days on which the session runs, in UTC: [below](#schedule); empty: every day"),
    Key{"start_hour_utc", &Settings::start_hour_utc}.between(-1, 23)
        .means("hour at which the session starts on these days; -1: whole days, here and in the next three keys"),
    Key{"start_minute_utc", &Settings::start_minute_utc}.between(-1, 59)
        .means("minute of the start"),
    Key{"end_hour_utc", &Settings::end_hour_utc}.between(-1, 23)
        .means("hour at which the session ends; on the next day if the end is not after the start"),
    Key{"end_minute_utc", &Settings::end_minute_utc}.between(-1, 59)
        .means("minute of the end"),
    Key{"schedule_windows", &Settings::schedule_windows}.written_as("comma-separated windows")
        .means("the same with several windows, windows of several days and a time zone: [below](#schedule)"),
    Key{"schedule_time_zone", &Settings::schedule_time_zone}.written_as("name in the tz database")
        .means("time zone of `schedule_windows`, `schedule_logon_windows` and the holidays"),
    Key{"schedule_logon_windows", &Settings::schedule_logon_windows}.written_as("comma-separated windows")
        .means("times within the session's windows at which logons are sent and accepted; empty: always within them"),
    Key{"schedule_holidays_file", &Settings::schedule_holidays_file}.written_as("path")
        .means("file of dates on which no window begins"),
    Key{"schedule_reset_at_start", &Settings::schedule_reset_at_start}
        .means("sets both numbers to 1 once at the start of each window; not with `send_while_disconnected=QUEUE`"),
    Key{"secret_tags", &Settings::secret_tags}.written_as("comma-separated tags")
        .means("tags masked in every stored message, beside 554, 925, 1402 and 1404, and 96 of Logon and UserRequest; a gap fill replaces such a message in a resend"),
    Key{"send_while_disconnected", choice_of<&Settings::send_while_disconnected, session::SendWhileDown::Refuse, session::SendWhileDown::Queue>()}.one_of("REFUSE|QUEUE")
        .means("handling of a message sent while the session is not logged on: refused; or numbered and stored, and requested by the peer after the next logon"),
    Key{"send_queue_max", &Settings::send_queue_max}.between(1, int31_max).reloads(KeyReload::InPlace)
        .means("maximum number of messages queued while disconnected; further ones are refused"),
    Key{"second_logon", choice_of<&Settings::second_logon, SecondLogon::Refuse, SecondLogon::Probe>()}.one_of("REFUSE|PROBE").reloads(KeyReload::InPlace)
        .means("handling of a second connection for a session that has one: closed; or kept waiting while the first one is tested by a TestRequest, and replaces it if it does not answer"),
    Key{"second_logon_probe_milliseconds", &Settings::second_logon_probe_milliseconds}.between(1, 60'000).in(Measure::Milliseconds).reloads(KeyReload::InPlace)
        .means("time that the first connection has to answer; it does not run while a limit stops us from reading that connection"),
    Key{"cancel_on_disconnect", choice_of<&Settings::cancel_on_disconnect, CancelOnDisconnect::Off, CancelOnDisconnect::Disconnect, CancelOnDisconnect::Logout, CancelOnDisconnect::Both>()}.one_of("OFF|DISCONNECT|LOGOUT|BOTH")
        .means("when the engine asks the application to cancel the session's open orders (`Application::on_cancel_orders()`): never, after a lost connection, after an orderly logout, or both"),
    Key{"cancel_on_disconnect_grace_milliseconds", &Settings::cancel_on_disconnect_grace_milliseconds}.between(0, 3'600'000).in(Measure::Milliseconds)
        .means("delay before that request; a Logon within it cancels the request"),
    Key{"cancel_on_disconnect_tags", &Settings::cancel_on_disconnect_tags}
        .means("whether the peer's Logon may override both: 35002 with 0 (never), 1 (lost), 2 (logged out) or 3 (both), 35003 with milliseconds up to 60000, as B3 defines them; a Logon without them keeps the last values"),
    Key{"validations_enabled", &Settings::validations_enabled}
        .means("whether messages are checked beyond framing and sequence"),
    Key{"dictionary", &Settings::dictionary}.names(FileNeed::Regular)
        .means("dictionary file for validation; empty: none. In FIXT.1.1 sessions that of `default_app_ver_id`"),
    Key{"transport_dictionary", &Settings::transport_dictionary}.names(FileNeed::Regular)
        .means("FIXT.1.1 only: dictionary file of header, trailer and session messages"),
    Key{"further_dictionaries", &Settings::further_dictionaries}.names(FileNeed::RegularList)
        .means("FIXT.1.1 only: comma-separated files of other application versions; 1128 of each message and 1137 of the peer's Logon choose one"),
    Key{"validation_preset", choice_of<&Settings::validation_preset, ValidationPreset::Strict, ValidationPreset::Tolerant, ValidationPreset::Quickfix>()}.one_of("STRICT|TOLERANT|QUICKFIX")
        .means("default action of the rules below"),
    Key{"validation_rules", &Settings::validation_rules}.written_as("comma-separated rule:ACTION")
        .means("actions of single rules, which override the preset"),
    Key{"validate_repeating_groups", &Settings::validate_repeating_groups}
        .means("false: `group_count`, `group_start` and `group_order` are off"),
    Key{"validation_place", choice_of<&Settings::validation_place, session::ValidationPlace::WhenNext, session::ValidationPlace::BeforeNumber>()}.one_of("WHEN_NEXT|BEFORE_NUMBER")
        .means("whether a message is validated when it is next in sequence, or before its number is checked"),
    Key{"validation_order", choice_of<&Settings::validation_order, ValidationOrder::Message, ValidationOrder::Quickfix>()}.one_of("MESSAGE|QUICKFIX")
        .means("which of several faults is reported: the first in the message, or the one that QuickFIX finds first, with QuickFIX's value formats"),
    Key{"max_allowed_message_age_seconds", &Settings::max_allowed_message_age_seconds}.between(0, int31_max).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("maximum difference between 52 and our clock, in either direction; 0: any"),
    Key{"max_message_bytes", &Settings::max_message_bytes}.between(1'024, buffer_max).in(Measure::Bytes)
        .means("largest message that is accepted; a larger one is answered with a Reject and consumes its number"),
    Key{"throttle_limit", &Settings::throttle_limit}.between(0, throttle_max)
        .means("maximum number of application messages in any window of time; 0: any number, [below](#throttling)"),
    Key{"throttle_window_in_milliseconds", &Settings::throttle_window_in_milliseconds}.between(1, window_max).in(Measure::Milliseconds)
        .means("length of that window"),
    Key{"throttle_action", choice_of<&Settings::throttle_action, session::ThrottleAction::Wait, session::ThrottleAction::Disconnect, session::ThrottleAction::Reject>()}.one_of("WAIT|DISCONNECT|REJECT")
        .means("handling of a received message over the limit"),
    Key{"throttler_reject_message", &Settings::throttler_reject_message}
        .means("58 of the answer of REJECT and DISCONNECT"),
    Key{"throttle_direction", choice_of<&Settings::throttle_direction, ThrottleDirection::ByRole, ThrottleDirection::Received>()}.one_of("BY_ROLE|RECEIVED")
        .means("messages that `throttle_limit` counts: BY_ROLE: received ones in a server's session, sent ones in a client's; RECEIVED: received ones in both"),
    Key{"send_throttle_limit", &Settings::send_throttle_limit}.between(0, throttle_max)
        .means("the same for the application messages sent; 0: any number"),
    Key{"send_throttle_window_in_milliseconds", &Settings::send_throttle_window_in_milliseconds}.between(1, window_max).in(Measure::Milliseconds)
        .means("length of that window"),
    Key{"send_throttle_action", choice_of<&Settings::send_throttle_action, SendThrottleAction::Wait, SendThrottleAction::Refuse>()}.one_of("WAIT|REFUSE")
        .means("handling of a message over a limit on sends: it waits and is sent when the limit permits, or is refused"),
    Key{"enable_simd_avx2", &Settings::enable_simd_avx2}
        .means("requests AVX2: with `kernel=AUTO` the process uses it even where a smaller set was chosen, and the log says so if the CPU lacks it. Not needed: AUTO uses AVX2 or better anyway"),
    Key{"replay_messages_on_incoming_resend_request", &Settings::replay_messages_on_incoming_resend_request}.reloads(KeyReload::InPlace)
        .means("resends messages; false: answers with one gap fill"),
    Key{"replay_message_cache_initial_size", &Settings::replay_message_cache_initial_size}.between(0, 4'000'000)
        .means("`durability=memory`: number of sent messages of up to 256 bytes that are kept for resends; at least 1 MiB of them, and eight of the largest message. A journal on the disk keeps all"),
    Key{"max_resend_range", &Settings::max_resend_range}.between(0, int31_max).reloads(KeyReload::InPlace)
        .means("maximum number of messages in one ResendRequest of ours; 0: any. With 1 we request two once messages ahead of the gap no longer fit in memory, because two sides that both miss messages could not catch up otherwise"),
    Key{"resend_request_end", choice_of<&Settings::resend_request_end, session::ResendEnd::Infinity, session::ResendEnd::Gap>()}.one_of("INFINITY|GAP")
        .means("EndSeqNo (16) of our ResendRequest for a gap within `max_resend_range`: 0 (infinity), or the last missing number"),
    Key{"resend_attempts_max", &Settings::resend_attempts_max}.between(1, 1'000).reloads(KeyReload::InPlace)
        .means("number of requests for the same messages without progress before we log out"),
    Key{"include_t97_during_resends", &Settings::include_t97_during_resends}.reloads(KeyReload::InPlace)
        .means("sends 97=Y in resent messages"),
    Key{"resend_policy", &Settings::resend_policy}.written_as("comma-separated type:ACTION")
        .means("resend action for each message type that we send, `*` for all other types: REPLAY, GAP_FILL, or YOUNGER_THAN_5s (ms, s, m, h)"),
    Key{"skipped_in_resend", choice_of<&Settings::skipped_in_resend, session::SkippedInResend::AskAgain, session::SkippedInResend::AwaitExpiry>()}.one_of("ASK_AGAIN|AWAIT_EXPIRY")
        .means("handling of a number that the peer's resend omits: requested at once, or when the request expires"),
    Key{"resend_repeats_max", &Settings::resend_repeats_max}.between(0, 1'000'000).reloads(KeyReload::InPlace)
        .means("number of rapid requests of the peer for the same resend before we log out; 0: any number"),
    Key{"outgoing_resend_request_expire_in_secs", &Settings::outgoing_resend_request_expire_in_secs}.between(1, 86'400).in(Measure::Seconds).reloads(KeyReload::InPlace)
        .means("time after which a ResendRequest without effect is sent again"),
    Key{"journal_path", &Settings::journal_path}.reloads(KeyReload::Refused).names(FileNeed::DirectoryToMake).part_of(Feature::StoredJournal)
        .means("directory that contains the session's journal"),
    Key{"durability", choice_of<&Settings::durability, journal::Durability::Memory, journal::Durability::Process, journal::Durability::Group, journal::Durability::Sync>()}.one_of("memory|process|group|sync").reloads(KeyReload::Refused)
        .means("failures that a stored message survives: [below](#durability)"),
    Key{"group_interval_milliseconds", &Settings::group_interval_milliseconds}.between(1, 60'000).in(Measure::Milliseconds).reloads(KeyReload::Refused)
        .means("`durability=group`: interval at which stored messages are flushed to the disk"),
    Key{"journal_keep_hours", &Settings::journal_keep_hours}.between(0, 1'000'000).in(Measure::Hours).reloads(KeyReload::Refused).part_of(Feature::StoredJournal)
        .means("removes journal segments whose newest record is older; 0: none by age in hours"),
    Key{"journal_keep_days", &Settings::journal_keep_days}.between(0, 100'000).in(Measure::Days).reloads(KeyReload::Refused).part_of(Feature::StoredJournal)
        .means("the same in days, including today; 0: none. Days are UTC days, from midnight to midnight, independent of the venue's trading day and of `daily_reset_utc`: if a trading day crosses midnight UTC, keep one more"),
    Key{"journal_keep_bytes", &Settings::journal_keep_bytes}.between(0, std::int64_t{1} << 50).in(Measure::Bytes).reloads(KeyReload::Refused).part_of(Feature::StoredJournal)
        .means("removes the oldest segments while all together are larger; 0: none"),
    Key{"journal_archive_path", &Settings::journal_archive_path}.reloads(KeyReload::Refused).names(FileNeed::DirectoryToMake).part_of(Feature::StoredJournal)
        .means("directory to which removed segments are moved, one subdirectory per session; empty: they are deleted"),
    Key{"store_order", choice_of<&Settings::store_order, StoreOrder::BeforeSend, StoreOrder::AfterSend>()}.one_of("before_send|after_send")
        .means("whether a message is stored in the journal before or after it is sent; `after_send` not with `durability=sync`"),
    Key{"max_serialised_file_size", &Settings::max_serialised_file_size}.between(0, std::int64_t{1} << 40).in(Measure::Bytes).reloads(KeyReload::Refused)
        .means("maximum size of a journal segment, bytes: a power of two that holds at least two of the largest messages; another value is adjusted with a warning. 0: stores numbers without messages"),
    Key{"sequence_reserve", &Settings::sequence_reserve}.between(0, int31_max).reloads(KeyReload::Refused)
        .means("outgoing numbers that are reserved on the disk ahead, so that the session continues after them after a power loss; more at a time if they are used up within seconds. A number is used only after it is reserved: if the disk does not keep up, the session ends with that reason. 0: none are reserved"),
};
// clang-format on

}  // namespace session_rows

}  // namespace

std::span<const ConfigurationKey<SessionSettings>> session_keys() noexcept {
  return session_rows::table;
}

}  // namespace affix::inline v0::config
