// SPDX-License-Identifier: MIT
// What a session is and how it behaves: identity, timers, limits and policies, with their defaults.
// A plain struct; views into the caller's configuration memory, which outlives the session.
#pragma once

#include "affix/base/time.hpp"
#include "affix/session/admin_fields.hpp"
#include "affix/session/practice.hpp"
#include "affix/session/resend_policy.hpp"
#include "affix/session/secrets.hpp"
#include "affix/session/validator.hpp"
#include "affix/wire/convert.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

enum class Role : std::uint8_t { Initiator, Acceptor };

/// The versions that differ in protocol; all of FIX 5.0 is Fixt11.
enum class Version : std::uint8_t { Fix40, Fix41, Fix42, Fix43, Fix44, Fixt11 };

/// The version of a BeginString; anything unknown is taken for Fixt11, the newest rules.
[[nodiscard]] Version version_of(std::string_view begin_string) noexcept;

/// How a ResendRequest is answered.
enum class ResendAnswer : std::uint8_t {
  Replay,   ///< Application messages again (43=Y), gap fills for the rest.
  GapFill,  ///< One gap fill over everything.
};

/// Where a ResendRequest of ours ends, when the gap is within `resend_range_max`.
enum class ResendEnd : std::uint8_t {
  Infinity,  ///< 16=0 (999999 up to FIX.4.1): what the standard recommends.
  Gap,  ///< The last missing number: what came ahead of the gap is held and never asked for again.
};

/// What ends a session on which the peer has made a fault that the standard answers with a Logout.
enum class FaultLogout : std::uint8_t {
  AwaitAnswer,  ///< Their Logout, or `fault_logout_timeout_ns`, whichever is first.
  CloseAtOnce,
};

/// Whether the Logout that refuses a Logon takes an outgoing number.
enum class RefusalNumber : std::uint8_t {
  Keep,  ///< It carries the next number and leaves it: a refused Logon changes nothing.
  Take,  ///< For counterparties that count it.
};

/// What a Logon with 141=Y does in the middle of a session.
enum class MidSessionReset : std::uint8_t {
  Accept,
  AcceptInSync,  ///< Refused while messages of theirs are missing, which no resend reaches later.
  Refuse,
};

/// When our own reset in mid-session begins.
enum class ResetStart : std::uint8_t {
  AtOnce,
  InSync,  ///< When a TestRequest was answered and neither side misses anything, so that no message
           ///< is left behind in the old sequence.
};

/// What becomes of a message of the application's when the session is not active.
enum class SendWhileDown : std::uint8_t {
  Refuse,
  Queue,  ///< It is numbered and stored, and the peer gets it after the next Logon (scenario 16).
};

/// What follows when a resend of theirs leaves out a number we asked for.
enum class SkippedInResend : std::uint8_t {
  AskAgain,     ///< At once, when the next message of the resend shows it.
  AwaitExpiry,  ///< When the request expires.
};

/// What proves a silent peer alive after a TestRequest.
enum class TestAnswer : std::uint8_t {
  AnyMessage,         ///< Anything received; a missing Heartbeat with that 112 is reported.
  FirstMessage,       ///< Anything received, and with the first message the test is over.
  MatchingHeartbeat,  ///< Only the Heartbeat with that 112.
};

/// When the validator is asked about a message in session; a first Logon is judged as a whole.
enum class ValidationPlace : std::uint8_t {
  /// When it is next in sequence, so that a message is judged once however often it comes.
  WhenNext,
  /// Before its number, time and identity are looked at, as QuickFIX does: a message ahead of a gap
  /// or a duplicate is judged too, and then a Reject takes no number. Malformed fields and missing
  /// CompIDs are found before the validator is asked, SendingTime is judged before CompIDs.
  BeforeNumber,
};

/// TestMessageIndicator (464).
enum class TestMessages : std::uint8_t {
  Ignore,      ///< Neither sent nor looked at.
  Production,  ///< A Logon with 464=Y is refused.
  Test,        ///< 464=Y is sent, and a Logon without it is refused.
};

/// What becomes of an application message of theirs that is one too many for `throttle_limit`.
enum class ThrottleAction : std::uint8_t {
  Wait,        ///< It is not taken yet: on_message says Blocked until there is room for it.
  Disconnect,  ///< Logout with `throttle_text`, and the end. It stays unread, so that it is asked
               ///< for after the next Logon.
  Reject,      ///< It takes its number and is answered on the business level with `throttle_text`.
};

struct SessionOptions {
  // Identity. Empty optional parts are neither sent nor checked.
  Role role = Role::Initiator;
  std::string_view begin_string = "FIX.4.4";
  std::string_view sender_comp_id;      ///< Ours, 49 of what we send.
  std::string_view target_comp_id;      ///< Theirs, 56 of what we send.
  std::string_view sender_sub_id;       ///< 50 sent, 57 received.
  std::string_view sender_location_id;  ///< 142 sent, 143 received.
  std::string_view target_sub_id;       ///< 57 sent, 50 received.
  std::string_view target_location_id;  ///< 143 sent, 142 received.
  std::string_view
      on_behalf_of_comp_id;  ///< When set, 115 of what we receive must equal it if present.
  std::string_view
      deliver_to_comp_id;  ///< When set, 128 of what we receive must equal it if present.

