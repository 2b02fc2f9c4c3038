// SPDX-License-Identifier: MIT
// The kill switch and sessions that come after it was used: added, reloaded, made from templates,
// or added again under a stopped name.
#include "affix/counters/counter_reader.hpp"

#include "support/admin_console.hpp"
#include "support/raw_peer.hpp"

#include <cerrno>
#include <fcntl.h>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace affix::support {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SendingHolds : public testing::Test {
 protected:
  void SetUp() override {
    configuration_ = acceptor_configuration();
    add_session(configuration_, "VENUE", "FIRM", directory_.path());
    config::SessionSettings clients = configuration_.sessions.front();
    clients.name = "CLIENTS";
    clients.target_comp_id = "C*";
    clients.acceptor_template = true;
    configuration_.templates.push_back(clients);
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
    config::ManagementSettings settings;
    settings.management_server_port = -1;
    settings.management_local_role = config::LocalRole::Operate;
    auto server = admin::Server::open(settings, *venue_, program_);
    ASSERT_TRUE(server) << server.error().text();
    server_ = std::move(*server);
    console_ = std::make_unique<Console>(engines(), server_->address());
  }

  [[nodiscard]] Engines engines() const { return {venue_.get()}; }

  std::string ask(std::string_view line) { return console_->ask(line); }

  [[nodiscard]] config::SessionSettings session(const std::string& peer) {
    config::Configuration alone = acceptor_configuration();
    return add_session(alone, "VENUE", peer, directory_.path());
  }

  void finish(const std::expected<engine::Change, config::Problems>& change) {
    ASSERT_TRUE(change) << config::text_of(change.error());
    ASSERT_TRUE(turn_until(engines(), [&] { return change->done(); }));
  }

  void add(const std::string& peer) { finish(venue_->add_sessions({session(peer)})); }

  host::SendStatus send(const std::string& name) {
    return send_order(venue_->session(name), "1").status;
  }

  /// According to the session itself, and to a reader of the counters.
  std::string stopped(const std::string& name) {
    const bool said =
        ask("get_session_state " + name).find("sending_stopped  yes") != std::string::npos;
    auto counters = counters::CounterReader::open(venue_->counters_path());
    EXPECT_TRUE(counters) << counters.error().text();
    for (const counters::SessionReading& seat : counters->read().sessions) {
      if (seat.name == name) {
        EXPECT_EQ(seat[counters::SessionCounter::SendingStopped], said ? 1U : 0U) << name;
      }
    }
    return said ? "stopped" : "sending";
  }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  TestProgram program_;
  std::unique_ptr<admin::Server> server_;
  std::unique_ptr<Console> console_;
};

TEST_F(SendingHolds, ASessionThatIsAddedBeginsStopped) {
  ASSERT_NO_FATAL_FAILURE(add("BEFORE"));
  EXPECT_THAT(ask("kill SERVER"), HasSubstr("done: 2 sessions"));
  ASSERT_NO_FATAL_FAILURE(add("LATE"));
  EXPECT_EQ(stopped("LATE"), "stopped");
  EXPECT_TRUE(application_.heard_code("A101")) << application_.all_events();
  EXPECT_THAT(ask("get_servers"), HasSubstr("yes"));
  // After logon it still sends only session messages.
  RawPeer late(engines(), "LATE", "VENUE");
  late.connect(port_of(*venue_));
  late.log_on();
  EXPECT_EQ(send("LATE"), host::SendStatus::Stopped);
  late.send("1", "112=alive|");
  EXPECT_EQ(late.expect("0")[112], "alive");
  EXPECT_THAT(ask("resume SERVER"), HasSubstr("done: 3 sessions"));
  EXPECT_EQ(send("LATE"), host::SendStatus::Sent);
  EXPECT_EQ(late.expect("D")[11], "1");
  ASSERT_NO_FATAL_FAILURE(add("AFTERWARDS"));
  EXPECT_EQ(stopped("AFTERWARDS"), "sending");
}

