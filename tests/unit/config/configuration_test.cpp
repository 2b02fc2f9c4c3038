// SPDX-License-Identifier: MIT
// The configuration file: kinds of groups, defaults, and one complete report of everything wrong.
#include "affix/config/configuration.hpp"

#include "affix/tls/tls_settings.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

using support::has_message;

constexpr std::string_view sound = R"(# An acceptor with two sessions.
[ENGINE]
log_level=DEBUG

[EXCHANGE]
accept_port = 0
disable_nagle=false

[SESSION_A]
begin_string=FIX.4.4
sender_comp_id=EXCHANGE
target_comp_id=A

[SESSION_B]
begin_string=FIXT.1.1
default_app_ver_id=9
sender_comp_id=EXCHANGE
target_comp_id=B
durability=memory
)";

/// The report's text for a file that must be refused.
std::string refused(std::string_view text) {
  const auto result = parse_configuration(text, "test.ini");
  return result ? std::string("accepted") : text_of(result.error());
}

TEST(Configuration, ReadsGroupsByTheirKeys) {
  const auto result = parse_configuration(sound, "test.ini");
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(result->engine.log_level, config::LogLevel::Debug);
  ASSERT_EQ(result->servers.size(), 1U);
  EXPECT_EQ(result->servers[0].name, "EXCHANGE");
  EXPECT_FALSE(result->servers[0].disable_nagle);
  ASSERT_EQ(result->sessions.size(), 2U);
  EXPECT_EQ(result->sessions[0].instance, "EXCHANGE");
  EXPECT_EQ(result->sessions[0].durability, journal::Durability::Process);
  EXPECT_EQ(result->sessions[1].durability, journal::Durability::Memory);
  EXPECT_EQ(result->sessions_of("EXCHANGE").size(), 2U);
}

TEST(Configuration, TypeOverridesTheKeys) {
  const auto result = parse_configuration("[X]\ntype=server\naccept_port=0\n", "test.ini");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->servers.size(), 1U);
}

TEST(Configuration, ProfilePresetsUnsetKeys) {
  const auto result = parse_configuration(
      "[S]\naccept_port=0\n"
      "[ONE]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "logout_timeout_seconds=7\nprofile=quickfix\n",
      "test.ini");
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(result->sessions[0].profile, Profile::Quickfix);
  EXPECT_EQ(result->sessions[0].validation_place, session::ValidationPlace::BeforeNumber);
  EXPECT_EQ(result->sessions[0].logon_timeout_seconds, 10);
  // The single key takes precedence, although the profile comes after it.
  EXPECT_EQ(result->sessions[0].logout_timeout_seconds, 7);
}

TEST(Configuration, UnknownProfileIsAProblem) {
  EXPECT_TRUE(
      has_message(refused("[S]\naccept_port=0\n[ONE]\nbegin_string=FIX.4.4\nsender_comp_id=A\n"
                          "target_comp_id=B\nprofile=quick\n"),
                  "C206", {"'profile'", "'quick'"}));
  EXPECT_FALSE(settings_of_profile("quick"));
}

TEST(Configuration, ReportsEveryProblemWithItsLine) {
  const std::string report = refused(
      "stray=1\n"
      "[S]\n"
      "accept_port=70000\n"
      "disable_nagle=perhaps\n"
      "no_such_key=1\n"
      "accept_port=1\n"
      "nonsense\n"
      "[SESSION1]\n"
      "begin_string=FIX.9.9\n"
      "sender_comp_id=\n");
  EXPECT_TRUE(has_message(report, "C108", {"test.ini:1: ", "'stray'"}));
  EXPECT_TRUE(
      has_message(report, "C207", {"test.ini:3: key 'accept_port': '70000'", "0 to 65535"}));
  EXPECT_TRUE(
      has_message(report, "C206", {"test.ini:4: key 'disable_nagle': 'perhaps'", "true, false"}));
  EXPECT_TRUE(has_message(report, "C204", {"test.ini:5: key 'no_such_key'", "[S]"}));
  EXPECT_TRUE(has_message(report, "C109", {"test.ini:6: key 'accept_port'", "[S]", "line 3"}));
  EXPECT_TRUE(has_message(report, "C107", {"test.ini:7: 'nonsense'"}));
  EXPECT_TRUE(has_message(report, "C206", {"test.ini:9: key 'begin_string': 'FIX.9.9'"}));
  EXPECT_TRUE(has_message(report, "C205", {"test.ini:10: key 'sender_comp_id'"}));
  EXPECT_TRUE(has_message(report, "C205", {"test.ini:8: [SESSION1]", "'target_comp_id'"}));
}

