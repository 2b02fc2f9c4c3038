// SPDX-License-Identifier: MIT
// The administration port with complete engines: every command, its permissions, and the audit
// trail.
#include "affix/admin/command.hpp"
#include "affix/host/session_controls.hpp"

#include "admin/time_text.hpp"
#include "support/admin_console.hpp"
#include "support/has_message.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sstream>

namespace affix::support {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::unique_ptr<admin::Server> open_server(const config::ManagementSettings& settings,
                                           engine::Engine& engine, admin::Program& program,
                                           const admin::ServerOptions& options = {}) {
  auto server = admin::Server::open(settings, engine, program, options);
  EXPECT_TRUE(server) << server.error().text();
  return server ? std::move(*server) : nullptr;
}

/// An operator without a token, and two engines logged on to each other.
class EngineAdmin : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(pair.log_on());
    settings.management_server_port = -1;
    settings.management_local_role = config::LocalRole::Operate;
    open();
  }

  void open(const admin::ServerOptions& options = {}) {
    console.reset();
    server.reset();
    server = open_server(settings, *pair.acceptor, program, options);
    ASSERT_TRUE(server);
    console = std::make_unique<Console>(pair.engines(), server->address());
  }

  /// A server's pending tasks, such as remarks in journals, end before it does.
  void open_again() {
    turn(pair.engines());
    open();
  }

  std::string ask(std::string_view line) { return console->ask(line); }

  [[nodiscard]] std::string number(const std::string& which) {
    std::istringstream lines(ask("get_" + which + "_sequence_number FIRM"));
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    return line;
  }

  Pair pair;
  TestProgram program;
  config::ManagementSettings settings;
  std::unique_ptr<admin::Server> server;
  std::unique_ptr<Console> console;
};

TEST_F(EngineAdmin, ReportsAboutTheEngine) {
  EXPECT_THAT(ask("help"), AllOf(HasSubstr("set_engine_log_level <log_level>"),
                                 HasSubstr("send_sequence_reset <session> <number> [force]")));
  EXPECT_THAT(ask("help kill"), HasSubstr("before_stop_sending"));
  EXPECT_THAT(ask("get_uptime"), HasSubstr("uptime_seconds"));
  EXPECT_THAT(ask("get_engine_version"), AllOf(HasSubstr("version"), HasSubstr("kernel")));
  EXPECT_THAT(ask("get_engine_log_path"), HasSubstr("memory"));
  EXPECT_THAT(ask("get_engine_log_level"), HasSubstr("INFO"));
  EXPECT_EQ(ask("set_engine_log_level debug"), "done: log level INFO -> DEBUG\n");
  EXPECT_EQ(program.log_level(), "DEBUG");
  EXPECT_TRUE(has_message(ask("set_engine_log_level loud"), "A103", {"refused: ", "<log_level>"}));
  EXPECT_THAT(ask("get_configuration ENGINE"), HasSubstr("log_level"));
  EXPECT_TRUE(has_message(ask("get_configuration NOBODY"), "A104", {"refused: ", "'NOBODY'"}));
}

TEST_F(EngineAdmin, ReportsAboutInstancesAndSessions) {
  EXPECT_THAT(ask("get_servers"), HasSubstr("SERVER"));
  EXPECT_EQ(ask("get_clients"),
            "name  address  sessions  workers  tls  sending_stopped\ndone: 0 rows\n");
  EXPECT_THAT(ask("get_instance_config SERVER"), HasSubstr("accept_port"));
  EXPECT_THAT(ask("get_sessions SERVER"), AllOf(HasSubstr("FIRM"), HasSubstr("FIX.4.4")));
  EXPECT_THAT(ask("get_session_state SERVER FIRM"),
              AllOf(HasSubstr("state"), HasSubstr("active"), HasSubstr("127.0.0.1:")));
  EXPECT_EQ(ask("get_session_state SERVER"), ask("get_session_state FIRM"));
  EXPECT_THAT(ask("get_session_config FIRM"), HasSubstr("heartbeat_interval_seconds"));
  EXPECT_THAT(ask("get_all_session_states"), HasSubstr("FIRM"));
  EXPECT_THAT(ask("sessions"), HasSubstr("out_rate"));
  EXPECT_TRUE(has_message(ask("get_session_state NOBODY"), "A104", {"refused: ", "'NOBODY'"}));
  EXPECT_TRUE(has_message(ask("get_session_state"), "A103", {"refused: ", "<session>"}));
  EXPECT_TRUE(has_message(ask("get_uptime now"), "A103", {"refused: too many"}));
  EXPECT_TRUE(has_message(ask("launch"), "A103", {"refused: ", "'launch'"}));
}

