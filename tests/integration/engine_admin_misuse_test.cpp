// SPDX-License-Identifier: MIT
// Misuse of the administration port: partial lines, floods, clients that do not read, bytes that
// are no commands. Memory stays bounded, and other clients are served meanwhile.
#include "support/admin_console.hpp"
#include "support/has_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace affix::support {
namespace {

using testing::HasSubstr;

class EngineAdminMisuse : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(pair.log_on());
    settings.management_server_port = -1;
    settings.management_connections_max = 8;
  }

  void open(const admin::ServerOptions& options = {}) {
    auto opened = admin::Server::open(settings, *pair.acceptor, program, options);
    ASSERT_TRUE(opened) << opened.error().text();
    server = std::move(*opened);
  }

  [[nodiscard]] Console connect() const { return Console(pair.engines(), server->address()); }

  Pair pair;
  TestProgram program;
  config::ManagementSettings settings;
  std::unique_ptr<admin::Server> server;
};

TEST_F(EngineAdminMisuse, ALineMayComeByteByByteAndManyAtOnce) {
  open();
  Console slow = connect();
  for (const char byte : std::string_view("whoami\r\n")) {
    ASSERT_TRUE(slow.say({&byte, 1}));
    turn_for(pair.engines(), base::ns_per_ms);
  }
  EXPECT_THAT(slow.answer(), HasSubstr("read"));
  ASSERT_TRUE(slow.say("whoami\n\n\nget_uptime\nget_all_session_states\nquit\nwhoami\n"));
  EXPECT_THAT(slow.answer(), HasSubstr("read"));
  EXPECT_THAT(slow.answer(), HasSubstr("uptime"));
  EXPECT_THAT(slow.answer(), HasSubstr("FIRM"));
  EXPECT_EQ(slow.answer(), "done: goodbye\n");
  EXPECT_TRUE(slow.is_ended());
}

