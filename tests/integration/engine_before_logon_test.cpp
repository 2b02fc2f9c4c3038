// SPDX-License-Identifier: MIT
// Connections before logon: strangers, garbage, partial and slow Logons, too many, second ones for
// a live session, refused ones. None of them changes anything.
#include "support/raw_peer.hpp"

#include <algorithm>
#include <list>

namespace affix::support {
namespace {

class EngineBeforeLogon : public testing::Test {
 protected:
  void open(const std::function<void(config::Configuration&)>& adjust = {}) {
    configuration_ = acceptor_configuration();
    add_session(configuration_, "VENUE", "FIRM", directory_.path()).logon_timeout_seconds = 1;
    if (adjust) {
      adjust(configuration_);
    }
    venue_ = open_engine(configuration_, application_);
    ASSERT_TRUE(venue_);
  }

  RawPeer& connect(const std::string& us = "FIRM", const std::string& them = "VENUE") {
    RawPeer& peer = peers_.emplace_back(Engines{venue_.get()}, us, them);
    peer.connect(port_of(*venue_));
    return peer;
  }

  void expect_untouched() {
    EXPECT_EQ(session().next_sender_seq(), 1U);
    EXPECT_EQ(session().next_target_seq(), 1U);
    EXPECT_TRUE(application_.logons.empty());
    EXPECT_TRUE(session().disconnected());
  }

  [[nodiscard]] host::SessionHandle session() const { return venue_->sessions().front(); }