TEST_F(EngineAdmin, ANumberIsLoweredOrSetOnALiveSessionByForceOnly) {
  const std::uint64_t before = pair.venue().next_sender_seq();
  EXPECT_EQ(number("outgoing"), std::to_string(before));
  const std::string refused = ask("set_outgoing_sequence_number FIRM 50");
  EXPECT_TRUE(has_message(refused, "A116", {"refused: ", "force"}));
  EXPECT_EQ(pair.venue().next_sender_seq(), before);
  EXPECT_EQ(ask("set_outgoing_sequence_number FIRM 50 force"),
            "done: " + std::to_string(before) + " -> 50\n");
  EXPECT_EQ(pair.venue().next_sender_seq(), 50U);
  // The peer detects it with the next message, and gets a gap fill.
  ASSERT_TRUE(send_order(pair.venue(), "late").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.ids().size() == 1; }));

  EXPECT_TRUE(has_message(ask("set_incoming_sequence_number FIRM 1"), "A116", {"refused: "}));
  EXPECT_TRUE(has_message(ask("set_outgoing_sequence_number FIRM 0 force"), "A117", {"refused: "}));
  for (const std::string number : {"-3", "99999999999999999999"}) {
    EXPECT_TRUE(has_message(ask("set_outgoing_sequence_number FIRM " + number), "A103",
                            {"refused: '" + number + "'"}));
  }
}

TEST_F(EngineAdmin, NumbersOfASessionAtRestGoUpWithoutForceAndDownWithIt) {
  pair.initiator->finish("closed", os::now().steady_ns + patience_ns);
  ASSERT_TRUE(turn_until({pair.acceptor.get()}, [&] { return !pair.venue().logged_on(); }));
  pair.initiator.reset();
  console = std::make_unique<Console>(pair.engines(), server->address());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue().disconnected(); }));
  EXPECT_THAT(ask("set_incoming_sequence_number FIRM 70"), StartsWith("done"));
  EXPECT_EQ(number("incoming"), "70");
  EXPECT_TRUE(has_message(ask("set_incoming_sequence_number FIRM 60"), "A116", {"refused: "}));
  EXPECT_THAT(ask("set_incoming_sequence_number FIRM 60 force"), StartsWith("done: 70 -> 60"));
  EXPECT_TRUE(has_message(ask("reset_session FIRM"), "A116", {"refused: "}));
  EXPECT_EQ(ask("reset_session FIRM force"), "done: both numbers start over\n");
  EXPECT_EQ(number("incoming"), "1");
  EXPECT_TRUE(has_message(ask("send_sequence_reset FIRM 10 force"), "A115", {"refused: "}));
}

TEST_F(EngineAdmin, ASequenceResetReachesThePeer) {
  EXPECT_TRUE(has_message(ask("send_sequence_reset FIRM 1 force"), "A117", {"refused: "}));
  EXPECT_TRUE(has_message(ask("send_sequence_reset FIRM 90"), "A116", {"refused: "}));
  EXPECT_THAT(ask("send_sequence_reset FIRM 90 force"), StartsWith("done"));
  EXPECT_TRUE(pair.turn_until([&] { return pair.firm().next_target_seq() == 90; }));
}

TEST_F(EngineAdmin, TheKillSwitchStopsApplicationMessagesAndNothingElse) {
  // The application's last message is sent.
  struct LastWord final : host::Application {
    void on_message(host::SessionHandle, const wire::MessageView&,
                    const host::Delivery&) noexcept override {}

    void before_stop_sending(host::SessionHandle session) noexcept override {
      EXPECT_TRUE(send_order(session, "cancel-all").sent());
      ++asked;
    }

    void on_output_room(host::SessionHandle) noexcept override { ++rooms; }

    int asked = 0;
    int rooms = 0;
  } last_word;

  Pair other;
  other.acceptor.reset();
  other.acceptor = open_engine(other.acceptor_settings, last_word);
  other.initiator.reset();
  other.initiator_settings.clients.front().primary_port = port_of(*other.acceptor);
  other.open_firm();
  ASSERT_TRUE(other.log_on());
  const auto port = open_server(settings, *other.acceptor, program);
  Console operator_console(other.engines(), port->address());

  EXPECT_THAT(operator_console.ask("kill engine runaway orders"),
              AllOf(HasSubstr("stopped"), HasSubstr("done: 1 sessions send no")));
  EXPECT_EQ(last_word.asked, 1);
  EXPECT_EQ(send_order(other.venue(), "1").status, host::SendStatus::Stopped);
  ASSERT_TRUE(other.turn_until([&] { return other.firm_application.ids().size() == 1; }));
  EXPECT_EQ(other.firm_application.ids().front(), "cancel-all");
  // Repeating it changes nothing, and session messages continue.
  EXPECT_THAT(operator_console.ask("kill SERVER"), HasSubstr("done"));
  EXPECT_EQ(last_word.asked, 1);
  other.firm().test_peer();
  EXPECT_TRUE(other.turn_until(
      [&] { return other.firm_application.admin_types.find('0') != std::string::npos; }));
  EXPECT_EQ(send_order(other.venue(), "2").status, host::SendStatus::Stopped);
  EXPECT_THAT(operator_console.ask("get_session_state FIRM"), HasSubstr("sending_stopped  yes"));

  EXPECT_EQ(last_word.rooms, 0);
  EXPECT_THAT(operator_console.ask("resume FIRM"), HasSubstr("sending"));
  ASSERT_TRUE(other.turn_until([&] { return last_word.rooms == 1; }));
  EXPECT_TRUE(send_order(other.venue(), "3").sent());
  ASSERT_TRUE(other.turn_until([&] { return other.firm_application.ids().size() == 2; }));
}

