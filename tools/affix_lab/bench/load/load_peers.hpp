// SPDX-License-Identifier: MIT
// The load generator's sessions and their connections: sending, connecting, and the turns of their
// common reactor.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/address.hpp"
#include "affix/net/handler.hpp"
#include "affix/net/reactor.hpp"

#include "bench/load/hostile_peers.hpp"
#include "bench/load/load_options.hpp"
#include "bench/load/load_session.hpp"
#include "trade/flow/random_source.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Parameters of one round.
struct LoadRound {
  std::uint64_t messages = 0;    ///< Of each session; 0: no limit.
  std::int64_t duration_ns = 0;  ///< 0: no limit.
  double rate = 0;               ///< A second over all sessions; 0: as fast as possible.
  double storm_rate = 0;         ///< Connections dropped a second.
  bool hostile = false;          ///< Hostile peers are at work.
};

/// One thread. Reconnects a connection that ends, whichever side ended it.
class LoadPeers final : private net::Handler {
 public:
  /// InvalidArgument: the target or a session's texts; otherwise the reactor's errors. `options`
  /// outlive this.
  [[nodiscard]] static std::expected<std::unique_ptr<LoadPeers>, base::Error> make(
      const LoadOptions& options);

  [[nodiscard]] base::Now now() noexcept { return reactor_->now(); }

  /// Connects all sessions and waits until they are logged on. Denied: the server refused one
  /// repeatedly, or not all logged on in time.
  [[nodiscard]] std::expected<void, base::Error> log_on(std::int64_t timeout_ns);

  /// Lets peers that request resends build their history. Denied: the server answered none of their
  /// orders for that time. Does nothing without such peers.
  [[nodiscard]] std::expected<void, base::Error> make_history(std::int64_t patience_ns);

  void begin_round(const LoadRound& round);

  /// The round's orders are written: requests no more resends, so that a server that answers orders
  /// after a resend can reach them.
  void end_sending() noexcept { hostile_->end_asking(); }

  /// Stops the storm and the hostile peers.
  void end_round() noexcept;

  /// True if the round has orders left to send and time to do it.
  [[nodiscard]] bool sending() const noexcept;

  /// Runs one turn: due orders, then input. Returns the time of its end.
  base::Now turn();

  /// Logs all sessions out; returns the number that did not end in order.
  [[nodiscard]] std::uint64_t log_out(std::int64_t timeout_ns);

  /// Sets the histograms of round trips; null: none.
  void record(Latencies* latencies) noexcept { scratch_.latencies = latencies; }

  /// Sets the log of answers; null: none.
  void log(AnswerLog* answers) noexcept { scratch_.answers = answers; }

  [[nodiscard]] bool all_active() const noexcept { return active_ == peers_.size(); }

  /// Due orders of the round that could not be written.
  [[nodiscard]] std::uint64_t unsent() const noexcept {
    return in_round_ && round_.rate > 0 ? to_write_ - written_ : 0;
  }

  /// Orders of all sessions that wait for an answer.
  [[nodiscard]] std::uint64_t outstanding() const noexcept { return outstanding_; }

  [[nodiscard]] LoadCounters counters() const noexcept;
  [[nodiscard]] std::vector<std::uint64_t> answered_by_session() const;
  [[nodiscard]] const HostileCounters& hostile_counters() const noexcept;

  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  [[nodiscard]] std::uint64_t lost_connections() const noexcept { return lost_connections_; }

  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }

  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

 private:
  enum class Connection : std::uint8_t { None, Opening, Open };

  struct Peer {
    explicit Peer(LoadSession load_session) : session(std::move(load_session)) {}

    LoadSession session;
    net::ConnectionId id;
    Connection connection = Connection::None;
    bool active = false;         ///< Logged on, and counted as such.
    bool connecting = false;     ///< Between connecting and logon, and counted as such.
    bool parked = false;         ///< Output waits for the server to read.
    bool in_ready = false;       ///< It is in ready_.
    std::uint32_t refusals = 0;  ///< Consecutive refusals.
    std::uint64_t left = 0;      ///< Orders of the round.
    std::int64_t connect_at_ns = 0;
    std::uint32_t target = 0;  ///< That it is connected to, or dials next.
    std::int64_t lost_ns = 0;  ///< When its last connection with a session ended; 0: none has.
    std::int64_t dialed_ns = 0;
  };

  LoadPeers(const LoadOptions& options, std::vector<net::Address> targets,
            std::unique_ptr<net::Reactor> reactor);

  [[nodiscard]] std::expected<void, base::Error> add_sessions();

  void on_connected(net::ConnectionId connection) noexcept override;
  void on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                         int error_number) noexcept override;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept override;
  void on_drained(net::ConnectionId connection) noexcept override;
  void on_closed(net::ConnectionId connection, net::CloseReason reason,
                 int error_number) noexcept override;

  [[nodiscard]] bool in_cluster() const noexcept { return targets_.size() > 1; }

  [[nodiscard]] bool can_send(const Peer& peer) const noexcept;
  void make_ready(std::uint32_t index);
  void send_flood();
  void send_paced();
  void send_orders(std::uint32_t index, std::uint64_t count, std::int64_t intended_ns,
                   base::Now now);
  void flush(std::uint32_t index);
  void attend_periodically(base::Now now);
  void connect_due(base::Now now);
  void drop_some(base::Now now);
  void leave_silent_nodes(base::Now now);
  void drop(std::uint32_t index, std::int64_t connect_at_ns);

  void turn_to_next_target(Peer& peer) noexcept;
  void set_active(Peer& peer, bool active) noexcept;
  void set_connecting(Peer& peer, bool connecting) noexcept;

  /// Handles the end of a connection according to the session's phase.
  void after_connection(std::uint32_t index, std::string_view reason, base::Now now);
  [[nodiscard]] net::Wait wait(base::Now now) const noexcept;
  void own(net::ConnectionId connection, std::uint32_t owner);

  const LoadOptions& options_;
  std::vector<net::Address> targets_;
  std::unique_ptr<net::Reactor> reactor_;
  LoadScratch scratch_;
  std::vector<Peer> peers_;
  std::unique_ptr<HostilePeers> hostile_;
  std::vector<std::uint32_t> owners_;  ///< By connection slot: a peer's index, or a hostile peer's
                                       ///< with `hostile_bit`.
  std::vector<std::uint32_t> ready_;   ///< Flood: peers that may send.
  std::vector<std::uint32_t> sending_now_;
  std::vector<std::uint32_t> down_;  ///< Peers due to connect, at their times.
  trade::RandomSource random_;
  LoadRound round_;
  bool in_round_ = false;
  bool leaving_ = false;
  std::int64_t round_begin_ns_ = 0;
  std::int64_t sending_end_ns_ = 0;
  std::uint64_t written_ = 0;  ///< Orders of the round.
  std::uint64_t outstanding_ = 0;
  std::uint64_t to_write_ = 0;  ///< Limit of the round, if it has one.
  std::size_t next_paced_ = 0;
  bool none_can_send_ =
      false;  ///< Orders are due, and every session is without a connection or room.
  std::uint32_t connecting_ = 0;
  std::size_t active_ = 0;
  std::uint64_t storm_dropped_ = 0;  ///< In this round.
  base::Now now_;                    ///< At the end of the last turn.
  std::int64_t next_periodic_ns_ = 0;
  std::int64_t next_heartbeats_ns_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t lost_connections_ = 0;
  std::uint64_t refused_ = 0;
  std::string trouble_;
  std::string refusal_;  ///< Reason of a session that never logged on.
};

}  // namespace affix::inline v0::tools::bench
