// SPDX-License-Identifier: MIT
// The language of configuration files beyond keys: defaults, included files, variables, units,
// suggestions, and limits for hostile files.
#include "affix/config/configuration.hpp"

#include "config/configuration_source.hpp"
#include "config/read_configuration.hpp"
#include "support/has_message.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace affix::config {
namespace {

using support::has_message;

/// Files and variables of a test.
class MemorySource final : public ConfigurationSource {
 public:
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> variables;

  std::expected<std::string, base::Error> read(const std::string& path,
                                               std::size_t bytes_max) override {
    const auto found = files.find(path);
    if (found == files.end()) {
      return std::unexpected(base::Error{base::ErrorCode::NotFound, "cannot be opened", path});
    }
    if (found->second.size() > bytes_max) {
      return std::unexpected(base::Error{base::ErrorCode::Limit, "too large", path});
    }
    return found->second;
  }

  std::optional<std::string> variable(const std::string& name) override {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  }
};

constexpr std::string_view server_group = "[S]\naccept_port=0\n";
constexpr std::string_view session_group =
    "[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n";

class ConfigurationLanguage : public testing::Test {
 protected:
  /// The configuration; on failure reports it and returns an empty one.
  Configuration read(const std::string& text) {
    auto result = read_configuration(text, "conf/main.ini", source_, FileCheck::Omit);
    EXPECT_TRUE(result) << text_of(result.error());
    return result ? result->configuration : Configuration();
  }

  /// The report's text for a file that must be refused.
  std::string refused(const std::string& text) {
    const auto result = read_configuration(text, "conf/main.ini", source_, FileCheck::Omit);
    return result ? std::string("accepted") : text_of(result.error());
  }

  void expect_problem(const std::string& text, base::MessageCode code,
                      std::initializer_list<std::string_view> values = {}) {
    EXPECT_TRUE(support::has_message(refused(text), code, values));
  }