TEST_F(EngineAdmin, StoppedMessagesAreNotResentEither) {
  ASSERT_TRUE(send_order(pair.venue(), "1").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.ids().size() == 1; }));
  EXPECT_THAT(ask("kill FIRM"), HasSubstr("done"));
  // The firm assumes that all messages are missing, requests them, and gets a gap fill.
  const auto firm_port = open_server(settings, *pair.initiator, program);
  Console firm_console(pair.engines(), firm_port->address());
  const std::uint64_t next = pair.venue().next_sender_seq();
  EXPECT_THAT(firm_console.ask("set_incoming_sequence_number VENUE 1 force"), StartsWith("done"));
  pair.venue().test_peer();
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().next_target_seq() > next; }));
  EXPECT_EQ(pair.firm_application.ids().size(), 1U);
}

TEST_F(EngineAdmin, ConnectionsAreEndedAndMade) {
  EXPECT_TRUE(has_message(ask("connect FIRM"), "A115", {"refused: ", "server"}));
  EXPECT_EQ(ask("test_session FIRM"), "done: a TestRequest is on its way\n");
  EXPECT_EQ(ask("disconnect FIRM line test"), "done: disconnected\n");
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.logouts.size() == 1; }));
  EXPECT_TRUE(pair.venue_application.logged_out_by("S305")) << pair.venue_application.all_events();
  ASSERT_TRUE(pair.log_on());  // The initiator reconnects by itself.
  EXPECT_EQ(ask("logout FIRM closing early"), "done: logging out\n");
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.logouts.size() == 2; }));

  const auto port = open_server(settings, *pair.initiator, program);
  Console firm(pair.engines(), port->address());
  ASSERT_TRUE(pair.log_on());
  EXPECT_TRUE(has_message(firm.ask("connect VENUE"), "A115", {"refused: ", "has a connection"}));
  EXPECT_EQ(firm.ask("logout VENUE"), "done: logging out\n");
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm().disconnected(); }));
  EXPECT_TRUE(has_message(firm.ask("test_session VENUE"), "A115", {"refused: "}));
  EXPECT_THAT(firm.ask("connect VENUE"), StartsWith("done"));
  EXPECT_TRUE(pair.log_on());
}

TEST_F(EngineAdmin, SessionsComeGoAndRest) {
  EXPECT_THAT(ask("disable_session FIRM lunch"), HasSubstr("FIRM"));
  ASSERT_TRUE(pair.turn_until([&] { return !pair.venue().logged_on(); }));
  EXPECT_THAT(ask("enable_session FIRM"), HasSubstr("done"));
  EXPECT_TRUE(pair.log_on());

  const std::string path = pair.directory.path("added");
  EXPECT_THAT(ask("add_session NEW begin_string=FIX.4.2 sender_comp_id=VENUE target_comp_id=NEW "
                  "logon_password=hush sequence_reserve=0 journal_path=\"" +
                  path + "\""),
              AllOf(HasSubstr("NEW"), Not(StartsWith("refused"))));
  EXPECT_THAT(ask("get_sessions SERVER"), HasSubstr("NEW"));
  EXPECT_FALSE(program.heard("hush"));
  EXPECT_THAT(ask("get_session_config NEW"), Not(HasSubstr("hush")));
  EXPECT_TRUE(
      has_message(ask("add_session NEW begin_string=FIX.4.2 sender_comp_id=A target_comp_id=B"),
                  "C224", {"refused: ", "NEW"}));
  EXPECT_TRUE(has_message(ask("add_session OTHER include=/etc/passwd"), "A104",
                          {"refused: ", "'include'"}));
  EXPECT_TRUE(
      has_message(ask("add_session OTHER sender_comp_id=${HOME}"), "A104", {"refused: variables"}));
  EXPECT_TRUE(has_message(ask("add_session OT]HER a=b"), "A104", {"refused: a name"}));
  EXPECT_TRUE(has_message(ask("add_session OTHER nonsense=1"), "C201", {"refused: ", "[OTHER]"}));
  EXPECT_TRUE(has_message(ask("add_session OTHER [ENGINE]=1"), "A104", {"'[ENGINE]=1'"}));
  EXPECT_THAT(ask("remove_session NEW over"), HasSubstr("NEW"));
  EXPECT_THAT(ask("get_sessions SERVER"), Not(HasSubstr("NEW")));
}