  TemporaryDirectory directory_;
  config::Configuration configuration_;
  Recorder application_;
  std::unique_ptr<engine::Engine> venue_;
  std::list<RawPeer> peers_;
};

TEST_F(EngineBeforeLogon, AFloodOfStrangersIsNoFloodOfEvents) {
  open();
  constexpr int strangers = 200;
  for (int stranger = 0; stranger < strangers; ++stranger) {
    RawPeer& peer = connect("NOBODY");
    peer.send_logon();
    EXPECT_TRUE(peer.closed());
    peer.close();
  }
  ASSERT_TRUE(turn_until(Engines{venue_.get()}, [&] { return application_.heard_code("N212"); }));
  // Twenty a second; the machine may be slow.
  EXPECT_LT(application_.times_heard("N206"), strangers / 2);
  EXPECT_GE(application_.times_heard("N206"), 20);
  expect_untouched();
}

TEST_F(EngineBeforeLogon, StrangersAreClosedWithoutAWord) {
  open();
  RawPeer& unknown_sender = connect("NOBODY");
  unknown_sender.send_logon();
  EXPECT_TRUE(unknown_sender.closed());
  EXPECT_FALSE(unknown_sender.receive());
  RawPeer& unknown_target = connect("FIRM", "ANOTHER");
  unknown_target.send_logon();
  EXPECT_TRUE(unknown_target.closed());
  RawPeer& other_version = connect();
  std::string logon = other_version.message("A", 1, "98=0|108=30|");
  const std::size_t body = logon.find("35=");
  other_version.send_bytes(
      make_message(std::string_view(logon).substr(body, logon.rfind("10=") - body), "FIX.4.2"));
  EXPECT_TRUE(other_version.closed());
  expect_untouched();
  EXPECT_EQ(application_.logon_requests, 0);
  EXPECT_TRUE(application_.heard_code("N206")) << application_.all_events();
}

TEST_F(EngineBeforeLogon, AConnectionWithoutALogonIsClosedWithoutAnAnswer) {
  open();
  RawPeer& garbage = connect();
  garbage.send_bytes("GET / HTTP/1.1\r\nHost: venue\r\n\r\n");
  EXPECT_TRUE(garbage.closed());
  RawPeer& order = connect();
  order.send("D", "11=1|");
  EXPECT_TRUE(order.closed());
  RawPeer& looks_alike = connect();
  looks_alike.send("AE", "98=0|108=30|");
  EXPECT_TRUE(looks_alike.closed());
  RawPeer& broken = connect();
  std::string bytes = broken.message("A", 1, "98=0|108=30|");
  bytes[bytes.size() - 2] = bytes[bytes.size() - 2] == '0' ? '1' : '0';
  broken.send_bytes(bytes);
  EXPECT_TRUE(broken.closed());
  RawPeer& huge = connect();
  huge.send_bytes(
      "8=FIX.4.4\x01"
      "9=999999999\x01");
  EXPECT_TRUE(huge.closed());
  RawPeer& long_logon = connect();
  long_logon.send_logon("58=" + std::string(5'000, 'x') + "|");
  EXPECT_TRUE(long_logon.closed());
  expect_untouched();
}

TEST_F(EngineBeforeLogon, HalfALogonAndNoneAtAllAreClosedInTime) {
  open();
  RawPeer& silent = connect();
  RawPeer& half = connect();
  const std::string logon = half.message("A", 1, "98=0|108=30|");
  half.send_bytes(logon.substr(0, logon.size() / 2));
  RawPeer& slow = connect();
  std::size_t sent = 0;
  ASSERT_TRUE(turn_until({venue_.get()}, [&] {
    if (sent < logon.size() / 2) {
      slow.send_bytes(logon.substr(sent++, 1));
    }
    silent.read();
    half.read();
    slow.read();
    return silent.ended() && half.ended() && slow.ended();
  }));
  expect_untouched();
  EXPECT_TRUE(application_.heard_code("N204", "in time")) << application_.all_events();
  // A Logon sent byte by byte is accepted.
  RawPeer& patient = connect();
  const std::string whole = patient.message("A", 1, "98=0|108=30|");
  for (const char byte : whole) {
    patient.send_bytes({&byte, 1});
    turn({venue_.get()});
  }
  patient.expect("A");
}

TEST_F(EngineBeforeLogon, TooManyAreRefusedAndRoomComesBack) {
  open([](config::Configuration& configuration) {
    configuration.servers.front().max_connections_before_logon = 3;
  });
  // All of them connect before the first is accepted, so that none has waited when the last is
  // accepted.
  for (int count = 0; count < 3; ++count) {
    connect();
  }
  RawPeer& fourth = connect();
  EXPECT_TRUE(fourth.closed());
  EXPECT_TRUE(application_.heard_code("N202", "that have not logged on"));
  for (RawPeer& peer : peers_) {
    peer.read();
    EXPECT_EQ(peer.ended(), &peer == &fourth);
  }
  // One of them logs on, which makes room for another.
  peers_.front().log_on();
  RawPeer& fifth = connect();
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  fifth.read();
  EXPECT_FALSE(fifth.ended());
}

TEST_F(EngineBeforeLogon, SilentConnectionsKeepNoPeerOut) {
  open([](config::Configuration& configuration) {
    configuration.servers.front().max_connections_before_logon = 2;
    configuration.servers.front().accept_timeout_seconds = 60;
  });
  RawPeer& first = connect();
  turn_for({venue_.get()}, 20 * base::ns_per_ms);
  RawPeer& second = connect();
  turn_for({venue_.get()}, 300 * base::ns_per_ms);  // More than the limit before a Logon.
  RawPeer& third = connect();
  EXPECT_TRUE(first.closed()) << "it has waited longest";
  EXPECT_TRUE(application_.heard_code("N202", "that have not logged on"));
  second.read();
  EXPECT_FALSE(second.ended());
  third.log_on();
  EXPECT_TRUE(session().logged_on());
}

TEST_F(EngineBeforeLogon, GarbageForEverIsNoWayToWaitForALogon) {
  open([](config::Configuration& configuration) {
    configuration.servers.front().accept_timeout_seconds = 60;
  });
  RawPeer& peer = connect();
  const std::string garbage(64, 'x');
  std::size_t sent = 0;
  while (sent + garbage.size() < 4096) {  // As much as the limit for a Logon.
    peer.send_bytes(garbage);
    sent += garbage.size();
    venue_->poll(0);
  }
  turn_for({venue_.get()}, 5 * base::ns_per_ms);
  peer.read();
  EXPECT_FALSE(peer.ended());
  peer.send_bytes(garbage);
  EXPECT_TRUE(peer.closed());
  EXPECT_TRUE(application_.heard_code("N204", "first bytes"));
  RawPeer& patient = connect();
  patient.send_bytes(garbage);
  patient.log_on();
  EXPECT_TRUE(session().logged_on());
}

TEST_F(EngineBeforeLogon, StrangersAreAcceptedOneByOneWithAPause) {
  open();
  constexpr int strangers = 60;
  const std::int64_t begun_ns = os::now().steady_ns;
  for (int stranger = 0; stranger < strangers; ++stranger) {
    RawPeer& peer = connect("NOBODY");
    peer.send_logon();
    EXPECT_TRUE(peer.closed());
  }
  EXPECT_GE(os::now().steady_ns - begun_ns, (strangers - 1) * 2 * base::ns_per_ms);
  connect().log_on();
}

TEST_F(EngineBeforeLogon, ASecondConnectionDoesNotDisturbTheFirst) {
  open();
  RawPeer& first = connect();
  first.log_on();
  RawPeer& second = connect();
  second.send_logon("141=Y|");
  EXPECT_TRUE(second.closed());
  EXPECT_FALSE(second.receive());
  first.send("1", "112=still there|");
  EXPECT_EQ(first.expect("0")[112], "still there");
  EXPECT_EQ(application_.logons.size(), 1U);
  EXPECT_TRUE(application_.heard_code("N208"));
}

TEST_F(EngineBeforeLogon, ARefusedLogonChangesNothing) {
  open();
  application_.when_logon_request = [](host::SessionHandle session,
                                       const wire::MessageView& logon) {
    // Not logged on: nothing can be sent, and nothing breaks.
    EXPECT_EQ(send_order(session, "early").status, host::SendStatus::NotLoggedOn);
    session.reset();
    session.test_peer();
    return logon.find(554U) == "secret" ? host::LogonAnswer::accept()
                                        : host::LogonAnswer::refuse("wrong password");
  };
  RawPeer& wrong = connect();
  wrong.send_logon("141=Y|553=user|554=guess|");
  const RawMessage refusal = wrong.expect("5");
  EXPECT_EQ(refusal[58], "wrong password");
  EXPECT_EQ(refusal.number(), 1U);
  EXPECT_TRUE(wrong.closed());
  wrong.close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session().disconnected(); }));
  expect_untouched();
  RawPeer& right = connect();
  EXPECT_EQ(right.log_on("553=user|554=secret|").number(), 1U);
  EXPECT_FALSE(application_.heard("secret")) << application_.all_events();
}

TEST_F(EngineBeforeLogon, LogoutInsideTheLogonRequestClosesTheConnection) {
  open();
  application_.when_logon_request = [](host::SessionHandle session, const wire::MessageView&) {
    session.logout("not today");
    return host::LogonAnswer{};
  };
  RawPeer& peer = connect();
  peer.send_logon();
  EXPECT_TRUE(peer.closed());
  peer.close();
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return session().disconnected(); }));
  expect_untouched();
}