  MemorySource source_;
};

std::string server_and(const std::string& keys) {
  return std::string(server_group) + keys + std::string(session_group);
}

std::string session_with(const std::string& keys) {
  return std::string(server_group) + std::string(session_group) + keys;
}

TEST_F(ConfigurationLanguage, DefaultsGiveGroupsMissingValues) {
  const Configuration read_one = read(
      "[A]\ntarget_comp_id=A\nheartbeat_interval_seconds=7\n"
      "[SESSION_DEFAULTS]\nbegin_string=FIX.4.2\nsender_comp_id=S\nheartbeat_interval_seconds=5\n"
      "[DEFAULTS]\nheartbeat_interval_seconds=3\nlogout_timeout_seconds=9\nreactor=IO_URING\n"
      "log_level=DEBUG\n"
      "[B]\ntarget_comp_id=B\n[S]\naccept_port=0\n");
  ASSERT_EQ(read_one.sessions.size(), 2U);
  // The group's own value, then the defaults of its kind, then the general ones, in any position in
  // the file.
  EXPECT_EQ(read_one.sessions[0].heartbeat_interval_seconds, 7);
  EXPECT_EQ(read_one.sessions[1].heartbeat_interval_seconds, 5);
  EXPECT_EQ(read_one.sessions[1].logout_timeout_seconds, 9);
  EXPECT_EQ(read_one.sessions[1].begin_string, "FIX.4.2");
  EXPECT_EQ(read_one.servers[0].reactor, config::ReactorKind::IoUring);
  EXPECT_EQ(read_one.engine.log_level, config::LogLevel::Debug);
}

TEST_F(ConfigurationLanguage, DefaultsGoBeforeAProfileThatTheyChoose) {
  const Configuration read_one =
      read("[X]\ntype=session_defaults\nprofile=quickfix\nlogout_timeout_seconds=4\n" +
           std::string(server_group) + std::string(session_group));
  EXPECT_EQ(read_one.sessions[0].logon_timeout_seconds, 10);
  EXPECT_EQ(read_one.sessions[0].logout_timeout_seconds, 4);
}

TEST_F(ConfigurationLanguage, AWrongDefaultIsReportedOnceWhereItStands) {
  const std::string report =
      refused("[SESSION_DEFAULTS]\nheartbeat_interval_seconds=x\naccept_port=1\n" +
              std::string(server_group) + std::string(session_group) +
              "[B]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=B\n");
  EXPECT_EQ(report,
            "conf/main.ini:2: key 'heartbeat_interval_seconds': 'x' is not a number from 0 to "
            "86400, or one with a unit: us, ms, s, m, h, d [C207]\n"
            "conf/main.ini:3: key 'accept_port' is not known in [SESSION_DEFAULTS] (it is a key of "
            "server groups) [C204]\n");
  // Also if no group would have read it.
  expect_problem("[CLIENT_DEFAULTS]\nprimary_port=0\n" + std::string(server_group), "C207",
                 {"conf/main.ini:2: key 'primary_port': '0'", "1 to 65535"});
}

TEST_F(ConfigurationLanguage, IncludedFilesAddKeysAndGroups) {
  source_.files["conf/times.ini"] = "heartbeat_interval_seconds=11\n";
  source_.files["conf/more/sessions.ini"] =
      "[B]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=B\ninclude=../times.ini\n";
  const Configuration read_one =
      read(session_with("include = times.ini\ninclude=more/sessions.ini\nmax_resend_range=3\n"));
  ASSERT_EQ(read_one.sessions.size(), 2U);
  EXPECT_EQ(read_one.sessions[0].heartbeat_interval_seconds, 11);
  // The including group continues after a file that had its own groups.
  EXPECT_EQ(read_one.sessions[0].max_resend_range, 3);
  EXPECT_EQ(read_one.sessions[1].heartbeat_interval_seconds, 11);
}

TEST_F(ConfigurationLanguage, ProblemsOfIncludedFilesNameThem) {
  source_.files["conf/times.ini"] = "\nheartbeat_interval_seconds=x\n";
  source_.files["conf/main.ini"] = "";
  source_.files["conf/ring.ini"] = "include=ring.ini\ninclude=main.ini\n";
  const std::string report =
      refused(session_with("include=times.ini\ninclude=nowhere.ini\ninclude=\ninclude=ring.ini\n"));
  EXPECT_TRUE(
      has_message(report, "C207", {"conf/times.ini:2: key 'heartbeat_interval_seconds': 'x'"}));
  EXPECT_TRUE(has_message(report, "C111",
                          {"conf/main.ini:8: key 'include': conf/nowhere.ini: cannot be opened"}));
  EXPECT_TRUE(has_message(report, "C111", {"conf/main.ini:9: key 'include'"}));
  EXPECT_TRUE(has_message(report, "C112", {"conf/ring.ini:1: 'ring.ini'"}));
  EXPECT_TRUE(has_message(report, "C112", {"conf/ring.ini:2: 'main.ini'"}));
}

TEST_F(ConfigurationLanguage, TheSameKeyInTwoFilesIsADuplicate) {
  source_.files["conf/times.ini"] = "heartbeat_interval_seconds=11\n";
  expect_problem(
      session_with("heartbeat_interval_seconds=3\ninclude=times.ini\n"), "C109",
      {"conf/times.ini:1: key 'heartbeat_interval_seconds'", "[A]", "line 7", "conf/main.ini"});
}

TEST_F(ConfigurationLanguage, InclusionIsBounded) {
  for (int depth = 0; depth < 20; ++depth) {
    source_.files["conf/" + std::to_string(depth)] = "include=" + std::to_string(depth + 1) + "\n";
  }
  expect_problem(server_and("include=0\n"), "C112", {" 16 "});
  // A file that doubles at every step ends at the number of files, not at 2^16.
  for (int depth = 0; depth < 14; ++depth) {
    const std::string next = "include=" + std::to_string(depth + 1) + "\n";
    source_.files["conf/" + std::to_string(depth)] = next + next;
  }
  source_.files["conf/14"] = "";
  expect_problem(server_and("include=0\n"), "C112", {" 1000 "});
  source_.files["conf/large"] = std::string(9 << 20, '\n');
  expect_problem(server_and("include=large\ninclude=large\n"), "C111", {"conf/large: too large"});
}

TEST_F(ConfigurationLanguage, VariablesArePutIn) {
  source_.variables = {{"PORT", "4711"}, {"EMPTY", ""}, {"WHO", "A${PORT}"}};
  source_.files["conf/4711.ini"] = "max_resend_range=5\n";
  const Configuration read_one = read(
      "[S]\naccept_port=${PORT}\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=x${PORT}-${PORT}y\n"
      "target_comp_id=${EMPTY:-no}${NOBODY:-body}\nsender_sub_id=$1 $${PORT} $\n"
      "target_sub_id=${WHO}\ninclude=${PORT}.ini\n");
  EXPECT_EQ(read_one.servers[0].accept_port, 4711);
  EXPECT_EQ(read_one.sessions[0].sender_comp_id, "x4711-4711y");
  EXPECT_EQ(read_one.sessions[0].target_comp_id, "nobody");
  EXPECT_EQ(read_one.sessions[0].sender_sub_id, "$1 ${PORT} $");
  // Substituted text is not expanded again: an environment variable affects only its value.
  EXPECT_EQ(read_one.sessions[0].target_sub_id, "A${PORT}");
  EXPECT_EQ(read_one.sessions[0].max_resend_range, 5);
}

TEST_F(ConfigurationLanguage, AVariableThatIsNotThereIsAProblem) {
  source_.variables = {{"BAD", "a\nlog_level=DEBUG"}};
  const std::string report = refused(
      "[S]\naccept_port=${NOBODY}\n[A]\nbegin_string=FIX.4.4\n"
      "sender_comp_id=${}\ntarget_comp_id=${BAD}\n"
      "target_sub_id=${open\ninclude=${NOBODY}\n");
  EXPECT_TRUE(has_message(report, "C114", {"conf/main.ini:2: key 'accept_port'", "'NOBODY'"}));
  EXPECT_TRUE(has_message(report, "C113", {"conf/main.ini:5: key 'sender_comp_id'"}));
  EXPECT_TRUE(has_message(report, "C115", {"conf/main.ini:6: key 'target_comp_id'", "'BAD'"}));
  EXPECT_TRUE(has_message(report, "C113", {"conf/main.ini:7: key 'target_sub_id'"}));
  EXPECT_TRUE(has_message(report, "C114", {"conf/main.ini:8: key 'include'", "'NOBODY'"}));
  // One problem each: nothing is concluded from a faulty value.
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 5) << report;
}

