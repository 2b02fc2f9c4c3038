// SPDX-License-Identifier: MIT
// The configuration file: kinds of groups, defaults, and one complete report of everything wrong.
#include "affix/config/configuration.hpp"

#include "affix/tls/tls_settings.hpp"

#include "support/without_codes.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

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
  return result ? std::string("accepted") : support::without_codes(text_of(result.error()));
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

TEST(Configuration, ProfilePresetsWhatNoKeySays) {
  const auto result = parse_configuration(
      "[S]\naccept_port=0\n"
      "[ONE]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "logout_timeout_seconds=7\nprofile=quickfix\n",
      "test.ini");
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(result->sessions[0].profile, "quickfix");
  EXPECT_EQ(result->sessions[0].validation_place, session::ValidationPlace::BeforeNumber);
  EXPECT_EQ(result->sessions[0].logon_timeout_seconds, 10);
  // The single key takes precedence, although the profile comes after it.
  EXPECT_EQ(result->sessions[0].logout_timeout_seconds, 7);
}

TEST(Configuration, UnknownProfileIsAProblem) {
  EXPECT_NE(refused("[S]\naccept_port=0\n[ONE]\nbegin_string=FIX.4.4\nsender_comp_id=A\n"
                    "target_comp_id=B\nprofile=quick\n")
                .find("key 'profile': 'quick' is not one of"),
            std::string::npos);
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
  EXPECT_NE(report.find("test.ini:1: key 'stray' stands before the first [GROUP]"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:3: key 'accept_port': '70000' is not a number from 0 to 65535"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:4: key 'disable_nagle': 'perhaps' is not one of true, false"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:5: key 'no_such_key' is not known in [S]"), std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:6: key 'accept_port' is given twice in [S], first on line 3"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:7: 'nonsense' is neither [GROUP] nor key=value"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:9: key 'begin_string': 'FIX.9.9' is not one of"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:10: key 'sender_comp_id' must have a value"), std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:8: [SESSION1] needs key 'target_comp_id'"), std::string::npos)
      << report;
}

TEST(Configuration, RefusesWhatAPeerCouldNotTellApart) {
  const std::string twice =
      std::string(sound) +
      "[SESSION_C]\nbegin_string=FIX.4.4\nsender_comp_id=EXCHANGE\ntarget_comp_id=A\n";
  EXPECT_NE(refused(twice).find("[SESSION_C] has the same identity as [SESSION_A]"),
            std::string::npos);
}

TEST(Configuration, RefusesDuplicateAndUnknownGroups) {
  EXPECT_NE(refused("[A]\naccept_port=0\n[A]\naccept_port=0\n")
                .find("group [A] is given twice, first on line 1"),
            std::string::npos);
  EXPECT_NE(refused("[A]\nlog_level=INFO\n").find("so its kind is unknown"), std::string::npos);
  EXPECT_NE(refused("[A\naccept_port=0\n").find("a group is written [NAME]"), std::string::npos);
}

TEST(Configuration, ASessionNeedsItsOwner) {
  const std::string two =
      "[S1]\naccept_port=0\n[S2]\naccept_port=0\n[X]\nbegin_string=FIX.4.2\nsender_comp_id="
      "A\ntarget_comp_id=B\n";
  EXPECT_NE(refused(two).find("[X] needs key 'instance'"), std::string::npos);
  EXPECT_NE(
      refused(two + "instance=S3\n").find("key 'instance': 'S3' is no client or server group"),
      std::string::npos);
  EXPECT_EQ(refused(two + "instance=S2\n"), "accepted");
}