TEST_F(EngineAdmin, ReportsTheOperatorAndTimeOfADisabledSession) {
  const auto fact = [&](std::string_view name) {
    std::istringstream lines(ask("get_session_state FIRM"));
    std::string line;
    while (std::getline(lines, line)) {
      if (line.starts_with(std::string(name) + " ")) {
        const std::size_t value = line.find_first_not_of(' ', name.size());
        return value == std::string::npos ? std::string() : line.substr(value);
      }
    }
    ADD_FAILURE() << "no " << name;
    return std::string();
  };
  EXPECT_EQ(fact("enabled"), "yes");
  EXPECT_EQ(fact("disabled_by"), "");
  EXPECT_EQ(fact("disabled_since"), "");
  const std::string before = admin::time_text(os::now().utc_ns);
  ask("disable_session FIRM lunch");
  ASSERT_TRUE(pair.turn_until([&] { return !pair.venue().logged_on(); }));
  EXPECT_EQ(fact("enabled"), "no");
  EXPECT_THAT(fact("disabled_by"),
              AllOf(StartsWith("by operator at 127.0.0.1:"), EndsWith(": lunch")));
  EXPECT_GE(fact("disabled_since"), before);
  EXPECT_LE(fact("disabled_since"), admin::time_text(os::now().utc_ns));
  EXPECT_THAT(ask("get_sessions SERVER"), HasSubstr(": lunch"));
  ask("enable_session FIRM");
  EXPECT_EQ(fact("enabled"), "yes");
  EXPECT_EQ(fact("disabled_by"), "");
  EXPECT_EQ(fact("disabled_since"), "");
}

TEST_F(EngineAdmin, OperatorsTakeEveryPlaceAndTheNextIsRefused) {
  settings.management_users_file = pair.directory.path("users");
  std::ofstream(settings.management_users_file) << "ann OPERATE annes-token-0123456789\n";
  settings.management_connections_max = 2;
  open_again();
  EXPECT_THAT(ask("auth annes-token-0123456789"), HasSubstr("role operate"));
  {
    Console second(pair.engines(), server->address());
    EXPECT_THAT(second.ask("auth annes-token-0123456789"), HasSubstr("role operate"));
    Console third(pair.engines(), server->address());
    EXPECT_TRUE(has_message(third.answer(), "A107", {"refused: "}));
    EXPECT_TRUE(third.is_ended());
    EXPECT_TRUE(program.has_logged("A107", {"management_connections_max"}));
    EXPECT_THAT(second.ask("whoami"), HasSubstr("ann"));
  }
  EXPECT_THAT(ask("whoami"), HasSubstr("ann"));
  Console after(pair.engines(), server->address());
  EXPECT_THAT(after.ask("whoami"), HasSubstr("done")) << "a place was free again";
}

TEST_F(EngineAdmin, AnAddedSessionsKeysWithoutEffectAreInTheAnswer) {
  const std::string session =
      "begin_string=FIX.4.2 sender_comp_id=VENUE sequence_reserve=0 journal_path=\"" +
      pair.directory.path("added") + "\" target_comp_id=";
  EXPECT_TRUE(
      has_message(ask("add_session IDLE " + session + "IDLE send_queue_max=5"), "C210",
                  {"; warning: [IDLE]: key 'send_queue_max'", "send_while_disconnected=QUEUE"}));
  EXPECT_THAT(ask("add_session PLAIN " + session + "PLAIN"), Not(HasSubstr("warning")));
}

TEST_F(EngineAdmin, AReloadDoesAllOrTellsEverything) {
  EXPECT_THAT(ask("reload"), StartsWith("refused"));
  program.path = pair.directory.path("engine.ini");
  std::ofstream(program.path) << "[SERVER]\naccept_port=x\n";
  EXPECT_TRUE(has_message(ask("reload"), "C207", {"refused: ", "'accept_port'", "'x'"}));
  std::ofstream(program.path) << "[SERVER]\naccept_port=0\n[S]\nbegin_string=FIX.4.4\n"
                                 "sender_comp_id=A\ntarget_comp_id=B\n";
  EXPECT_THAT(ask("reload"), HasSubstr("done: nothing to change"));
}