TEST(Configuration, RefusesSessionsThatAPeerCouldNotDistinguish) {
  const std::string twice =
      std::string(sound) +
      "[SESSION_C]\nbegin_string=FIX.4.4\nsender_comp_id=EXCHANGE\ntarget_comp_id=A\n";
  EXPECT_TRUE(has_message(refused(twice), "C219", {"[SESSION_C]", "[SESSION_A]"}));
}

TEST(Configuration, RefusesDuplicateAndUnknownGroups) {
  EXPECT_TRUE(
      has_message(refused("[A]\naccept_port=0\n[A]\naccept_port=0\n"), "C109", {"[A]", "line 1"}));
  EXPECT_TRUE(has_message(refused("[A]\nlog_level=INFO\n"), "C201", {"[A]"}));
  EXPECT_TRUE(has_message(refused("[A\naccept_port=0\n"), "C106", {"test.ini:1: "}));
}

TEST(Configuration, ASessionNeedsItsOwner) {
  const std::string two =
      "[S1]\naccept_port=0\n[S2]\naccept_port=0\n[X]\nbegin_string=FIX.4.2\nsender_comp_id="
      "A\ntarget_comp_id=B\n";
  EXPECT_TRUE(has_message(refused(two), "C217", {"[X]", "'instance'"}));
  EXPECT_TRUE(has_message(refused(two + "instance=S3\n"), "C217", {"'instance'", "'S3'"}));
  EXPECT_EQ(refused(two + "instance=S2\n"), "accepted");
}