TEST_F(SendingHolds, SoDoesOneOfAReload) {
  EXPECT_THAT(ask("kill engine"), HasSubstr("done"));
  config::Configuration wanted = venue_->configuration();
  wanted.sessions.push_back(session("COMES"));
  ASSERT_NO_FATAL_FAILURE(finish(venue_->reload(wanted)));
  EXPECT_EQ(stopped("COMES"), "stopped");
  // A restart by a reload keeps the session's own state.
  EXPECT_THAT(ask("resume COMES"), HasSubstr("done"));
  wanted.sessions.front().timestamp_subseconds_precision = wire::TimePrecision::Micros;
  wanted.sessions.back().timestamp_subseconds_precision = wire::TimePrecision::Micros;
  ASSERT_NO_FATAL_FAILURE(finish(venue_->reload(wanted)));
  EXPECT_EQ(stopped("FIRM"), "stopped");
  EXPECT_EQ(stopped("COMES"), "sending");
}

TEST_F(SendingHolds, SessionsOfTemplatesAreReachedAndBeginStopped) {
  RawPeer early(engines(), "C1", "VENUE");
  early.connect(port_of(*venue_));
  early.log_on();
  EXPECT_THAT(ask("get_sessions SERVER"), HasSubstr("CLIENTS/C1"));
  EXPECT_THAT(ask("get_session_config CLIENTS/C1"), HasSubstr("target_comp_id"));
  EXPECT_THAT(ask("preview_resend CLIENTS/C1 1"), HasSubstr("done"));
  EXPECT_THAT(ask("kill SERVER"), HasSubstr("done: 2 sessions"));
  EXPECT_EQ(send("CLIENTS/C1"), host::SendStatus::Stopped);
  RawPeer late(engines(), "C2", "VENUE");
  late.connect(port_of(*venue_));
  late.log_on();
  EXPECT_EQ(send("CLIENTS/C2"), host::SendStatus::Stopped);
  EXPECT_THAT(ask("resume CLIENTS/C2"), HasSubstr("done"));
  EXPECT_EQ(send("CLIENTS/C2"), host::SendStatus::Sent);
  EXPECT_EQ(send("CLIENTS/C1"), host::SendStatus::Stopped);
  EXPECT_EQ(stopped("CLIENTS/C1"), "stopped");
  EXPECT_EQ(stopped("CLIENTS/C2"), "sending");
}

TEST_F(SendingHolds, AStoppedNameStaysStoppedWhenItComesBack) {
  ASSERT_NO_FATAL_FAILURE(add("BACK"));
  EXPECT_THAT(ask("kill BACK"), HasSubstr("done"));
  ASSERT_NO_FATAL_FAILURE(finish(venue_->remove_session("BACK")));
  ASSERT_NO_FATAL_FAILURE(add("BACK"));
  EXPECT_EQ(stopped("BACK"), "stopped");
  EXPECT_EQ(stopped("FIRM"), "sending");
  EXPECT_THAT(ask("resume SERVER"), HasSubstr("done"));
  EXPECT_EQ(stopped("BACK"), "sending");
}

TEST_F(SendingHolds, TheSwitchDoesNotWaitForAChangeThatTheDiskHoldsUp) {
  // Reading a dictionary that is a pipe blocks until its other end is written.
  const std::string pipe = directory_.path("dictionary.xml");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0) << errno;
  config::SessionSettings slow = session("SLOW");
  slow.dictionary = pipe;
  auto adding =
      std::async(std::launch::async, [&] { return venue_->add_sessions({slow}).has_value(); });
  int end = -1;
  ASSERT_TRUE(turn_until(engines(), [&] {
    end = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);  // Until the reader has opened
                                                                    // it.
    return end >= 0 || adding.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }));
  EXPECT_GE(end, 0) << "the dictionary was refused before it was read";
  EXPECT_THAT(ask("kill engine"), AllOf(HasSubstr("stopped"), HasSubstr("done: 1 sessions")));
  EXPECT_THAT(ask("sessions"), HasSubstr("done"));
  if (end >= 0) {
    ::close(end);
  }
  EXPECT_FALSE(adding.get());
}

}  // namespace
}  // namespace affix::support