TEST_F(EngineBeforeLogon, SubAndLocationIdsChooseTheSession) {
  open([this](config::Configuration& configuration) {
    config::SessionSettings& desk = add_session(configuration, "VENUE", "FIRM", directory_.path());
    desk.name = "DESK";
    desk.target_sub_id = "DESK";
  });
  RawPeer& desk = connect();
  desk.log_on("50=DESK|");
  EXPECT_TRUE(venue_->session("DESK").logged_on());
  // A Logon with another sub id, as many peers send for their users, belongs to the session without
  // one.
  RawPeer& plain = connect();
  plain.log_on("50=ANNA|");
  EXPECT_TRUE(venue_->session("FIRM").logged_on());
}

TEST_F(EngineBeforeLogon, OrdersAfterTheLogonInOneSegmentAreTaken) {
  open();
  RawPeer& peer = connect();
  std::string bytes = peer.message("A", 1, "98=0|108=30|");
  for (std::uint64_t order = 2; order < 50; ++order) {
    bytes += peer.message("D", order, "11=" + std::to_string(order) + "|");
  }
  peer.send_bytes(bytes);
  ASSERT_TRUE(turn_until({venue_.get()}, [&] { return application_.messages.size() == 48; }));
  EXPECT_EQ(application_.messages.front().delivery.sequence, 2U);
}

}  // namespace
}  // namespace affix::support