TEST(Configuration, AKeyWithoutEffectIsAWarningWithItsPlace) {
  const auto read = config::parse_configuration(
      "[S]\naccept_port=0\n"
      "[A]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "sequence_store_file_path=a/sequence.store\nincoming_message_serialisation_path=in\n"
      "outgoing_message_serialisation_path=out\n",
      "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  ASSERT_EQ(read->warnings.size(), 3U);
  EXPECT_TRUE(has_message(read->warnings[0].as_error().text(), "C208",
                          {"test.ini:7: ", "'sequence_store_file_path'"}));
  for (std::size_t path = 0; path < 3; ++path) {
    EXPECT_EQ(read->warnings[path].code, base::MessageCode("C208"));
  }
}

TEST(Configuration, AnAdministrationPortBeyondThisMachineNeedsTlsAndAToken) {
  const auto engine = [](const std::string& lines) {
    return refused(
        "[ENGINE]\n" + lines +
        "[S]\naccept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n");
  };
  const std::string port = "management_server_port=5042\n";
  const std::string tls = "management_tls_certificate_file=c.pem\nmanagement_tls_key_file=k.pem\n";
  const std::string token = "management_operate_token=file:t\n";
  EXPECT_EQ(engine(port), "accepted");
  EXPECT_EQ(engine(port + "management_server_nic_ip=127.0.0.1\n"), "accepted");
  EXPECT_EQ(engine(port + "management_server_nic_ip=::1\n"), "accepted");
  for (const std::string beyond : {"0.0.0.0", "192.0.2.1", "*", "::", "2001:db8::1"}) {
    const std::string there = port + "management_server_nic_ip=" + beyond + "\n";
    EXPECT_TRUE(has_message(engine(there), "A112", {"test.ini:3: key 'management_server_nic_ip'"}));
    EXPECT_TRUE(has_message(engine(there + token), "A112", {"test.ini:3: "}));
    if (tls::has_tls()) {
      EXPECT_TRUE(has_message(engine(there + tls), "A112", {"test.ini:3: "}));
      EXPECT_EQ(engine(there + tls + token), "accepted");
    }
    // Without a port nothing is opened.
    EXPECT_EQ(engine("management_server_nic_ip=" + beyond + "\n"), "accepted");
  }
  EXPECT_NE(engine(port + "management_server_nic_ip=localhost\n"), "accepted");
  EXPECT_NE(engine(port + "management_tls_key_file=k.pem\n"), "accepted");
  EXPECT_NE(engine(port + "management_tls_ca_file=ca.pem\n"), "accepted");
  const std::string plain = engine("management_read_token=hush-hush-hush-hush\n");
  EXPECT_NE(plain, "accepted");
  EXPECT_EQ(plain.find("hush"), std::string::npos);
}

TEST(Configuration, ThrottlesHaveTheirRanges) {
  const auto session = [](const std::string& lines) {
    return refused(
        "[S]\naccept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n" +
        lines);
  };
  EXPECT_EQ(session("throttle_limit=1000000\nthrottle_window_in_milliseconds=1\n"
                    "throttle_action=REJECT\nthrottler_reject_message=no\n"
                    "throttle_direction=RECEIVED\nsend_throttle_limit=3\n"
                    "send_throttle_window_in_milliseconds=3600000\nsend_throttle_action=REFUSE\n"),
            "accepted");
  EXPECT_TRUE(has_message(session("throttle_limit=1000001\n"), "C207", {"0 to 1000000"}));
  EXPECT_TRUE(
      has_message(session("throttle_window_in_milliseconds=0\n"), "C207", {"1 to 3600000"}));
  EXPECT_TRUE(has_message(session("throttle_action=SLEEP\n"), "C206", {"WAIT|DISCONNECT|REJECT"}));
  EXPECT_TRUE(has_message(session("send_throttle_action=REJECT\n"), "C206", {"WAIT|REFUSE"}));
}

TEST(Configuration, EveryFaultOfAScheduleIsReportedAtItsKey) {
  constexpr std::string_view head =
      "[S]\naccept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n";
  const auto refused_with = [head](std::string_view keys) {
    return refused(std::string(head) + std::string(keys));
  };
  EXPECT_EQ(refused_with("schedule_week_days=\nstart_hour_utc=-1\nstart_minute_utc=-1\n"
                         "end_hour_utc=-1\nend_minute_utc=-1\n"),
            "accepted");
  EXPECT_EQ(refused_with("schedule_week_days=1-2-3-4-5\nstart_hour_utc=7\nstart_minute_utc=30\n"
                         "end_hour_utc=17\nend_minute_utc=0\n"),
            "accepted");
  EXPECT_EQ(refused_with("schedule_windows=MON-FRI 08:00-17:00, SUN 20:00-22:00\n"), "accepted");
  const std::string report = refused_with(
      "end_minute_utc=60\nschedule_windows=MON 8-17\nschedule_logon_windows=x\n"
      "schedule_holidays_file=/nowhere/holidays\n");
  EXPECT_TRUE(has_message(report, "C207", {"test.ini:7: key 'end_minute_utc': '60'", "-1 to 59"}));
  EXPECT_TRUE(has_message(report, "C301", {"test.ini:8: key 'schedule_windows': 'MON 8-17'"}));
  EXPECT_TRUE(has_message(report, "C301", {"test.ini:9: key 'schedule_logon_windows': 'x'"}));
  EXPECT_TRUE(has_message(report, "C310",
                          {"test.ini:10: key 'schedule_holidays_file': '/nowhere/holidays'"}));
}

TEST(Configuration, AProblemHasItsLineAsANumber) {
  const auto read = parse_configuration(
      "[S]\naccept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n"
      "daily_reset_utc=noon\n",
      "test.ini");
  ASSERT_FALSE(read);
  ASSERT_EQ(read.error().size(), 1U);
  EXPECT_EQ(read.error()[0].where, "test.ini:7");
  EXPECT_EQ(read.error()[0].line, 7U);
}

TEST(Configuration, HoursOfWhichOneIsWrittenAsOffAreOffAndReported) {
  const std::string text =
      "[S]\naccept_port=0\n[X]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "schedule_week_days=1-2\nstart_hour_utc=8\nend_hour_utc=17\nend_minute_utc=30\n";
  EXPECT_TRUE(has_message(refused(text), "C306", {"test.ini:8: key 'start_hour_utc'"}));
  const auto read = parse_configuration(text + "start_minute_utc=-1\n", "test.ini");
  ASSERT_TRUE(read) << text_of(read.error());
  const SessionSettings& session = read->sessions.front();
  EXPECT_EQ(session.start_hour_utc, -1);
  EXPECT_EQ(session.end_hour_utc, -1);
  EXPECT_EQ(session.end_minute_utc, -1);
  EXPECT_EQ(session.schedule_week_days, "1-2");
  ASSERT_EQ(read->warnings.size(), 3U);
  EXPECT_TRUE(has_message(read->warnings.front().as_error().text(), "C304",
                          {"test.ini:8: key 'start_hour_utc' ", "'start_minute_utc' is -1"}));
}

TEST(Configuration, APortWithoutADefaultMayBeLeftEmpty) {
  const std::string client =
      "[C]\nprimary_address=host\nprimary_port=1\nsecondary_address=\nsecondary_port=\n";
  const auto read = parse_configuration(client, "test.ini");
  ASSERT_TRUE(read) << text_of(read.error());
  EXPECT_EQ(read->clients.front().secondary_port, 0);
  EXPECT_EQ(refused("[C]\nprimary_address=host\nprimary_port=\n"),
            "test.ini:3: key 'primary_port' must have a value [C205]\n");
  EXPECT_TRUE(
      has_message(refused("[S]\naccept_port=\n"), "C205", {"test.ini:2: ", "'accept_port'"}));
}

TEST(Configuration, ValuesThatForbidASessionAreReportedAtTheirLine) {
  const auto reported = [](const std::string& line) {
    return refused(
        "[S]\naccept_port=0\n[X]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n" +
        line + "\n");
  };
  EXPECT_TRUE(has_message(reported("additional_static_header_tags=50=A,34=7"), "C233",
                          {"test.ini:7: key 'additional_static_header_tags': '34'"}));
  EXPECT_TRUE(has_message(reported("journal_path="), "C244", {"test.ini:7: key 'journal_path'"}));
  EXPECT_EQ(reported("durability=memory\njournal_path="), "accepted");
}

TEST(Configuration, Fixt11NeedsAnApplicationVersion) {
  EXPECT_TRUE(has_message(
      refused(
          "[S]\naccept_port=0\n[X]\nbegin_string=FIXT.1.1\nsender_comp_id=A\ntarget_comp_id=B\n"),
      "C226", {"[X]", "'default_app_ver_id'"}));
}

/// A server group with these lines, and a session.
std::string with_tls(const std::string& lines, const std::string& session = {}) {
  return "[S]\naccept_port=0\n" + lines +
         "[A]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n" + session;
}

TEST(Configuration, TlsIsRefusedWhereTheBuildHasNone) {
  const std::string text =
      with_tls("tls=ON\ntls_certificate_file=a\ntls_key_file=b\ntls_ca_file=c\n");
  const auto parsed = parse_configuration(text, "x");
  EXPECT_EQ(parsed.has_value(), tls::has_tls());
  if (!parsed) {
    EXPECT_TRUE(has_message(text_of(parsed.error()), "T101"));
  }
}

TEST(Configuration, ATlsKeyNeedsTlsToBeSet) {
  EXPECT_TRUE(has_message(refused(with_tls("tls_ca_file=c\n")), "C227",
                          {"test.ini:3: key 'tls_ca_file'", "'tls'"}));
  EXPECT_TRUE(parse_configuration(with_tls("tls=OFF\ntls_ca_file=c\n"), "x"));
}

TEST(Configuration, ASessionsTlsPeerNeedsAGroupWithTls) {
  EXPECT_TRUE(has_message(refused(with_tls("", "tls_peer=cn:B\n")), "C227", {"[A]", "'tls_peer'"}));
  EXPECT_TRUE(has_message(refused(with_tls("", "tls_peer=B\n")), "T116", {"'tls_peer'", "'B'"}));
}

TEST(Configuration, TlsKeysThatDoNotGoTogetherAreReported) {
  if (!tls::has_tls()) {
    GTEST_SKIP() << "no TLS in this build";
  }
  const std::string own = "tls=ON\ntls_certificate_file=a\ntls_key_file=b\n";
  EXPECT_TRUE(has_message(refused(with_tls(own)), "T113"));
  EXPECT_TRUE(has_message(refused(with_tls("tls=ON\ntls_ca_file=c\n")), "T110"));
  EXPECT_TRUE(
      has_message(refused(with_tls(own + "tls_pins=leaf-key:0\n")), "T115", {"'tls_pins'"}));
  EXPECT_TRUE(has_message(refused(with_tls(own + "tls_ca_file=c\ntls_named_certificates=only\n")),
                          "T110", {"'only'"}));
  EXPECT_TRUE(has_message(
      refused(with_tls(own + "tls_ca_file=c\ntls_version_min=TLS1.3\ntls_version_max=TLS1.2\n")),
      "T109"));
  const auto secret =
      parse_configuration(with_tls(own + "tls_ca_file=c\ntls_key_password=hunter2\n"), "x");
  ASSERT_FALSE(secret);
  EXPECT_TRUE(has_message(text_of(secret.error()), "T114", {"'tls_key_password'"}));
  EXPECT_EQ(text_of(secret.error()).find("hunter2"), std::string::npos);
  EXPECT_TRUE(parse_configuration(
      with_tls(own + "tls_ca_file=c\ntls_named_certificates=a.example=a:b, c.example=c:d\n",
               "tls_peer=cn:B; dns:b.example\n"),
      "x"));
}

TEST(Configuration, AnEmptyOrMissingFileIsAnError) {
  EXPECT_TRUE(has_message(refused(""), "C216"));
  const auto result = load_configuration("/nonexistent/affix.ini");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().code, base::ErrorCode::NotFound);
}

TEST(Configuration, WindowsLineEndsAreBlank) {
  EXPECT_TRUE(parse_configuration("[S]\r\naccept_port=0\r\n", "test.ini"));
}

}  // namespace
}  // namespace affix::config