TEST_F(EngineAdmin, ShowsTheJournalsRecords) {
  ASSERT_TRUE(send_order(pair.venue(), "ABC-1").sent());
  ASSERT_TRUE(send_order(pair.venue(), "ABC-2").sent());
  ASSERT_TRUE(send_order(pair.firm(), "DEF-1").sent());
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.ids().size() == 1; }));
  EXPECT_THAT(ask("tail FIRM 3"),
              AllOf(HasSubstr("11=ABC-2|"), HasSubstr("11=DEF-1|"), HasSubstr("received"),
                    HasSubstr("done: 3 rows"), Not(HasSubstr("\x01"))));
  EXPECT_THAT(ask("tail FIRM"), HasSubstr("35=A|"));
  EXPECT_TRUE(has_message(ask("tail FIRM 1001"), "A103", {"refused: ", "1000"}));
  EXPECT_THAT(ask("tail FIRM 0"), HasSubstr("done: 0 rows"));
  EXPECT_THAT(ask("preview_resend FIRM 1"),
              AllOf(HasSubstr("gap fill"), HasSubstr("D:2"),
                    HasSubstr("2 messages would be resent, 1 numbers gap-filled")));
  EXPECT_TRUE(has_message(ask("preview_resend FIRM 3 2"), "A103", {"refused: ", "<from>"}));
  EXPECT_TRUE(
      has_message(ask("preview_resend FIRM 4000"), "A119", {"refused: ", " 4: ", " 4000 "}));
}

TEST_F(EngineAdmin, ShowsMeasuredLatencies) {
  EXPECT_THAT(ask("latency FIRM"), StartsWith("latency  count"));
  for (int at = 0; at < 200; ++at) {
    ASSERT_TRUE(send_order(pair.firm(), std::to_string(at)).sent());
  }
  ASSERT_TRUE(pair.turn_until([&] { return pair.venue_application.messages.size() == 200; }));
  EXPECT_THAT(ask("latency FIRM"), AllOf(HasSubstr("callback"), HasSubstr("done: 5 rows")));
}

TEST_F(EngineAdmin, ATapShowsRecordsAsTheyAreWritten) {
  ASSERT_TRUE(console->say("tap FIRM\n"));
  EXPECT_THAT(console->line(), HasSubstr("from now on"));
  ASSERT_TRUE(send_order(pair.venue(), "tapped").sent());
  EXPECT_THAT(console->line(), AllOf(HasSubstr("sent"), HasSubstr("11=tapped|")));
  EXPECT_EQ(ask(""), "done: tap ended\n");
  EXPECT_THAT(ask("whoami"), HasSubstr("operate"));
}

TEST_F(EngineAdmin, ChangesAreWrittenDownInLogAndJournal) {
  ask("set_engine_log_level ERROR");
  EXPECT_TRUE(program.has_logged("A123", {"set_engine_log_level ERROR -> done"}));
  ask("set_outgoing_sequence_number FIRM 40 force");
  EXPECT_TRUE(program.has_logged("A123", {"FIRM: ", "operator at 127.0.0.1:",
                                          "set_outgoing_sequence_number FIRM 40 force -> done"}));
  std::string tail;
  EXPECT_TRUE(pair.turn_until([&] {
    tail = ask("tail FIRM 5");
    return tail.find("set_outgoing_sequence_number FIRM 40 force -> done") != std::string::npos;
  })) << tail;
  EXPECT_THAT(tail, HasSubstr("remark"));
  const std::size_t lines = program.lines();
  ask("get_uptime");
  EXPECT_EQ(program.lines(), lines);
}

TEST_F(EngineAdmin, AnswersProgramsInJson) {
  EXPECT_EQ(ask(R"({"id":7,"command":"get_engine_log_level"})"),
            "{\"id\":7,\"status\":\"done\",\"text\":\"\",\"columns\":[\"log_level\"],"
            "\"rows\":[{\"log_level\":\"INFO\"}],\"cut\":false}\n");
  EXPECT_EQ(ask(R"({"id":"x","command":"set_engine_log_level","arguments":["ERROR"]})"),
            "{\"id\":\"x\",\"status\":\"done\",\"text\":\"log level INFO -> ERROR\"}\n");
  EXPECT_THAT(ask(R"({"command":"set_outgoing_sequence_number","arguments":["FIRM",50,"force"]})"),
              HasSubstr("\"done\""));
  EXPECT_THAT(ask(R"({"id":1})"), HasSubstr("\"refused\""));
  EXPECT_THAT(ask(R"({"command":)"), HasSubstr("\"A105\""));
}