TEST_F(ConfigurationLanguage, NumbersTakeUnits) {
  const Configuration read_one = read(
      "[S]\naccept_port=0\nsocket_rx_size=64KiB\nsocket_tx_size= 1 MB\nspin_microseconds=2ms\n"
      "tls_handshake_timeout_milliseconds=3s\ntls=OFF\n" +
      std::string(session_group) +
      "heartbeat_interval_seconds=2m\nlogon_timeout_seconds=3000ms\njournal_keep_hours=2d\n"
      "journal_keep_bytes=1TiB\nmax_serialised_file_size=1GB\nheartbeat_interval_seconds_max=1h\n");
  EXPECT_EQ(read_one.servers[0].socket_rx_size, 65'536);
  EXPECT_EQ(read_one.servers[0].socket_tx_size, 1'000'000);
  EXPECT_EQ(read_one.servers[0].spin_microseconds, 2'000);
  EXPECT_EQ(read_one.servers[0].tls_handshake_timeout_milliseconds, 3'000);
  EXPECT_EQ(read_one.sessions[0].heartbeat_interval_seconds, 120);
  EXPECT_EQ(read_one.sessions[0].heartbeat_interval_seconds_max, 3'600);
  EXPECT_EQ(read_one.sessions[0].logon_timeout_seconds, 3);
  EXPECT_EQ(read_one.sessions[0].journal_keep_hours, 48);
  EXPECT_EQ(read_one.sessions[0].journal_keep_bytes, std::int64_t{1} << 40);
  EXPECT_EQ(read_one.sessions[0].max_serialised_file_size, 1'000'000'000);
}

TEST_F(ConfigurationLanguage, UnitsThatDoNotFitAreRefused) {
  for (const std::string_view wrong :
       {"logon_timeout_seconds=1500ms", "journal_keep_hours=90m", "journal_keep_days=36h"}) {
    expect_problem(session_with(std::string(wrong)), "C207", {"is not a whole number of "});
  }
  for (const std::string_view wrong :
       {"logon_timeout_seconds=5KiB", "logon_timeout_seconds=1.5s", "logon_timeout_seconds=5 S",
        "max_resend_range=5s", "max_message_bytes=64K", "max_message_bytes=99999999999999TiB",
        "logon_timeout_seconds=106751991167d", "logon_timeout_seconds=s", "max_message_bytes=2GiB",
        "max_message_bytes=2GiB2", "logon_timeout_seconds=0ms"}) {
    expect_problem(session_with(std::string(wrong)), "C207", {"is not a number from "});
  }
  // It counts connections.
  expect_problem("[S]\naccept_port=0\npending_connection_queue_size=1KiB\n", "C207", {"'1KiB'"});
}

TEST_F(ConfigurationLanguage, UnknownKeysAreReportedWithTheOneThatIsNear) {
  expect_problem(session_with("heartbeat_intervall_seconds=3\n"), "C204",
                 {"'heartbeat_intervall_seconds'", "'heartbeat_interval_seconds'"});
  expect_problem(session_with("snder_comp_id=3\n"), "C204",
                 {"'snder_comp_id'", "'sender_comp_id'"});
  expect_problem(server_and("acept_prot=3\n"), "C204", {"'acept_prot'", "'accept_port'"});
  // The key that says which kind of group it is.
  expect_problem("[S]\nacept_port=0\n" + std::string(session_group), "C204",
                 {"'acept_port'", "[S]", "'accept_port'"});
  expect_problem(server_and("heartbeat_interval_seconds=3\n"), "C204",
                 {"'heartbeat_interval_seconds'", "session"});
  const std::string far = refused(session_with("zzzzzzzzzz=3\n"));
  EXPECT_NE(far.find("key 'zzzzzzzzzz' is not known in [A] [C204]\n"), std::string::npos) << far;
}

TEST_F(ConfigurationLanguage, ThereIsOneEngineAndOneApplication) {
  expect_problem(server_and("[ENGINE]\n[X]\ntype=engine\n"), "C203",
                 {"conf/main.ini:4: ", "[X]", "engine", "line 3"});
  expect_problem(server_and("[APPLICATION]\n[X]\napplication=ECHO\n"), "C203",
                 {"[X]", "application"});
}

TEST_F(ConfigurationLanguage, ApplicationsNameSessionsThatAreThere) {
  expect_problem(session_with("[APPLICATION]\napplication=DROP_COPY\n"), "C401",
                 {"'drop_copy_to'"});
  expect_problem(session_with("[APPLICATION]\napplication=PLUGIN\n"), "C401", {"'plugin_file'"});
  expect_problem(session_with("[APPLICATION]\napplication=ROUTER\n"), "C405", {"ROUTER"});
  expect_problem(session_with("[APPLICATION]\ndrop_copy_to=A\n"), "C401",
                 {"'drop_copy_to'", "DROP_COPY", "ECHO"});
  expect_problem(session_with("[APPLICATION]\napplication=DROP_COPY\ndrop_copy_to=A,B\n"), "C405",
                 {"key 'drop_copy_to': 'B'"});
  expect_problem(session_with("[R]\nroute_to=A\n"), "C401", {"[R]", "ECHO"});
  const std::string router = session_with("[APPLICATION]\napplication=ROUTER\n[R]\n");
  expect_problem(router + "route_to=X\n", "C405", {"'X'"});
  expect_problem(router + "route_to=A,A\n", "C405", {"'route_to'"});
  expect_problem(router + "route_to=A\nroute_tag=55\n", "C405", {"'route_tag'", "'route_values'"});
  expect_problem(router + "route_to=A\nroute_from=A,Y\n", "C405", {"'Y'"});
  EXPECT_EQ(read(router + "route_to=A\nroute_tag=55\nroute_values=IBM\n").routes.size(), 1U);
}

TEST_F(ConfigurationLanguage, ControlCharactersAndEndlessLinesAreRefused) {
  expect_problem(session_with("target_sub_id=a\x01z\n"), "C105");
  expect_problem(session_with("target_sub_id=" + std::string(70'000, 'x') + "\n"), "C104",
                 {" 65536 "});
  // Comments are not checked.
  EXPECT_EQ(read(session_with("# a\x01z\n")).sessions.size(), 1U);
  EXPECT_EQ(read("\xef\xbb\xbf" + session_with("")).sessions.size(), 1U);
}

TEST_F(ConfigurationLanguage, AKeyWhoseLineIsRefusedIsNotReportedAsMissing) {
  for (const std::string& value : {std::string("TRA\x01SK"), std::string(70'000, 'x')}) {
    const std::string report = refused(
        server_and("[B]\nbegin_string=FIX.4.4\ntarget_comp_id=B\nsender_comp_id=" + value + "\n"));
    EXPECT_TRUE(has_message(
        report, value.size() > 10 ? base::MessageCode("C104") : base::MessageCode("C105"),
        {"conf/main.ini:6: "}));
    EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 1) << report;
  }
}

TEST_F(ConfigurationLanguage, AHostileFileHasABoundedReport) {
  std::string text(server_group);
  for (int at = 0; at < 5'000; ++at) {
    text += "nonsense" + std::to_string(at) + "\n";
  }
  const std::string report = refused(text);
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 1'001);
  EXPECT_TRUE(has_message(report, "C110", {"4000 problems"}));
  text = server_group;
  for (int at = 0; at < 600; ++at) {
    text += "key" + std::to_string(at) + "=1\n";
  }
  expect_problem(text, "C110", {"[S]", " 500 "});
}

TEST_F(ConfigurationLanguage, ManySessionsAreReadInTimeProportionalToThem) {
  std::string text(server_group);
  for (int at = 0; at < 20'000; ++at) {
    const std::string number = std::to_string(at);
    text +=
        "[" + number + "]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=" + number + "\n";
  }
  EXPECT_EQ(read(text).sessions.size(), 20'000U);
}

/// Files in a temporary directory.
class ConfigurationFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  support::TemporaryDirectory files_;
  std::string directory_ = files_.path();
};

TEST_F(ConfigurationFiles, FilesThatKeysNameMustBeThere) {
  const std::string there = write("there.xml", "");
  const std::string path =
      write("main.ini", "[ENGINE]\nlog_file=" + directory_ + "/no/log\npid_file=" + there +
                            "/pid\n[S]\n"
                            "accept_port=0\n[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_"
                            "comp_id=A\ndictionary=" +
                            directory_ + "/no.xml\njournal_path=" + there +
                            "\njournal_archive_path=" + directory_ + "/new\n");
  const auto result = load_configuration(path);
  ASSERT_FALSE(result);
  const std::string report = text_of(result.error());
  EXPECT_TRUE(has_message(report, "C101", {":2: key 'log_file': '" + directory_ + "/no'"}));
  EXPECT_TRUE(has_message(report, "C102", {":3: key 'pid_file': '" + there + "'"}));
  EXPECT_TRUE(has_message(report, "C101", {":10: key 'dictionary': '" + directory_ + "/no.xml'"}));
  EXPECT_TRUE(has_message(report, "C102", {":11: key 'journal_path': '" + there + "'"}));
  EXPECT_EQ(result.error().size(), 4U) << report;
}

TEST_F(ConfigurationFiles, IncludesAreSoughtBesideTheFile) {
  write("rest.ini", "[A]\nbegin_string=FIX.4.4\nsender_comp_id=S\ntarget_comp_id=A\n");
  const auto result =
      load_configuration(write("main.ini", "[S]\naccept_port=0\ninclude=rest.ini\n"));
  ASSERT_TRUE(result) << text_of(result.error());
  EXPECT_EQ(result->sessions.size(), 1U);
}

TEST_F(ConfigurationFiles, AnEndlessFileIsRefused) {
  const auto endless = load_configuration("/dev/zero");
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().front().code, base::ErrorCode::Limit);
  EXPECT_FALSE(load_configuration(directory_));
}

}  // namespace
}  // namespace affix::config
