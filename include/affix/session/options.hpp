// SPDX-License-Identifier: MIT
// Configuration of a session: identity, timers, limits and policies, with their defaults. A plain
// struct of views; the caller's configuration memory must outlive the session.
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

/// Versions that differ in protocol; all of FIX 5.0 is Fixt11.
enum class Version : std::uint8_t { Fix40, Fix41, Fix42, Fix43, Fix44, Fixt11 };

/// Maps a BeginString; an unknown one becomes Fixt11, the newest rules.
[[nodiscard]] Version version_of(std::string_view begin_string) noexcept;

/// Answer to a ResendRequest.
enum class ResendAnswer : std::uint8_t {
  Replay,   ///< Resends application messages (43=Y), gap fills for the rest.
  GapFill,  ///< Sends one gap fill over the whole range.
};

/// EndSeqNo of our ResendRequest, if the gap is within `resend_range_max`.
enum class ResendEnd : std::uint8_t {
  Infinity,  ///< 16=0 (999999 up to FIX.4.1): the standard's recommendation.
  Gap,       ///< The last missing number: held messages are not requested again.
};

/// End of a session after a fault of the peer that the standard answers with a Logout.
enum class FaultLogout : std::uint8_t {
  AwaitAnswer,  ///< Until their Logout, or `fault_logout_timeout_ns`.
  CloseAtOnce,
};

/// Defines if a Logout that refuses a Logon consumes an outgoing number.
enum class RefusalNumber : std::uint8_t {
  Keep,  ///< No: it has the next number without consuming it; a refused Logon changes nothing.
  Take,  ///< Yes: for counterparties that count it.
};

/// Reaction to a Logon with 141=Y in mid-session.
enum class MidSessionReset : std::uint8_t {
  Accept,
  AcceptInSync,  ///< Refused while we miss messages, which could not be resent later.
  Refuse,
};

/// Start of our own reset in mid-session.
enum class ResetStart : std::uint8_t {
  AtOnce,
  InSync,  ///< After an answered TestRequest, when neither side misses messages, so that none is
           ///< lost in the old sequence.
};

/// Handling of application messages while the session is not active.
enum class SendWhileDown : std::uint8_t {
  Refuse,
  Queue,  ///< Numbers and stores it; sends it after the next Logon (scenario 16).
};

/// Reaction when a resend of the peer omits a number that we requested.
enum class SkippedInResend : std::uint8_t {
  AskAgain,     ///< Immediately, at the next message of the resend.
  AwaitExpiry,  ///< When the request expires.
};

/// Proof that a silent peer is alive after a TestRequest.
enum class TestAnswer : std::uint8_t {
  AnyMessage,         ///< Any input; reports if the Heartbeat with that TestReqID is missing.
  FirstMessage,       ///< Any input; the first message ends the test.
  MatchingHeartbeat,  ///< Only the Heartbeat with that TestReqID (112).
};

/// Time of validation while logged on; a first Logon is validated as a whole.
enum class ValidationPlace : std::uint8_t {
  /// When next in sequence, so that each message is validated once.
  WhenNext,
  /// Before its number, time and identity are checked, like QuickFIX: messages ahead of a gap and
  /// duplicates are validated too, and their Reject consumes no number. Malformed fields and
  /// missing CompIDs are found earlier; SendingTime is checked before CompIDs.
  BeforeNumber,
};

/// TestMessageIndicator (464).
enum class TestMessages : std::uint8_t {
  Ignore,      ///< Neither sent nor checked.
  Production,  ///< Refuses a Logon with 464=Y.
  Test,        ///< Sends 464=Y and refuses a Logon without it.
};

/// Handling of a received application message that exceeds `throttle_limit`.
enum class ThrottleAction : std::uint8_t {
  Wait,        ///< Delays it: on_message returns Blocked until it is allowed.
  Disconnect,  ///< Logout with `throttle_text`, then disconnects. The message stays unread and is
               ///< requested after the next Logon.
  Reject,      ///< Consumes its number and rejects it on the business level with `throttle_text`.
};

struct SessionOptions {
  // Identity. Empty optional parts are neither sent nor checked.
  Role role = Role::Initiator;
  std::string_view begin_string = "FIX.4.4";
  std::string_view sender_comp_id;      ///< Ours: SenderCompID (49) sent.
  std::string_view target_comp_id;      ///< Theirs: TargetCompID (56) sent.
  std::string_view sender_sub_id;       ///< 50 sent, 57 received.
  std::string_view sender_location_id;  ///< 142 sent, 143 received.
  std::string_view target_sub_id;       ///< 57 sent, 50 received.
  std::string_view target_location_id;  ///< 143 sent, 142 received.
  std::string_view
      on_behalf_of_comp_id;  ///< If set, received messages with a 115 must have this value.
  std::string_view
      deliver_to_comp_id;  ///< If set, received messages with a 128 must have this value.

  // Outgoing header.
  /// Precision of SendingTime (52); before FIX.4.2 it always has seconds only.
  wire::TimePrecision time_precision = wire::TimePrecision::Nanos;
  /// Additional header fields of every message, as encoded `tag=value SOH`; with the identity at
  /// most `header_bytes_max`.
  std::string_view static_header_fields;
  bool include_last_processed = false;  ///< LastMsgSeqNumProcessed (369), from FIX.4.2.