TEST_F(EngineAdmin, ABusyWorkerLosesTheCommandForGood) {
  open({.claim_ns = 50 * base::ns_per_ms, .finish_ns = 100 * base::ns_per_ms});
  // Nothing drives the engines, so no worker executes it.
  Console alone({}, server->address());
  const std::uint64_t before = pair.venue().next_sender_seq();
  EXPECT_TRUE(
      has_message(alone.ask("set_outgoing_sequence_number FIRM 500 force"), "A113", {"busy: "}));
  EXPECT_THAT(alone.ask("get_all_session_states"), HasSubstr("worker busy"));
  EXPECT_THAT(alone.ask("kill engine"), AllOf(HasSubstr("withdrawn"), HasSubstr("busy: 1 of 1")));
  turn_for(pair.engines(), 50 * base::ns_per_ms);
  EXPECT_EQ(pair.venue().next_sender_seq(), before);
  EXPECT_TRUE(send_order(pair.venue(), "1").sent());
}

TEST_F(EngineAdmin, ThePortIsWhereTheKeysSay) {
  cpu_set_t allowed;
  ASSERT_EQ(::pthread_getaffinity_np(::pthread_self(), sizeof allowed, &allowed), 0);
  std::int64_t core = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(core), &allowed)) {
    ++core;
  }
  // management_server_nic_ip, management_server_cpu_core_id, management_server_port.
  settings.management_server_nic_ip = "127.0.0.2";
  settings.management_server_cpu_core_id = core;
  open();
  EXPECT_EQ(server->address().host_text(), "127.0.0.2");
  EXPECT_THAT(ask("get_uptime"), HasSubstr("done"));
  settings.management_server_port = server->address().port();
  EXPECT_FALSE(admin::Server::open(settings, *pair.acceptor, program));
}

// --- Permissions ---

class EngineAdminRoles : public EngineAdmin {
 protected:
  void SetUp() override {
    std::ofstream(read_file) << "look-but-do-not-touch\n";
    std::ofstream(operate_file) << "hands-on-the-switches\n";
    settings.management_read_token = "file:" + read_file;
    settings.management_operate_token = "file:" + operate_file;
    EngineAdmin::SetUp();
    settings.management_local_role = config::LocalRole::None;
    open({.wrong_token_ns = 10 * base::ns_per_ms});
  }

  TemporaryDirectory tokens;
  std::string read_file = tokens.path("read");
  std::string operate_file = tokens.path("operate");
};

TEST_F(EngineAdminRoles, NothingIsDoneWithoutARole) {
  const std::uint64_t before = pair.venue().next_sender_seq();
  for (const admin::CommandDescription& command : admin::commands()) {
    if (command.role == admin::Role::None) {
      continue;
    }
    EXPECT_TRUE(has_message(ask(command.name), "A106", {"refused: ", command.name}));
  }
  EXPECT_TRUE(
      has_message(ask("set_outgoing_sequence_number FIRM 50 force"), "A106", {"refused: "}));
  EXPECT_EQ(pair.venue().next_sender_seq(), before);
  EXPECT_THAT(ask("help"), HasSubstr("done"));
}

TEST_F(EngineAdminRoles, ATokenGivesItsRoleAndNoMore) {
  EXPECT_EQ(ask("auth look-but-do-not-touch"), "done: role read\n");
  EXPECT_THAT(ask("get_all_session_states"), HasSubstr("FIRM"));
  for (const admin::CommandDescription& command : admin::commands()) {
    if (command.role == admin::Role::Operate) {
      EXPECT_TRUE(has_message(ask(command.name), "A106", {"refused: ", command.name}));
    }
  }
  EXPECT_TRUE(program.has_logged("A106", {"kill", "read"}));
  EXPECT_EQ(ask("auth hands-on-the-switches"), "done: role operate\n");
  EXPECT_THAT(ask("set_engine_log_level ERROR"), StartsWith("done"));
  EXPECT_FALSE(program.heard("hands-on"));
  EXPECT_FALSE(program.heard("look-but"));
}

TEST_F(EngineAdminRoles, AWrongTokenEndsTheConnectionAndIsNotRepeated) {
  for (const std::string token :
       {"x", "hands-on-the-switches!", "hands-on-the-switche", "", "\"\""}) {
    Console stranger(pair.engines(), server->address());
    if (token.empty()) {
      EXPECT_TRUE(has_message(stranger.ask("auth"), "A103", {"refused: ", "<token>"}));
      continue;
    }
    EXPECT_TRUE(has_message(stranger.ask("auth " + token), "A106", {"refused: "}));
    EXPECT_TRUE(stranger.is_ended());
  }
  EXPECT_TRUE(program.has_logged("A106", {"127.0.0.1:"}));
  EXPECT_FALSE(program.heard("switche"));
}

