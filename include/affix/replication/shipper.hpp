// SPDX-License-Identifier: MIT
// The primary's end of replication: sends everything that a worker's journals of one failover group
// store to the group's standbys, and says how much of it they have. Knows neither sessions nor who
// leads.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/base/error.hpp"
#include "affix/base/time.hpp"
#include "affix/net/handler.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/waker.hpp"
#include "affix/replication/node.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::journal {
class Journal;
}  // namespace affix::inline v0::journal

namespace affix::inline v0::replication {

/// A count of bytes of a Shipper's stream since the Shipper was made. What was stored before
/// stored() returned `place` is on a standby that has acknowledged `place`.
using Place = std::uint64_t;

/// One bit per standby, in the order of ShipperOptions::standbys.
using StandbyMask = std::uint32_t;

/// Limits of ShipperOptions.
inline constexpr std::uint32_t workers_max = 256;
/// Least ShipperOptions::backlog_bytes.
inline constexpr std::size_t backlog_bytes_min = std::size_t{256} * 1024;
/// Greatest ShipperOptions::backlog_bytes.
inline constexpr std::size_t backlog_bytes_max = std::size_t{1} << 30;

/// For Shipper::make().
struct ShipperOptions {
  std::string cluster = {};        ///< Name of the cluster; nodes of another one are refused.
  std::string node = {};           ///< Name of this node.
  std::string group = {};          ///< Name of the failover group.
  std::uint32_t worker = 0;        ///< Number of this worker, less than `worker_count`.
  std::uint32_t worker_count = 1;  ///< Workers of the group, each of which has a Shipper; 1 to 256.
  std::uint64_t epoch = 0;         ///< The epoch in which this node leads the group; not 0.
  std::vector<Node> standbys = {};  ///< The group's other nodes; at most standbys_max.

  /// Bytes of the stream that are kept for standbys which are behind or connect again, rounded up
  /// to a power of two, 256 KiB to 1 GiB. A standby that falls further behind begins again from
  /// history.
  std::size_t backlog_bytes = std::size_t{16} * 1024 * 1024;

  /// A standby whose acknowledgement is older than this, or that has no connection for so long, is
  /// late.
  std::int64_t timeout_ns = 50 * base::ns_per_ms;

  /// Longest silence of a connection. One that is silent for three of these is dead.
  std::int64_t beat_ns = 100 * base::ns_per_ms;

  /// Pause before a standby is dialed again.
  std::int64_t redial_ns = 100 * base::ns_per_ms;

  /// Woken when a mask or the fenced epoch changes; null: nobody. Must outlive the Shipper.
  net::Waker* control = nullptr;
};

/// One per failover group and worker, made when this node is promoted. The worker's thread calls
/// everything but what is named for the control thread. Allocates nothing per message; an append of
/// a journal that was added costs a copy of its record.
///
/// The worker asks released() after on_bytes() and end_turn(): nothing calls back.
class Shipper {
 public:
  /// Makes a Shipper that dials its standbys by `dialer`, on `reactor`, in its first end_turn().
  /// Both must outlive it, and the reactor's tx_buffer_capacity be 64 KiB or more. InvalidArgument:
  /// an option is out of range. Limit: too many standbys.
  [[nodiscard]] static std::expected<std::unique_ptr<Shipper>, base::Error> make(
      ShipperOptions options, net::Reactor& reactor, Dialer& dialer);

  Shipper(const Shipper&) = delete;
  Shipper& operator=(const Shipper&) = delete;

  /// Takes its taps off the journals that are still added, and closes its connections without a
  /// Goodbye: the standbys take this node for dead. Call leave() first to end in order.
  ~Shipper();

  // --- Journals: the worker's thread. ---

  /// Ships everything that `journal` stores from now on, and tells the standbys where it begins.
  /// The journal must outlive remove() or the Shipper. Returns its id, which is used again after
  /// remove(). Allocates; O(unprocessed records of the journal).
  [[nodiscard]] std::uint32_t add(journal::Journal& journal, std::string_view identity);

  /// Takes the tap off. The standbys keep their copies.
  void remove(std::uint32_t id) noexcept;

