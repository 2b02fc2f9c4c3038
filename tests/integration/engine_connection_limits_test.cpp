// SPDX-License-Identifier: MIT
// Connections that never log on do not use up the file descriptors needed by journals, and serious
// peers are admitted; sessions that were just added are found by their peers.
#include "support/venue_case.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace affix::support {
namespace {

/// A limit on descriptors that leaves room for `more` beyond those that are open.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(int more) {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    int highest = 0;
    for (int fd = 0; fd < 4096; ++fd) {
      highest = ::fcntl(fd, F_GETFD) != -1 ? fd : highest;
    }
    for (int fd = ::dup(0); fd >= 0 && fd < highest; fd = ::dup(0)) {
      fillers_.emplace_back(fd);  // Descriptors below the highest would be assigned first.
    }
    rlimit lowered = before_;
    lowered.rlim_cur = static_cast<rlim_t>(highest + 2 + more);
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &lowered), 0);
  }

  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

  ~DescriptorLimit() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

  /// Number of descriptors that can still be opened, up to `most`.
  [[nodiscard]] static int left(int most) {
    std::vector<net::Socket> opened;
    for (int count = 0; count < most; ++count) {
      opened.emplace_back(::dup(0));
      if (!opened.back().is_open()) {
        return count;
      }
    }
    return most;
  }

 private:
  rlimit before_{};
  std::vector<net::Socket> fillers_;
};

class EngineConnectionLimits : public VenueCase {
 protected:
  void connect_silently(std::vector<net::Socket>& sockets) {
    const auto address =
        net::Address::parse("127.0.0.1:" + std::to_string(port_of(*venue_))).value();
    for (const net::Socket& socket : sockets) {
      // Connections for which the listener's queue has no room try again by themselves.
      const int connected =
          ::connect(socket.fd(), address.native(), static_cast<socklen_t>(address.native_size()));
      ASSERT_TRUE(connected == 0 || errno == EINPROGRESS) << errno;
    }
  }
};

TEST_F(EngineConnectionLimits, StrangersLeaveTheDescriptorsThatJournalsNeed) {
  // No time-out ends the silent ones meanwhile.
  open([](config::SessionSettings& settings) { settings.logon_timeout_seconds = 3'600; });
  std::vector<net::Socket> silent;
  for (int count = 0; count < 40; ++count) {
    silent.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  }
  const DescriptorLimit limit(25);
  connect_silently(silent);
  ASSERT_TRUE(turn_until([&] { return application_.heard_code("N115"); }))
      << application_.all_events();
  EXPECT_GE(DescriptorLimit::left(17), 16);
  // Idle ones make room.
  bool logged_on = false;
  for (int attempt = 0; attempt < 100 && !logged_on; ++attempt) {
    RawPeer& firm = connect();
    firm.send_logon();
    logged_on = turn_until([&] {
                  firm.read();
                  return session().logged_on() || firm.ended();
                }) &&
                session().logged_on();
    if (!logged_on) {
      firm.close();
    }
  }
  EXPECT_TRUE(logged_on);
}

TEST_F(EngineConnectionLimits, AJustAddedSessionIsFoundByAPeerThatComesBeforeIt) {
  if (tested_workers() != 1) {
    GTEST_SKIP() << "with several workers gate and session share no turn";
  }
  open([this](config::SessionSettings& settings) {
    configuration_.engine.added_sessions_max = 1;
    settings.second_logon = config::SecondLogon::Probe;
    settings.second_logon_probe_milliseconds = 10;
  });
  connect().log_on();
  RawPeer added({venue_.get()}, "ADDED", "VENUE");
  added.connect(port_of(*venue_));
  turn_for({venue_.get()}, 5 * base::ns_per_ms);
  // The end of a probe is reported after the worker has looked for new sessions, and before its
  // gate does: the gate knows the session a turn earlier, and the Logon is there.
  application_.when_event = [&](const host::Event& event) {
    if (event.code != base::MessageCode("N208") ||
        event.text.find("is dead") == std::string_view::npos) {
      return;
    }
    config::SessionSettings settings = configuration_.sessions.front();
    settings.name = settings.target_comp_id = "ADDED";
    EXPECT_TRUE(venue_->add_sessions({settings}));
    added.send_logon();
  };
  RawPeer& again = connect();
  again.next_sequence = 2;
  again.send_logon();
  EXPECT_EQ(added.expect("A")[56], "ADDED");
}

TEST_F(EngineConnectionLimits, AJustAddedSessionIsFoundByItsPeerWithSeveralWorkers) {
  configuration_ = acceptor_configuration();
  configuration_.servers.front().worker_thread_count = 3;
  configuration_.engine.added_sessions_max = 300;
  add_session(configuration_, "VENUE", "FIRM", directory_.path()).durability =
      journal::Durability::Memory;
  start();
  std::thread driver([this] { venue_->run(); });
  for (int number = 0; number < 200 && !HasFailure(); ++number) {
    config::SessionSettings settings = configuration_.sessions.front();
    settings.name = settings.target_comp_id = "ADDED" + std::to_string(number);
    settings.replay_message_cache_initial_size = 64;
    settings.max_message_bytes = 4'096;
    ASSERT_TRUE(venue_->add_sessions({settings}));
    RawPeer peer({}, settings.name, "VENUE");
    peer.connect(port_of(*venue_));
    peer.send_logon();
    EXPECT_EQ(peer.expect("A")[56], settings.name);
  }
  venue_->request_stop();
  driver.join();
}

}  // namespace
}  // namespace affix::support