TEST_F(EngineAdminRoles, TokensThatCannotBeReadOrAreWeakRefuseTheStart) {
  const auto refused = [&](std::string_view why) {
    const auto opened = admin::Server::open(settings, *pair.acceptor, program);
    ASSERT_FALSE(opened);
    EXPECT_TRUE(has_message(opened.error().text(), "A108", {why}));
    EXPECT_THAT(opened.error().text(), Not(HasSubstr("short")));
  };
  std::ofstream(read_file) << "short\n";
  refused("16 to 256");
  std::ofstream(read_file) << "hands-on-the-switches\n";
  refused("the same");
  settings.management_read_token = "env:AFFIX_TEST_NO_SUCH_VARIABLE";
  refused("not set");
  settings.management_read_token = "file:" + tokens.path("absent");
  refused("cannot be read");
}

TEST_F(EngineAdminRoles, SettingsMadeInCodeAreCheckedAsThoseOfAFile) {
  const auto refused = [&](config::ManagementSettings wrong, base::MessageCode code,
                           std::string_view value) {
    const auto opened = admin::Server::open(wrong, *pair.acceptor, program);
    ASSERT_FALSE(opened) << value;
    EXPECT_TRUE(has_message(opened.error().text(), code, {value}));
  };
  config::ManagementSettings wrong = settings;
  wrong.management_local_role = static_cast<config::LocalRole>(3);
  refused(wrong, "C206", "key 'management_local_role'");
  for (const std::int64_t port : {-1, 0}) {
    wrong = settings;
    wrong.management_server_port = port;
    wrong.management_server_nic_ip = "0.0.0.0";
    refused(wrong, "A112", "TLS");
  }
  wrong = settings;
  wrong.management_connections_max = -9;
  refused(wrong, "C207", "key 'management_connections_max'");
}

TEST_F(EngineAdmin, UsersHaveNamesAndRolesOfTheirOwn) {
  TemporaryDirectory directory;
  settings.management_local_role = config::LocalRole::None;
  settings.management_users_file = directory.path("users");
  std::ofstream(settings.management_users_file)
      << "# desk\n\nann OPERATE annes-token-0123456789\nbob  READ\tbobs-token-9876543210\r\n";
  open();
  EXPECT_THAT(ask("auth annes-token-0123456789"), HasSubstr("role operate"));
  EXPECT_THAT(ask("whoami"), HasSubstr("ann"));
  EXPECT_THAT(ask("disable_session FIRM"), HasSubstr("done"));
  EXPECT_TRUE(program.has_logged("A123", {"operator ann at 127.0.0.1:", "disable_session FIRM"}));
  EXPECT_THAT(ask("enable_session FIRM"), HasSubstr("done"));
  EXPECT_THAT(ask("auth bobs-token-9876543210"), HasSubstr("role read"));
  EXPECT_TRUE(has_message(ask("disable_session FIRM"), "A106", {"refused: ", "operate", "read"}));
  EXPECT_TRUE(program.has_logged("A106", {"operator bob at ", "disable_session"}));
}

TEST_F(EngineAdmin, AFileOfUsersThatIsWrongIsRefusedWithoutItsTokens) {
  TemporaryDirectory directory;
  settings.management_users_file = directory.path("users");
  const auto problem_of = [&](const std::string& text) {
    std::ofstream(settings.management_users_file) << text;
    console.reset();
    server.reset();
    const auto opened = admin::Server::open(settings, *pair.acceptor, program);
    EXPECT_FALSE(opened) << text;
    return opened ? std::string() : opened.error().text();
  };
  EXPECT_TRUE(has_message(problem_of("ann OPERATE short"), "A108", {"users:1"}));
  EXPECT_THAT(problem_of("ok READ 0123456789abcdef0\nann operate 0123456789abcdef"),
              AllOf(HasSubstr("users:2"), HasSubstr("[A108]"), Not(HasSubstr("0123456789abcdef"))));
  EXPECT_TRUE(has_message(problem_of("ann OPERATE 0123456789abcdef\nann READ 0123456789abcdefg"),
                          "A108", {"users:2", "'ann'", "twice"}));
  EXPECT_THAT(problem_of("ann OPERATE 0123456789abcdef\nbob READ 0123456789abcdef"),
              AllOf(HasSubstr("'bob'"), HasSubstr("[A108]"), Not(HasSubstr("0123456789abcdef"))));
  EXPECT_TRUE(has_message(problem_of("an:n OPERATE 0123456789abcdef"), "A108", {"users:1"}));
  settings.management_users_file = "/dev/zero";
  const auto endless = admin::Server::open(settings, *pair.acceptor, program);
  ASSERT_FALSE(endless);
  EXPECT_TRUE(has_message(endless.error().text(), "A108", {"/dev/zero", "64 KiB"}));
  settings.management_users_file.clear();
  settings.management_read_token = "file:/dev/zero";
  EXPECT_FALSE(admin::Server::open(settings, *pair.acceptor, program))
      << "no more of it is read than a token can be";
}