  // --- Turns: the worker's thread. ---

  /// Sends what was stored since the last call, in one send per standby; beats; ends connections
  /// that are silent or behind; dials again. Call it at the end of each turn, and not within an
  /// append.
  void end_turn(base::Now now) noexcept;

  /// Steady time at which end_turn() has work even if nothing is stored and no event comes.
  [[nodiscard]] std::int64_t next_deadline_ns() const noexcept;

  /// Says Goodbye to all standbys and dials no more: this node leads no more, or ends in order.
  /// released() moves no more. Idempotent.
  void leave(base::Now now) noexcept;

  // --- Events of connections that its dialer has begun: the worker's thread. ---

  /// True if `connection` is one of its own, also while that is closing.
  [[nodiscard]] bool owns(net::ConnectionId connection) const noexcept;

  /// As Handler::on_connected().
  void on_connected(net::ConnectionId connection) noexcept;
  /// As Handler::on_connect_failed().
  void on_connect_failed(net::ConnectionId connection) noexcept;
  /// As Handler::on_bytes(). May close the connection.
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection,
                                     base::PaddedBytes bytes) noexcept;
  /// As Handler::on_drained().
  void on_drained(net::ConnectionId connection) noexcept;
  /// As Handler::on_closed(). `connection` is not its own any more.
  void on_closed(net::ConnectionId connection) noexcept;

  // --- Places: the worker's thread. ---

  /// The place after everything that the journals have stored. One load.
  [[nodiscard]] Place stored() const noexcept;

  /// The place that every standby of the gate has acknowledged; stored() if the gate is empty. It
  /// goes back when a standby enters the gate, and to 0 while one has no connection: a standby that
  /// cannot be heard may have promised another epoch since. It stands still once fenced, and after
  /// leave().
  [[nodiscard]] Place released() const noexcept;

  /// Every standby of the gate has acknowledged the newest reserve of outgoing numbers, so that it
  /// knows every number that is in use.
  [[nodiscard]] bool is_reserve_known() const noexcept;

  /// True while it has connections, closing ones included. After leave() it may be destroyed on
  /// any thread once it has none.
  [[nodiscard]] bool has_connections() const noexcept;

  /// True as soon as a standby knows a higher epoch: this node leads no more.
  [[nodiscard]] bool fenced() const noexcept { return fenced_epoch() != 0; }

  // --- The control thread, and any other. ---

  /// Sets the standbys whose acknowledgement output waits for. The worker follows in its next
  /// end_turn(); wake it.
  void set_gate(StandbyMask gate) noexcept;

  /// As it was set last.
  [[nodiscard]] StandbyMask gate() const noexcept;

  /// Standbys that have everything but what is on its way: ready to enter the gate.
  [[nodiscard]] StandbyMask caught_up() const noexcept;

  /// Standbys of the gate that have everything that was ever released: ready to enter the in-sync
  /// set. A bit is cleared when the standby leaves the gate, not when its connection ends. None
  /// until the worker has followed the last set_gate().
  [[nodiscard]] StandbyMask covered() const noexcept;

  /// Standbys that do not acknowledge within ShipperOptions::timeout_ns, have no connection for so
  /// long, or wait for the gate to let them go, since only history can bring them up to date.
  [[nodiscard]] StandbyMask late() const noexcept;

  /// Standbys whose connection is accepted.
  [[nodiscard]] StandbyMask connected() const noexcept;

  /// The highest epoch by which a standby has refused this node; 0: none has.
  [[nodiscard]] std::uint64_t fenced_epoch() const noexcept;

  /// Bytes of the stream that a standby has not acknowledged, as of the last end_turn().
  [[nodiscard]] std::uint64_t lag_bytes(std::size_t standby) const noexcept;

  /// Age of the oldest of them in nanoseconds, as of the last end_turn(); 0: there are none.
  [[nodiscard]] std::int64_t lag_ns(std::size_t standby) const noexcept;

 private:
  class Links;

  explicit Shipper(std::unique_ptr<Links> links) noexcept;

  std::unique_ptr<Links> links_;
};

}  // namespace affix::inline v0::replication