  // Logon.
  std::int64_t heartbeat_interval_ns =
      30 * base::ns_per_second;  ///< HeartBtInt (108) of an initiator; whole seconds; 0 = none.
  std::int64_t heartbeat_interval_min_ns = 0;  ///< Limits for a received HeartBtInt.
  std::int64_t heartbeat_interval_max_ns = 86'400 * base::ns_per_second;
  std::string_view default_appl_ver_id;  ///< DefaultApplVerID (1137): "7" is 5.0, "8" SP1, "9" SP2.
  std::string_view username;             ///< Username (553) of an initiator.
  std::string_view password;             ///< Password (554) of an initiator; never persisted.
  std::string_view new_password;         ///< NewPassword (925) of an initiator; never persisted.
  bool include_next_expected =
      false;  ///< NextExpectedMsgSeqNum (789) in our Logon; also sent if their Logon has it.
  std::uint32_t max_message_size = 0;  ///< MaxMessageSize (383) in our Logon; 0 = not sent.
  TestMessages test_messages = TestMessages::Ignore;
  bool reset_on_logon = false;   ///< Both numbers to 1 at every logon; an initiator sends 141=Y.
  bool reset_on_logout = false;  ///< Both numbers to 1 after an answered Logout.
  bool reset_on_disconnect =
      false;  ///< Both numbers to 1 when a connection ends, for whatever reason.
  MidSessionReset mid_session_reset = MidSessionReset::Accept;
  ResetStart reset_start = ResetStart::AtOnce;
  RefusalNumber refusal_number = RefusalNumber::Keep;
  AdminFields admin_fields;  ///< Empty: adds nothing to session messages.
  SecretTags secret_tags;    ///< Besides passwords: masked in stored Logons.

  // Timers.
  std::int64_t logon_timeout_ns =
      5 * base::ns_per_second;  ///< From the connection to an accepted Logon.
  std::int64_t logout_timeout_ns = 5 * base::ns_per_second;  ///< From our Logout to the answer.
  std::int64_t fault_logout_timeout_ns =
      2 * base::ns_per_second;  ///< Same after a fault of the peer.
  std::int64_t logout_answered_timeout_ns =
      10 * base::ns_per_second;  ///< From our answer to their disconnect.
  std::int64_t message_age_max_ns =
      120 * base::ns_per_second;  ///< Maximum of |now - 52|, in either direction; 0 = any.
  std::uint32_t receive_grace_percent =
      20;  ///< Silence beyond HeartBtInt before a TestRequest, and again before disconnecting.
  TestAnswer test_answer = TestAnswer::AnyMessage;

  // Resends.
  ResendAnswer resend_answer = ResendAnswer::Replay;
  ResendEnd resend_end = ResendEnd::Infinity;
  /// Maximum range of our ResendRequest; a larger gap is requested in pieces. 0 = any; 1 counts as
  /// 2 while messages ahead of the gap do not fit the hold.
  std::uint64_t resend_range_max = 10'000;
  std::uint32_t resend_attempts_max = 3;  ///< Requests without progress before a Logout.
  std::int64_t resend_expiry_ns =
      30 * base::ns_per_second;       ///< Repeats the request after this time without progress.
  bool mark_possible_resend = false;  ///< Sets 97=Y in resent messages.
  std::span<const ResendRule> resend_rules;  ///< For ResendAnswer::Replay; the first rule of a type
                                             ///< applies.
  ResendPolicy resend_policy;                ///< For types without a rule.
  SkippedInResend skipped_in_resend = SkippedInResend::AskAgain;
  /// The peer's ResendRequests with the same BeginSeqNo, each within twice `resend_expiry_ns` of
  /// the previous, before a Logout; 0 = any number.
  std::uint32_t resend_repeats_max = 32;

  // Sending.
  SendWhileDown send_while_down = SendWhileDown::Refuse;
  std::uint64_t queued_max = 10'000;  ///< Maximum of queued messages, with SendWhileDown::Queue.

  // Faults.
  FaultLogout fault_logout = FaultLogout::AwaitAnswer;
  Validator validator;  ///< Empty: checks only the session protocol.
  ValidationPlace validation_place = ValidationPlace::WhenNext;

  // Throttling of received messages.
  /// Maximum received application messages in any `throttle_window_ns`; 0 = any number. Each counts
  /// once, when it arrives in sequence or is held ahead of a gap; possible duplicates that fill a
  /// gap do not count, because we requested them.
  std::uint32_t throttle_limit = 0;
  std::int64_t throttle_window_ns = base::ns_per_second;
  ThrottleAction throttle_action = ThrottleAction::Wait;
  std::string_view throttle_text = "Message rate limit exceeded";  ///< Text (58) of the answer.

  Practice practice;  ///< Other rules in which counterparties differ.
};

/// Largest `throttle_limit`; each message of it costs eight bytes.
inline constexpr std::uint32_t throttle_limit_max = 1'000'000;

/// Fault of options.
enum class OptionFault : std::uint8_t {
  None,
  NoCompId,
  StaticFieldsMalformed,
  HeaderInvalid,
  HeartbeatInterval,
  HeartbeatLimits,
  CredentialsTooLong,
  CredentialsHoldSoh,
  NoApplVerId,
  TimeOut,
  ResendAge,
  Throttle,
  ThrottleText,
  QueueLostByReset,
  QueueGapFilled,
  QueueHasNoRoom,
};

/// Description of a fault; static storage.
[[nodiscard]] const char* to_text(OptionFault fault) noexcept;

/// Finds the first fault of the options, or None. Call it before making a Session.
[[nodiscard]] OptionFault option_fault(const SessionOptions& options) noexcept;

}  // namespace affix::inline v0::session