TEST_F(EngineAdmin, TheKillSwitchIsRememberedOverARestart) {
  TemporaryDirectory directory;
  settings.kill_switch_file = directory.path("stopped");
  open();
  EXPECT_THAT(ask("kill engine runaway"), HasSubstr("done"));
  const host::SessionHandle firm = pair.acceptor->session("FIRM");
  const host::SessionControls controls(firm);
  EXPECT_TRUE(controls.sight().sending_stopped);
  // State of a restarted engine: nothing is stopped, and no command is recorded.
  controls.resume_sending();
  pair.acceptor->set_sending_stopped({}, false);
  open_again();
  EXPECT_TRUE(controls.sight().sending_stopped);
  EXPECT_TRUE(pair.acceptor->sending_stopped({}));
  EXPECT_TRUE(program.has_logged("A109", {"the engine ", settings.kill_switch_file}));

  EXPECT_THAT(ask("resume FIRM"), HasSubstr("done"));
  controls.stop_sending();
  controls.resume_sending();
  open_again();
  EXPECT_FALSE(controls.sight().sending_stopped) << "the last word about it";
  EXPECT_TRUE(pair.acceptor->sending_stopped({}));
  EXPECT_THAT(ask("resume engine"), HasSubstr("done"));
  open_again();
  EXPECT_FALSE(pair.acceptor->sending_stopped({}));
}

TEST_F(EngineAdmin, AKillThatARestartWouldForgetSaysSo) {
  EXPECT_THAT(ask("kill FIRM"), HasSubstr("kill_switch_file"));
  EXPECT_THAT(ask("resume FIRM"), Not(HasSubstr("kill_switch_file")));
  settings.kill_switch_file = "/nowhere/stopped";
  open_again();
  EXPECT_TRUE(has_message(ask("kill FIRM"), "O101", {"done: ", "/nowhere/stopped"}));
  EXPECT_THAT(ask("resume FIRM"), HasSubstr("done"));
}

TEST_F(EngineAdmin, ADamagedFileOfTheKillSwitchIsNotBelieved) {
  TemporaryDirectory directory;
  settings.kill_switch_file = directory.path("stopped");
  const std::string good = "affix-kill-switch 1\nstopped\t\t\n";
  for (const std::string& bad :
       {std::string(), std::string("x"), good.substr(0, good.size() - 1), good + "going\tA\t\n",
        good + "stopped\t\tSESSION\n", good + "stopped\tA\tB\tC\n"}) {
    std::ofstream(settings.kill_switch_file) << bad;
    console.reset();
    server.reset();
    const auto opened = admin::Server::open(settings, *pair.acceptor, program);
    ASSERT_FALSE(opened) << bad;
    EXPECT_EQ(opened.error().message_code, base::MessageCode("A109")) << opened.error().text();
  }
}

/// A program with a full disk.
class ForgetfulProgram final : public TestProgram {
 public:
  std::expected<void, base::Error> audit(host::Event::Severity severity, std::string_view session,
                                         std::string_view text, base::MessageCode code) override {
    log(severity, session, text, code);
    return std::unexpected(base::Error{base::ErrorCode::NoSpace, "no space", "/audit"});
  }
};

TEST_F(EngineAdmin, AnOperatorIsReportedThatTheAuditTrailWasNotWritten) {
  ForgetfulProgram forgetful;
  console.reset();
  server = open_server(settings, *pair.acceptor, forgetful);
  ASSERT_TRUE(server);
  console = std::make_unique<Console>(pair.engines(), server->address());
  EXPECT_THAT(ask("disable_session FIRM"), AllOf(HasSubstr("done"), HasSubstr("/audit: no space")));
  EXPECT_THAT(ask("get_uptime"), Not(HasSubstr("/audit")));
  console.reset();
  server.reset();
}

TEST_F(EngineAdmin, AMisspeltKeyPutsNoSecretIntoTheLog) {
  for (const char* const key :
       {"logon_pasword", "Logon_Password", "logon_password ", "password", "tls_preshared_key"}) {
    ask("add_session NEW \"" + std::string(key) + "=hunter2\"");
  }
  ask("add_session NEW logon_password=hunter2 begin_string=FIX.4.2");
  EXPECT_FALSE(program.heard("hunter2"));
  EXPECT_TRUE(program.has_logged("A123", {"logon_pasword=..."}));
  EXPECT_TRUE(program.has_logged("A123", {"begin_string=FIX.4.2"}));
}

}  // namespace
}  // namespace affix::support