  // Outgoing header.
  /// Rendering of 52; versions before FIX.4.2 allow seconds only and get seconds.
  wire::TimePrecision time_precision = wire::TimePrecision::Nanos;
  /// Further header fields of every message, encoded `tag=value SOH` runs, at most
  /// `header_bytes_max` with the identity.
  std::string_view static_header_fields;
  bool include_last_processed = false;  ///< 369, from FIX.4.2.

  // Logon.
  std::int64_t heartbeat_interval_ns =
      30 * base::ns_per_second;  ///< 108 an initiator asks for; whole seconds; 0 = none.
  std::int64_t heartbeat_interval_min_ns = 0;  ///< Limits on the 108 of a Logon received.
  std::int64_t heartbeat_interval_max_ns = 86'400 * base::ns_per_second;
  std::string_view default_appl_ver_id;  ///< 1137, FIXT.1.1 only: "7" is FIX.5.0, "8" SP1, "9" SP2.
  std::string_view username;             ///< 553, an initiator's.
  std::string_view password;             ///< 554, an initiator's; never persisted.
  std::string_view new_password;         ///< 925, an initiator's; never persisted.
  bool include_next_expected =
      false;  ///< 789 in our Logon; it is sent too whenever their Logon has it.
  std::uint32_t max_message_size = 0;  ///< 383 in our Logon; 0 = not sent.
  TestMessages test_messages = TestMessages::Ignore;
  bool reset_on_logon = false;   ///< Both numbers to 1 at every logon; an initiator sends 141=Y.
  bool reset_on_logout = false;  ///< Both numbers to 1 once a Logout is answered.
  bool reset_on_disconnect =
      false;  ///< Both numbers to 1 when the connection ends, however it ends.
  MidSessionReset mid_session_reset = MidSessionReset::Accept;
  ResetStart reset_start = ResetStart::AtOnce;
  RefusalNumber refusal_number = RefusalNumber::Keep;
  AdminFields admin_fields;  ///< Empty: session messages are the session's alone.
  SecretTags secret_tags;    ///< Beside the passwords: overwritten in stored copies of Logons.

  // Timers.
  std::int64_t logon_timeout_ns =
      5 * base::ns_per_second;  ///< From the connect to an accepted Logon.
  std::int64_t logout_timeout_ns = 5 * base::ns_per_second;  ///< From our Logout to their answer.
  std::int64_t fault_logout_timeout_ns =
      2 * base::ns_per_second;  ///< The same when a fault of theirs made us.
  std::int64_t logout_answered_timeout_ns =
      10 * base::ns_per_second;  ///< From our answer until they disconnect.
  std::int64_t message_age_max_ns =
      120 * base::ns_per_second;  ///< |now - 52| allowed, either way; 0 = any.
  std::uint32_t receive_grace_percent =
      20;  ///< Silence beyond HeartBtInt before a TestRequest, and again before giving up.
  TestAnswer test_answer = TestAnswer::AnyMessage;

  // Resends.
  ResendAnswer resend_answer = ResendAnswer::Replay;
  ResendEnd resend_end = ResendEnd::Infinity;
  /// Numbers in one ResendRequest of ours; a larger gap is asked for in pieces. 0 = any; 1 counts
  /// as 2 while what comes ahead of the gap does not fit the hold.
  std::uint64_t resend_range_max = 10'000;
  std::uint32_t resend_attempts_max = 3;  ///< Requests without progress before Logout.
  std::int64_t resend_expiry_ns =
      30 * base::ns_per_second;              ///< Without progress for so long, ask again.
  bool mark_possible_resend = false;         ///< 97=Y on what we resend.
  std::span<const ResendRule> resend_rules;  ///< For ResendAnswer::Replay; the first of a type
                                             ///< counts.
  ResendPolicy resend_policy;                ///< Of types without a rule.
  SkippedInResend skipped_in_resend = SkippedInResend::AskAgain;
  /// ResendRequests of theirs with the same beginning, each within twice `resend_expiry_ns` of the
  /// last, before Logout; 0 = any number.
  std::uint32_t resend_repeats_max = 32;

  // Sending.
  SendWhileDown send_while_down = SendWhileDown::Refuse;
  std::uint64_t queued_max = 10'000;  ///< Messages between two sessions, with SendWhileDown::Queue.

  // Faults.
  FaultLogout fault_logout = FaultLogout::AwaitAnswer;
  Validator validator;  ///< Empty: nothing but the session protocol is checked.
  ValidationPlace validation_place = ValidationPlace::WhenNext;

  // Throttling of what is received.
  /// Application messages of theirs in any window of `throttle_window_ns`; 0 = any number. Each
  /// counts once, when it comes in sequence or is held ahead of a gap; not a possible duplicate
  /// that fills a gap, which was asked for.
  std::uint32_t throttle_limit = 0;
  std::int64_t throttle_window_ns = base::ns_per_second;
  ThrottleAction throttle_action = ThrottleAction::Wait;
  std::string_view throttle_text = "Message rate limit exceeded";  ///< 58 of Logout and Reject.

  Practice practice;  ///< What else counterparties do differently from one another.
};

/// Largest `throttle_limit`; each costs eight bytes.
inline constexpr std::uint32_t throttle_limit_max = 1'000'000;

/// What is wrong with options, or nullptr. To be asked before a Session is made; static storage.
[[nodiscard]] const char* option_fault(const SessionOptions& options) noexcept;

}  // namespace affix::inline v0::session
