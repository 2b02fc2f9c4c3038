// SPDX-License-Identifier: MIT
// Settings converted for lower layers, and static header fields.
#include "config/session_options.hpp"

#include "affix/config/words.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::config {
namespace {

SessionSettings settings() {
  SessionSettings made;
  made.name = "S";
  made.begin_string = "FIX.4.4";
  made.sender_comp_id = "US";
  made.target_comp_id = "THEM";
  return made;
}

TEST(SessionOptions, UnitsBecomeNanoseconds) {
  SessionSettings made = settings();
  made.heartbeat_interval_seconds = 17;
  made.logon_timeout_seconds = 3;
  made.logout_timeout_seconds = 4;
  made.max_allowed_message_age_seconds = 5;
  made.outgoing_resend_request_expire_in_secs = 6;
  const SessionTexts texts;
  const session::SessionOptions options = session_options(made, texts, session::Role::Acceptor);
  EXPECT_EQ(session::option_fault(options), session::OptionFault::None);
  EXPECT_EQ(options.role, session::Role::Acceptor);
  EXPECT_EQ(options.heartbeat_interval_ns, 17'000'000'000);
  EXPECT_EQ(options.logon_timeout_ns, 3'000'000'000);
  EXPECT_EQ(options.logout_timeout_ns, 4'000'000'000);
  EXPECT_EQ(options.message_age_max_ns, 5'000'000'000);
  EXPECT_EQ(options.resend_expiry_ns, 6'000'000'000);
}

TEST(SessionOptions, WordsBecomeValues) {
  SessionSettings made = settings();
  const SessionTexts texts;
  const auto precision = [&](const char* word) {
    EXPECT_TRUE(choose(made, "timestamp_subseconds_precision", word));
    return session_options(made, texts, session::Role::Initiator).time_precision;
  };
  EXPECT_EQ(precision("NONE"), wire::TimePrecision::Seconds);
  EXPECT_EQ(precision("MILLI"), wire::TimePrecision::Millis);
  EXPECT_EQ(precision("MICRO"), wire::TimePrecision::Micros);
  EXPECT_EQ(precision("NANO"), wire::TimePrecision::Nanos);
  made.replay_messages_on_incoming_resend_request = false;
  made.validations_enabled = false;
  const session::SessionOptions options = session_options(made, texts, session::Role::Initiator);
  EXPECT_EQ(options.resend_answer, session::ResendAnswer::GapFill);
  EXPECT_EQ(options.message_age_max_ns, 0);
}

/// The options of a session group with one more line.
session::SessionOptions options_with(const std::string& line) {
  const auto configuration = parse_configuration(
      "[SERVER]\naccept_port=0\n[S]\nbegin_string=FIX.4.4\nsender_comp_id=US\n"
      "target_comp_id=THEM\n" +
          line + "\n",
      "test");
  EXPECT_TRUE(configuration) << text_of(configuration.error());
  // Options view their settings.
  static SessionSettings kept;
  kept = configuration ? configuration->sessions.front() : settings();
  static SessionTexts texts;
  texts = session_texts(kept).value();
  return session_options(kept, texts, session::Role::Acceptor);
}

TEST(SessionOptions, EveryPolicyHasAKey) {
  EXPECT_EQ(options_with("on_behalf_of_comp_id=DESK").on_behalf_of_comp_id, "DESK");
  EXPECT_EQ(options_with("deliver_to_comp_id=HUB").deliver_to_comp_id, "HUB");
  EXPECT_EQ(options_with("heartbeat_interval_seconds_min=5").heartbeat_interval_min_ns,
            5'000'000'000);
  EXPECT_EQ(options_with("heartbeat_interval_seconds_max=60").heartbeat_interval_max_ns,
            60'000'000'000);
  EXPECT_EQ(options_with("receive_grace_percent=50").receive_grace_percent, 50U);
  EXPECT_EQ(options_with("test_answer=MATCHING_HEARTBEAT").test_answer,
            session::TestAnswer::MatchingHeartbeat);
  EXPECT_EQ(options_with("fault_logout_timeout_seconds=3").fault_logout_timeout_ns, 3'000'000'000);
  EXPECT_EQ(options_with("logout_answered_timeout_seconds=4").logout_answered_timeout_ns,
            4'000'000'000);
  EXPECT_EQ(options_with("fault_logout=CLOSE_AT_ONCE").fault_logout,
            session::FaultLogout::CloseAtOnce);
  EXPECT_EQ(options_with("logon_max_message_size=4000").max_message_size, 4000U);
  EXPECT_EQ(options_with("test_message_indicator=PRODUCTION").test_messages,
            session::TestMessages::Production);
  EXPECT_EQ(options_with("test_message_indicator=TEST").test_messages, session::TestMessages::Test);
  EXPECT_EQ(options_with("refused_logon_number=TAKE").refusal_number, session::RefusalNumber::Take);
  EXPECT_EQ(options_with("mid_session_reset=REFUSE").mid_session_reset,
            session::MidSessionReset::Refuse);
  EXPECT_EQ(options_with("validation_place=BEFORE_NUMBER").validation_place,
            session::ValidationPlace::BeforeNumber);
  EXPECT_EQ(options_with("resend_request_end=GAP").resend_end, session::ResendEnd::Gap);
  EXPECT_EQ(options_with("resend_attempts_max=7").resend_attempts_max, 7U);
  EXPECT_EQ(options_with("mid_session_reset=ACCEPT_IN_SYNC").mid_session_reset,
            session::MidSessionReset::AcceptInSync);
  EXPECT_EQ(options_with("reset_start=IN_SYNC").reset_start, session::ResetStart::InSync);
  EXPECT_EQ(options_with("send_while_disconnected=QUEUE").send_while_down,
            session::SendWhileDown::Queue);
  EXPECT_EQ(options_with("send_queue_max=5").queued_max, 5U);
  EXPECT_EQ(options_with("skipped_in_resend=AWAIT_EXPIRY").skipped_in_resend,
            session::SkippedInResend::AwaitExpiry);
  EXPECT_EQ(options_with("repeated_resend_request=DISCARDED").practice.repeated_resend_request,
            session::RepeatedResendRequest::Discarded);
  EXPECT_EQ(options_with("resend_repeats_max=9").resend_repeats_max, 9U);
  EXPECT_EQ(options_with("resend_policy=D:GAP_FILL").resend_rules.size(), 1U);
  EXPECT_EQ(options_with("resend_policy=*:GAP_FILL").resend_policy.action,
            session::ResendAction::GapFill);
  const session::SecretTags secrets = options_with("secret_tags=58, 9001").secret_tags;
  EXPECT_EQ(std::vector<std::uint32_t>(secrets.begin(), secrets.end()),
            (std::vector<std::uint32_t>{58, 9001}));
}

TEST(SessionOptions, SecretTagsAreTagsThatAMessageCanDoWithout) {
  SessionSettings made = settings();
  for (const char* wrong : {"0", "x", "-1", "58,,59", "34", "10", "4294967296", "58 59"}) {
    made.secret_tags = wrong;
    EXPECT_FALSE(secret_tags_of(made)) << wrong;
    EXPECT_FALSE(session_texts(made)) << wrong;
  }
}

TEST(SessionOptions, DailyResetIsATimeOfDay) {
  SessionSettings made = settings();
  EXPECT_EQ(daily_reset_of(made), -1);
  made.daily_reset_utc = "21:59";
  EXPECT_EQ(daily_reset_of(made), (21 * 3'600 + 59 * 60) * base::ns_per_second);
  made.daily_reset_utc = "00:00:01";
  EXPECT_EQ(daily_reset_of(made), base::ns_per_second);
  for (const char* wrong : {"24:00", "1:00", "12:60", "noon", "12:00:00.5", "12:00:", "-1:00"}) {
    made.daily_reset_utc = wrong;
    EXPECT_FALSE(daily_reset_of(made)) << wrong;
  }
}

TEST(SessionOptions, DefaultsOfKeysAndOptionsAgree) {
  const session::SessionOptions read = options_with("");
  const session::SessionOptions plain;
  EXPECT_EQ(read.heartbeat_interval_ns, plain.heartbeat_interval_ns);
  EXPECT_EQ(read.heartbeat_interval_min_ns, plain.heartbeat_interval_min_ns);
  EXPECT_EQ(read.heartbeat_interval_max_ns, plain.heartbeat_interval_max_ns);
  EXPECT_EQ(read.receive_grace_percent, plain.receive_grace_percent);
  EXPECT_EQ(read.test_answer, plain.test_answer);
  EXPECT_EQ(read.logon_timeout_ns, plain.logon_timeout_ns);
  EXPECT_EQ(read.logout_timeout_ns, plain.logout_timeout_ns);
  EXPECT_EQ(read.fault_logout_timeout_ns, plain.fault_logout_timeout_ns);
  EXPECT_EQ(read.logout_answered_timeout_ns, plain.logout_answered_timeout_ns);
  EXPECT_EQ(read.fault_logout, plain.fault_logout);
  EXPECT_EQ(read.message_age_max_ns, plain.message_age_max_ns);
  EXPECT_EQ(read.max_message_size, plain.max_message_size);
  EXPECT_EQ(read.test_messages, plain.test_messages);
  EXPECT_EQ(read.mid_session_reset, plain.mid_session_reset);
  EXPECT_EQ(read.refusal_number, plain.refusal_number);
  EXPECT_EQ(read.validation_place, plain.validation_place);
  EXPECT_EQ(read.resend_answer, plain.resend_answer);
  EXPECT_EQ(read.resend_end, plain.resend_end);
  EXPECT_EQ(read.resend_range_max, plain.resend_range_max);
  EXPECT_EQ(read.resend_attempts_max, plain.resend_attempts_max);
  EXPECT_EQ(read.resend_expiry_ns, plain.resend_expiry_ns);
  EXPECT_EQ(read.time_precision, plain.time_precision);
  EXPECT_EQ(read.reset_start, plain.reset_start);
  EXPECT_EQ(read.send_while_down, plain.send_while_down);
  EXPECT_EQ(read.queued_max, plain.queued_max);
  EXPECT_EQ(read.skipped_in_resend, plain.skipped_in_resend);
  EXPECT_EQ(read.resend_repeats_max, plain.resend_repeats_max);
  EXPECT_EQ(read.resend_policy, plain.resend_policy);
}

TEST(SessionOptions, JournalOptionsCarryIdentityAndLimits) {
  SessionSettings made = settings();
  made.journal_path = "/var/j";
  made.max_serialised_file_size = 1 << 20;
  made.sequence_reserve = 9;
  const journal::Options options = journal_options(made);
  EXPECT_EQ(options.directory, "/var/j/FIX.4.4-US-THEM");
  EXPECT_EQ(options.identity, "FIX.4.4:US->THEM");
  EXPECT_EQ(options.max_segment_bytes, 1U << 20);
  EXPECT_EQ(options.sequence_reserve, 9U);
  EXPECT_EQ(options.durability, journal::Durability::Process);
  EXPECT_EQ(ring_bytes_at_start(made, 0), 0U);
  made.durability = journal::Durability::Memory;
  EXPECT_EQ(journal_options(made).durability, journal::Durability::Memory);
  EXPECT_EQ(journal_options(made, 100'000).ring_message_bytes_max, 100'000U);
  made.max_message_bytes = 3'000'000;
  EXPECT_EQ(journal_options(made, 100'000).ring_message_bytes_max, 3'000'000U);
  EXPECT_GE(journal_options(made, 100'000).ring_bytes, 8U * 3'000'000) << "eight of the longest";
  EXPECT_GT(ring_bytes_at_start(made, 100'000), 2U * 3'000'000);
  EXPECT_LT(ring_bytes_at_start(made, 100'000), 2U * 3'000'000 + 65'536);
}

TEST(StaticHeader, FieldsAreEncodedInOrder) {
  SessionSettings made = settings();
  made.additional_static_header_tags = "100=XNAS,1128=9";
  EXPECT_EQ(encode_static_header(made).value(),
            "100=XNAS\x01"
            "1128=9\x01");
  made.additional_static_header_tags = "";
  EXPECT_EQ(encode_static_header(made).value(), "");
}

TEST(StaticHeader, SubAndLocationIdsAreFieldsLikeOthersWhereTheSessionHasNone) {
  SessionSettings made = settings();
  made.additional_static_header_tags = "50=SNDR_SUB,57=SRVR_SUB,142=A,143=B";
  EXPECT_EQ(encode_static_header(made).value(),
            "50=SNDR_SUB\x01"
            "57=SRVR_SUB\x01"
            "142=A\x01"
            "143=B\x01");
  for (std::string SessionSettings::* const id :
       {&SessionSettings::sender_sub_id, &SessionSettings::target_sub_id,
        &SessionSettings::sender_location_id, &SessionSettings::target_location_id}) {
    SessionSettings twice = made;
    twice.*id = "X";
    EXPECT_FALSE(encode_static_header(twice));
  }
}

TEST(StaticHeader, AFieldThatMakesEveryMessageFaultyIsRefused) {
  for (const char* fields : {"100", "=x", "100=", "abc=x", "-1=x", "0=x", "0100=x", "99999999999=x",
                             "100=a\x01"
                             "b",
                             "34=7", "49=ME", "52=now", "8=FIX.4.4", "10=000", "35=D",
                             "100=a,,101=b", "+5=x", "100=a,100=b"}) {
    SessionSettings made = settings();
    made.additional_static_header_tags = fields;
    const auto encoded = encode_static_header(made);
    ASSERT_FALSE(encoded) << fields;
    EXPECT_EQ(encoded.error().message_code, base::MessageCode("C233")) << fields;
  }
}

}  // namespace
}  // namespace affix::config