TEST_F(EngineAdminMisuse, ALineWithoutEndIsRefusedAndItsConnectionEnds) {
  open();
  Console endless = connect();
  ASSERT_TRUE(endless.say(std::string(5'000, 'a')));
  EXPECT_TRUE(has_message(endless.answer(), "A105", {"refused: ", "4096"}));
  EXPECT_TRUE(endless.is_ended());
  Console next = connect();
  EXPECT_TRUE(has_message(next.ask(std::string(4'096, 'b')), "A103", {"refused: ", "'bbbb"}));
  EXPECT_THAT(next.ask("whoami"), HasSubstr("done"));
}

TEST_F(EngineAdminMisuse, RequestsThatAPageMakesABrowserSendAreNotCarriedOut) {
  settings.management_local_role = config::LocalRole::Operate;
  open();
  Console browser = connect();
  ASSERT_TRUE(browser.say("POST / HTTP/1.1\r\nHost: localhost\r\n\r\nkill engine\r\n"));
  EXPECT_TRUE(has_message(browser.answer(), "A102", {"refused: "}));
  EXPECT_TRUE(browser.is_ended());
  EXPECT_TRUE(program.has_logged("A102", {"127.0.0.1:"}));
  EXPECT_FALSE(program.heard("kill engine"));
  EXPECT_TRUE(send_order(pair.venue(), "1").sent());
  // A command may end with such a word.
  Console person = connect();
  EXPECT_THAT(person.ask("kill FIRM we speak HTTP/1.1"), HasSubstr("stopped"));
  EXPECT_FALSE(person.ended_now());
}

TEST_F(EngineAdminMisuse, NothingIsCarriedOutAfterTheEnd) {
  settings.management_local_role = config::LocalRole::Operate;
  open();
  Console hasty = connect();
  ASSERT_TRUE(hasty.say("quit\nkill engine\n"));
  EXPECT_EQ(hasty.answer(), "done: goodbye\n");
  EXPECT_TRUE(hasty.is_ended());
  EXPECT_TRUE(send_order(pair.venue(), "1").sent());
}

TEST_F(EngineAdminMisuse, BytesThatAreNoCommandsAreRefusedAndNothingElseHappens) {
  open();
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Console noisy = connect();
    std::string bytes;
    for (int at = 0; at < 600; ++at) {
      bytes += static_cast<char>(random() % 256);
    }
    noisy.say(bytes + "\n");
    EXPECT_FALSE(noisy.answer().empty());
  }
  EXPECT_TRUE(pair.venue().logged_on());
  EXPECT_THAT(connect().ask("whoami"), HasSubstr("done"));
}

TEST_F(EngineAdminMisuse, AHundredThousandCommandsAreAnsweredOneByOne) {
  open();
  Console busy = connect();
  std::string batch;
  for (int at = 0; at < 1'000; ++at) {
    batch += "whoami\n";
  }
  std::size_t answers = 0;
  std::size_t said = 0;
  // As fast as the port accepts them; the rest waits at the sender.
  ASSERT_TRUE(turn_until(
      {},
      [&] {
        if (said < 100 && said * 1'000 < answers + 20'000 && busy.say(batch)) {
          ++said;
        }
        while (busy.text().find("done") != std::string::npos) {
          EXPECT_THAT(busy.answer(), HasSubstr("read"));
          ++answers;
        }
        static_cast<void>(busy.ended_now());
        return answers == 100'000;
      },
      6 * patience_ns))
      << answers;
}

TEST_F(EngineAdminMisuse, AClientThatDoesNotReadIsClosedAndOthersAreServedMeanwhile) {
  open({.unread_ns = 200 * base::ns_per_ms});
  Console deaf(pair.engines(), server->address(), 4'096);
  // Answers far larger than any socket buffer.
  std::string batch;
  for (int at = 0; at < 2'000; ++at) {
    batch += "get_configuration\n";
  }
  for (int at = 0; at < 100; ++at) {
    static_cast<void>(deaf.say(batch));
  }
  Console other = connect();
  EXPECT_THAT(other.ask("get_all_session_states"), HasSubstr("FIRM"));
  ASSERT_TRUE(pair.turn_until([&] { return program.has_logged("A107", {"does not read"}); }));
  EXPECT_THAT(other.ask("whoami"), HasSubstr("done"));
}

TEST_F(EngineAdminMisuse, AClientThatLeavesWithoutReadingFreesItsPlace) {
  open();
  std::string batch;
  for (int at = 0; at < 2'000; ++at) {
    batch += "get_configuration\n";
  }
  // More clients than places, each with a full buffer of unread answers; closing a connection with
  // unread bytes resets it. The port was about to close some of them.
  for (int round = 0; round < 24; ++round) {
    Console rude({}, server->address(), 4'096);
    ASSERT_TRUE(rude.say("whoami\n"));
    ASSERT_THAT(rude.answer(), HasSubstr("read")) << round;
    static_cast<void>(rude.say(round % 2 == 0 ? batch : batch.substr(0, 1'800) + "\nquit\n"));
    ASSERT_FALSE(rude.line().empty());
  }
  for (int round = 0; round < 24; ++round) {
    Console hasty({}, server->address());
    ASSERT_TRUE(hasty.say("whoami\n" + batch + "quit\n"));
    ASSERT_FALSE(hasty.line().empty());
  }
  EXPECT_THAT(connect().ask("whoami"), HasSubstr("done"));
  EXPECT_FALSE(program.has_logged("A107", {"management_connections_max"}));
}

TEST_F(EngineAdminMisuse, AFloodOfConnectionsLeavesAPlaceForANewcomer) {
  open();
  std::vector<Console> flood;
  flood.reserve(40);
  for (int at = 0; at < 40; ++at) {
    flood.push_back(connect());
  }
  Console newcomer = connect();
  EXPECT_THAT(newcomer.ask("whoami"), HasSubstr("done"));
  std::size_t open_ones = 0;
  for (Console& one : flood) {
    open_ones += one.ended_now() ? 0U : 1U;
  }
  EXPECT_LE(open_ones, 8U);
}

TEST_F(EngineAdminMisuse, StrangersAndTheSilentAreClosed) {
  settings.management_local_role = config::LocalRole::None;
  open({.stranger_ns = 50 * base::ns_per_ms});
  Console stranger = connect();
  EXPECT_THAT(stranger.ask("whoami"), HasSubstr("none"));
  EXPECT_TRUE(stranger.is_ended());
  server.reset();
  settings.management_local_role = config::LocalRole::Read;
  open({.silent_ns = 50 * base::ns_per_ms});
  Console silent = connect();
  EXPECT_THAT(silent.ask("whoami"), HasSubstr("read"));
  EXPECT_TRUE(silent.is_ended());
}

TEST_F(EngineAdminMisuse, ACommandWhoseConnectionEndsIsWithdrawn) {
  settings.management_local_role = config::LocalRole::Operate;
  open();
  const std::uint64_t before = pair.venue().next_sender_seq();
  {
    Console hasty({}, server->address());
    ASSERT_TRUE(hasty.say("set_outgoing_sequence_number FIRM 900 force\n"));
    Console other({}, server->address());
    EXPECT_THAT(other.ask("whoami"), HasSubstr("done"));  // The previous line has been read.
  }
  Console last({}, server->address());
  EXPECT_THAT(last.ask("whoami"), HasSubstr("done"));  // And also the end of its connection.
  EXPECT_THAT(last.ask("get_all_session_states"), HasSubstr("worker busy"));
  turn_for(pair.engines(), 50 * base::ns_per_ms);
  EXPECT_EQ(pair.venue().next_sender_seq(), before);
}

}  // namespace
}  // namespace affix::support
