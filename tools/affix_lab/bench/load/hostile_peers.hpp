// SPDX-License-Identifier: MIT
// Peers that misbehave on purpose during a load, whose percentiles show whether other sessions are
// affected.
#pragma once

#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/reactor.hpp"

#include "bench/load/load_options.hpp"
#include "bench/load/load_session.hpp"
#include "trade/flow/random_source.hpp"

#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

struct HostileCounters {
  std::uint64_t connects = 0;
  std::uint64_t closed_by_server = 0;
  std::uint64_t connect_failures = 0;
  std::uint64_t logons = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t sent_again = 0;  ///< Resent messages.
};

/// All use one reactor, which the owner polls; the owner passes on events of these connections, by
/// the peer's index. Each misbehaves a thousand times a second, and four thousand a second of those
/// without a connection reconnect; one at a time, since orders sent on the same thread should be
/// delayed by the server and not by these peers.
class HostilePeers {
 public:
  enum class Kind : std::uint8_t { Frozen, Dribbling, Garbage, HalfLogon, Silent, Resending };

  /// `reactor` and `scratch` outlive this. InvalidArgument as for LoadMessages::make().
  [[nodiscard]] static std::expected<std::unique_ptr<HostilePeers>, base::Error> make(
      const LoadOptions& options, const net::Address& target, net::Reactor& reactor,
      LoadScratch& scratch);

  [[nodiscard]] const HostileCounters& counters() const noexcept { return counters_; }

  /// Number of reports missing until the peers that request resends have all of their history.
  /// While they are at work.
  [[nodiscard]] std::uint64_t missing_history() const noexcept;

  void start() noexcept {
    at_work_ = true;
    asking_ = true;
    next_act_ns_ = 0;
  }

  /// Lets the requested resends finish and requests no more.
  void end_asking() noexcept { asking_ = false; }

  /// Time of the next action; far away while they are not at work.
  [[nodiscard]] std::int64_t next_act_ns() const noexcept {
    return at_work_ ? next_act_ns_ : std::numeric_limits<std::int64_t>::max();
  }

  /// Closes every connection.
  void stop() noexcept;

  /// Performs one action, or connects a peer without a connection. Calls `opened` with the index
  /// and the id of a connection that was begun.
  template <typename Opened>
  void act(base::Now now, Opened opened) {
    next_act_ns_ = now.steady_ns + period_ns / static_cast<std::int64_t>(peers_.size());
    const std::uint32_t index = next_;
    next_ = (next_ + 1) % static_cast<std::uint32_t>(peers_.size());
    if (peers_[index].connection == Connection::Open) {
      do_harm(index, now);
    } else if (peers_[index].connection == Connection::None && now.steady_ns >= next_connect_ns_) {
      next_connect_ns_ = now.steady_ns + connect_interval_ns;
      if (connect(index, now)) {
        opened(index, peers_[index].id);
      }
    }
  }

  void on_connected(std::uint32_t index, base::Now now);
  [[nodiscard]] std::size_t on_bytes(std::uint32_t index, base::PaddedBytes bytes, base::Now now);
  void on_closed(std::uint32_t index) noexcept;
  void on_connect_failed(std::uint32_t index) noexcept;

 private:
  static constexpr std::int64_t period_ns = base::ns_per_ms;
  static constexpr std::int64_t connect_interval_ns = 250 * base::ns_per_us;

  enum class Connection : std::uint8_t { None, Opening, Open };

  struct Peer {
    Kind kind = Kind::Silent;
    Connection connection = Connection::None;
    bool sated = false;  ///< Frozen: the server's buffers are full.
    net::ConnectionId id;
    std::unique_ptr<LoadSession> session;  ///< For those that log on.
    std::string pending;                   ///< Dribbling: the rest of the order.
  };

  HostilePeers(const LoadOptions& options, const net::Address& target, net::Reactor& reactor,
               LoadScratch& scratch);

  [[nodiscard]] std::expected<void, base::Error> add(Kind kind, std::uint32_t count);
  [[nodiscard]] bool connect(std::uint32_t index, base::Now now);
  void do_harm(std::uint32_t index, base::Now now);
  void flood(Peer& peer, base::Now now);
  void dribble(Peer& peer, base::Now now);
  void send_garbage(Peer& peer);
  void ask_again(Peer& peer, base::Now now);
  net::SendResult send(const Peer& peer, std::string_view bytes);

  /// Sends the session's output.
  void flush(const Peer& peer);

  const LoadOptions& options_;
  net::Address target_;
  net::Reactor& reactor_;
  LoadScratch& scratch_;
  std::vector<Peer> peers_;
  trade::RandomSource random_;
  HostileCounters counters_;
  std::uint32_t next_number_;
  std::uint32_t next_ = 0;  ///< Next peer to act.
  std::int64_t next_act_ns_ = 0;
  std::int64_t next_connect_ns_ = 0;
  bool at_work_ = false;
  bool asking_ = false;
};

}  // namespace affix::inline v0::tools::bench