TEST(Configuration, WhatHasNoEffectIsAWarningWithItsPlace) {
  const auto read = config::parse_configuration(
      "[S]\naccept_port=0\n"
      "[A]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "sequence_store_file_path=a/sequence.store\nincoming_message_serialisation_path=in\n"
      "outgoing_message_serialisation_path=out\n",
      "test.ini");
  ASSERT_TRUE(read) << config::text_of(read.error());
  ASSERT_EQ(read->warnings.size(), 3U);
  EXPECT_EQ(read->warnings[0].sentence().find(
                "test.ini:7: key 'sequence_store_file_path' has no effect: "),
            0U);
  for (std::size_t path = 0; path < 3; ++path) {
    EXPECT_NE(read->warnings[path].message.find("journal_path"), std::string::npos);
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
    EXPECT_NE(engine(there).find("test.ini:3: key 'management_server_nic_ip': an address beyond"),
              std::string::npos)
        << engine(there);
    EXPECT_NE(engine(there + token), "accepted");
    if (tls::has_tls()) {
      EXPECT_NE(engine(there + tls), "accepted");
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
  EXPECT_NE(session("throttle_limit=1000001\n").find("not a number from 0 to 1000000"),
            std::string::npos);
  EXPECT_NE(session("throttle_window_in_milliseconds=0\n").find("not a number from 1 to 3600000"),
            std::string::npos);
  EXPECT_NE(session("throttle_action=SLEEP\n").find("not one of WAIT|DISCONNECT|REJECT"),
            std::string::npos);
  EXPECT_NE(session("send_throttle_action=REJECT\n").find("not one of WAIT|REFUSE"),
            std::string::npos);
}

TEST(Configuration, EveryFaultOfAScheduleIsToldAtItsKey) {
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
  EXPECT_NE(report.find("test.ini:7: key 'end_minute_utc': '60' is not a number from -1 to 59"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:8: key 'schedule_windows': 'MON 8-17' is none of"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("test.ini:9: key 'schedule_logon_windows': 'x'"), std::string::npos);
  EXPECT_NE(report.find("test.ini:10: key 'schedule_holidays_file': '/nowhere/holidays' "),
            std::string::npos)
      << report;
}

TEST(Configuration, HoursOfWhichOneIsWrittenAsOffAreOffAndTold) {
  const std::string text =
      "[S]\naccept_port=0\n[X]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n"
      "schedule_week_days=1-2\nstart_hour_utc=8\nend_hour_utc=17\nend_minute_utc=30\n";
  EXPECT_NE(refused(text).find("test.ini:8: key 'start_hour_utc'"), std::string::npos);
  const auto read = parse_configuration(text + "start_minute_utc=-1\n", "test.ini");
  ASSERT_TRUE(read) << text_of(read.error());
  const SessionSettings& session = read->sessions.front();
  EXPECT_EQ(session.start_hour_utc, -1);
  EXPECT_EQ(session.end_hour_utc, -1);
  EXPECT_EQ(session.end_minute_utc, -1);
  EXPECT_EQ(session.schedule_week_days, "1-2");
  ASSERT_EQ(read->warnings.size(), 3U);
  EXPECT_EQ(read->warnings.front().text(),
            "test.ini:8: key 'start_hour_utc' has no effect: 'start_minute_utc' is -1, and the "
            "session has no hours [C304]");
}

TEST(Configuration, APortWithoutADefaultMayBeLeftEmpty) {
  const std::string client =
      "[C]\nprimary_address=host\nprimary_port=1\nsecondary_address=\nsecondary_port=\n";
  const auto read = parse_configuration(client, "test.ini");
  ASSERT_TRUE(read) << text_of(read.error());
  EXPECT_EQ(read->clients.front().secondary_port, 0);
  EXPECT_EQ(refused("[C]\nprimary_address=host\nprimary_port=\n"),
            "test.ini:3: key 'primary_port' must have a value\n");
  EXPECT_NE(refused("[S]\naccept_port=\n").find("must have a value"), std::string::npos);
}

TEST(Configuration, WhatASessionCannotBeMadeOfIsToldAtItsLine) {
  const auto told = [](const std::string& line) {
    return refused(
        "[S]\naccept_port=0\n[X]\nbegin_string=FIX.4.4\nsender_comp_id=A\ntarget_comp_id=B\n" +
        line + "\n");
  };
  EXPECT_TRUE(told("additional_static_header_tags=50=A,34=7")
                  .starts_with("test.ini:7: key 'additional_static_header_tags': '34' is not"));
  EXPECT_TRUE(
      told("journal_path=").starts_with("test.ini:7: key 'journal_path' must have a value"));
  EXPECT_EQ(told("durability=memory\njournal_path="), "accepted");
}

TEST(Configuration, Fixt11NeedsAnApplicationVersion) {
  EXPECT_NE(
      refused(
          "[S]\naccept_port=0\n[X]\nbegin_string=FIXT.1.1\nsender_comp_id=A\ntarget_comp_id=B\n")
          .find("default_app_ver_id"),
      std::string::npos);
}

void expect_problem(std::string_view text, std::string_view problem) {
  EXPECT_NE(refused(text).find(problem), std::string::npos) << refused(text);
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
    EXPECT_NE(text_of(parsed.error()).find("this build has no TLS"), std::string::npos);
  }
}

TEST(Configuration, WhoWritesATlsKeySaysWhetherTlsIsOn) {
  expect_problem(with_tls("tls_ca_file=c\n"), "test.ini:3: key 'tls_ca_file' needs key 'tls' too");
  EXPECT_TRUE(parse_configuration(with_tls("tls=OFF\ntls_ca_file=c\n"), "x"));
}

TEST(Configuration, ASessionsTlsPeerNeedsAGroupWithTls) {
  expect_problem(with_tls("", "tls_peer=cn:B\n"), "its group speaks no TLS");
  expect_problem(with_tls("", "tls_peer=B\n"), "key 'tls_peer': 'B' begins with none of");
}

TEST(Configuration, TlsKeysThatDoNotGoTogetherAreTold) {
  if (!tls::has_tls()) {
    GTEST_SKIP() << "no TLS in this build";
  }
  const std::string own = "tls=ON\ntls_certificate_file=a\ntls_key_file=b\n";
  expect_problem(with_tls(own), "nothing says which peers are to be trusted");
  expect_problem(with_tls("tls=ON\ntls_ca_file=c\n"), "a server needs a certificate");
  expect_problem(with_tls(own + "tls_pins=leaf-key:0\n"), "key 'tls_pins'");
  expect_problem(with_tls(own + "tls_ca_file=c\ntls_named_certificates=only\n"),
                 "'only' is not name=certificate:key");
  expect_problem(with_tls(own + "tls_ca_file=c\ntls_version_min=TLS1.3\ntls_version_max=TLS1.2\n"),
                 "least TLS version");
  const auto secret =
      parse_configuration(with_tls(own + "tls_ca_file=c\ntls_key_password=hunter2\n"), "x");
  ASSERT_FALSE(secret);
  EXPECT_NE(text_of(secret.error()).find("tls_key_password"), std::string::npos);
  EXPECT_EQ(text_of(secret.error()).find("hunter2"), std::string::npos);
  EXPECT_TRUE(parse_configuration(
      with_tls(own + "tls_ca_file=c\ntls_named_certificates=a.example=a:b, c.example=c:d\n",
               "tls_peer=cn:B; dns:b.example\n"),
      "x"));
}

TEST(Configuration, AnEmptyOrMissingFileIsAnError) {
  EXPECT_NE(refused("").find("there is no client group"), std::string::npos);
  const auto result = load_configuration("/nonexistent/affix.ini");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().code, base::ErrorCode::NotFound);
}

TEST(Configuration, WindowsLineEndsAreBlank) {
  EXPECT_TRUE(parse_configuration("[S]\r\naccept_port=0\r\n", "test.ini"));
}

}  // namespace
}  // namespace affix::config
