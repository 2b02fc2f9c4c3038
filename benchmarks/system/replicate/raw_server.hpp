// SPDX-License-Identifier: MIT
// Lower bound of replication: a server that stores what it receives and answers, sends both to a
// replica at the end of its turn, and lets an answer leave when the replica has stored it.
#pragma once

#include "affix/net/handler.hpp"
#include "affix/net/reactor.hpp"

#include "bench/floor/byte_store.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace affix_bench {

namespace net = affix::net;
namespace base = affix::base;

/// One thread. Messages are counted by BodyLength, and each is answered with a report of the usual
/// size, as `affix-lab bench floor` does.
class RawServer final : public net::Handler {
 public:
  /// `reactor` outlives this.
  RawServer(net::Reactor& reactor, std::unique_ptr<affix::tools::bench::ByteStore> store);

  /// Answers wait for the replica at that address from now on.
  [[nodiscard]] bool connect_replica(const net::Address& address);

  /// Sends what the turn has stored to the replica, in one send.
  void end_turn() noexcept;

  /// It cannot go on: its file is full, or the replica is gone.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

  /// The replica is connected, or there is none.
  [[nodiscard]] bool ready() const noexcept { return ready_; }

  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;

 private:
  /// Answers to one read.
  struct Held {
    net::ConnectionId connection{};
    std::size_t bytes = 0;
    std::uint64_t place = 0;  ///< It may leave when the replica has everything before this.
  };

  [[nodiscard]] std::size_t take_orders(net::ConnectionId connection,
                                        std::string_view bytes) noexcept;
  [[nodiscard]] std::size_t take_places(std::string_view bytes) noexcept;
  void answer(net::ConnectionId connection, std::size_t bytes) noexcept;
  void store(std::string_view bytes) noexcept;

  net::Reactor& reactor_;
  std::unique_ptr<affix::tools::bench::ByteStore> store_;
  std::string reports_;  ///< As many as one read can request.
  std::size_t report_size_ = 0;
  net::ConnectionId replica_{};
  bool has_replica_ = false;
  bool ready_ = true;
  bool failed_ = false;
  std::uint64_t sent_place_ = 0;  ///< The replica was sent what was stored before it.
  std::uint64_t place_ = 0;       ///< End of what was stored.
  std::deque<Held> held_;
};

/// The other end: stores each read, and answers it with its place.
class RawReplica final : public net::Handler {
 public:
  /// `reactor` outlives this.
  RawReplica(net::Reactor& reactor, std::unique_ptr<affix::tools::bench::ByteStore> store);

  [[nodiscard]] bool failed() const noexcept { return failed_; }

  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;

  void on_drained(net::ConnectionId /*connection*/) noexcept override {}

  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;

 private:
  net::Reactor& reactor_;
  std::unique_ptr<affix::tools::bench::ByteStore> store_;
  std::uint64_t place_ = 0;
  bool failed_ = false;
};

}  // namespace affix_bench
