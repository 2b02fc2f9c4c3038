// SPDX-License-Identifier: MIT
// A Shipper and a Standby on real sockets, which the test's threads turn, with a server of history
// and a journal with a past.
#pragma once

#include "unit/replication/cluster.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace affix::replication_test {

class LoopbackPair final : public net::Handler {
  support::TemporaryDirectory directory_{support::TemporaryDirectory::On::Memory};

 public:
  explicit LoopbackPair(replication::StandbyOptions standby_options = {}) {
    const auto any = *net::Address::parse("127.0.0.1:0");
    const net::Address standby_at = standby_reactor->listen(any, {})->address;
    const net::Address server_at = server_reactor->listen(any, {})->address;
    standby_options.cluster = "cluster";
    standby_options.node = "standby";
    standby = std::move(
        *replication::Standby::make(std::move(standby_options), *standby_reactor, standby_dialer_));
    server = std::move(*replication::Standby::make({.cluster = "cluster", .node = "primary"},
                                                   *server_reactor, server_dialer_));
    journal::Options options;
    options.directory = directory("primary");
    options.identity = "FIX.4.4:US->P";
    options.first_segment_bytes = 16 << 20;
    primary = std::move(*journal::Journal::open(options));
    for (int count = 0; count < 1000; ++count) {
      store();
    }
    shipper = std::move(*replication::Shipper::make({.cluster = "cluster",
                                                     .node = "primary",
                                                     .group = "group",
                                                     .epoch = 1,
                                                     .standbys = {{"standby", standby_at}}},
                                                    *worker_reactor, worker_dialer_));
    static_cast<void>(shipper->add(*primary, options.identity));
    server->serve("group", 1, {{options.identity, options.directory}});
    options.directory = directory("copy");
    standby->follow({.group = "group",
                     .epoch = 1,
                     .primary = {"primary", server_at},
                     .journals = {{options.identity, options}}});
  }

  /// The shipper's turn.
  void turn(const net::Wait& wait) {
    shipper->end_turn(worker_reactor->now());
    net::Wait limited = wait;
    limited.deadline_ns = std::min(wait.deadline_ns, shipper->next_deadline_ns());
    worker_reactor->poll(worker_reactor->now(), limited, *this);
    shipper->end_turn(worker_reactor->now());
  }

  void store() {
    EXPECT_EQ(primary->append_sent(primary->next_outgoing(), 1, text_),
              journal::AppendResult::Appended);
  }

  [[nodiscard]] std::string directory(const char* name) const { return directory_.path(name); }

  [[nodiscard]] bool in_time() { return worker_reactor->now().steady_ns < until_ns_; }

 private:
  void on_connected(net::ConnectionId connection) noexcept override {
    shipper->on_connected(connection);
  }

  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure, int) noexcept override {
    shipper->on_connect_failed(connection);
  }

  std::size_t on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept override {
    return shipper->on_bytes(connection, bytes);
  }

  void on_drained(net::ConnectionId connection) noexcept override {
    shipper->on_drained(connection);
  }

  void on_closed(net::ConnectionId connection, net::CloseReason, int) noexcept override {
    shipper->on_closed(connection);
  }

  const std::string text_ = std::string(200, 'm');

 public:
  std::unique_ptr<net::Reactor> standby_reactor =
      std::move(*net::make_reactor(net::default_reactor(), {}));
  std::unique_ptr<net::Reactor> worker_reactor =
      std::move(*net::make_reactor(net::default_reactor(), {}));
  std::unique_ptr<net::Reactor> server_reactor =
      std::move(*net::make_reactor(net::default_reactor(), {}));

 private:
  PlainDialer standby_dialer_{*standby_reactor};
  PlainDialer worker_dialer_{*worker_reactor};
  PlainDialer server_dialer_{*server_reactor};
  std::int64_t until_ns_ = worker_reactor->now().steady_ns + 50 * base::ns_per_second;

 public:
  std::unique_ptr<journal::Journal> primary;
  std::unique_ptr<replication::Standby> standby;
  std::unique_ptr<replication::Standby> server;
  std::unique_ptr<replication::Shipper> shipper;
};

}  // namespace affix::replication_test
