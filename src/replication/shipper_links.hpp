// SPDX-License-Identifier: MIT
// A Shipper's stream and its connections to the standbys. Private to replication.
#pragma once

#include "affix/journal/journal.hpp"
#include "affix/journal/tap.hpp"
#include "affix/net/reactor.hpp"
#include "affix/replication/shipper.hpp"

#include "replication/backlog.hpp"
#include "replication/control_share.hpp"
#include "replication/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::replication {

/// A standby as its primary sees it.
struct StandbyLink {
  enum class Phase : std::uint8_t {
    Down,
    Dialing,
    Greeting,  ///< Hello was sent.
    Waiting,   ///< Accepted; only history helps, and it is in the gate, so it has to wait.
    Fetching,  ///< It fetches history.
    Live,      ///< It gets the stream from `sent` on.
  };

  /// Of `needs_from`: it cannot go on with the stream when it connects again.
  static constexpr Place nothing = std::numeric_limits<Place>::max();

  Node node{};
  Phase phase = Phase::Down;
  net::ConnectionId connection{};
  std::string control{};       ///< Whole frames that go before the stream.
  bool parked = false;         ///< The reactor has output that the kernel did not take.
  bool broken = false;         ///< The reactor refused output.
  bool behind = false;         ///< What it has not been sent yet is overwritten.
  bool wants = false;          ///< It asked for the stream.
  bool heard = false;          ///< Bytes came since the last end of a turn.
  bool spoke = false;          ///< Bytes went since then.
  Place sent = 0;              ///< While Live: the stream before it was given to the reactor.
  Place acked = 0;             ///< The standby has the stream before it.
  Place needs_from = nothing;  ///< It may ask for the stream from there on.
  Place join_place = 0;        ///< Caught up when it has this.
  Place cover_place = 0;       ///< What was released before it entered the gate is before this.
  Place watched_place = 0;     ///< It did not have this at `watched_since_ns`.
  std::int64_t watched_since_ns = 0;  ///< 0: it has everything.
  std::int64_t redial_ns = 0;
  std::int64_t heard_ns = 0;
  std::int64_t spoke_ns = 0;
  std::int64_t down_since_ns = 0;
};

class Shipper::Links final : public journal::Tap {
 public:
  Links(ShipperOptions options, net::Reactor& reactor, Dialer& dialer);
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;
  ~Links();

  [[nodiscard]] std::uint32_t add(journal::Journal& journal, std::string_view identity);
  void remove(std::uint32_t id) noexcept;

  void end_turn(base::Now now) noexcept;

  [[nodiscard]] std::int64_t next_deadline_ns() const noexcept { return next_deadline_ns_; }

  void leave(std::int64_t now_ns) noexcept;

  [[nodiscard]] bool owns(net::ConnectionId connection) const noexcept;
  void on_connected(net::ConnectionId connection) noexcept;
  void on_connect_failed(net::ConnectionId connection) noexcept;
  [[nodiscard]] std::size_t on_bytes(net::ConnectionId connection, std::string_view bytes) noexcept;
  void on_drained(net::ConnectionId connection) noexcept;
  void on_closed(net::ConnectionId connection) noexcept;

  [[nodiscard]] Place stored() const noexcept { return backlog_.end(); }

  [[nodiscard]] Place released() const noexcept {
    return stands_still_ ? stopped_at_ : applied_gate_ == 0 ? backlog_.end() : acked_by_gate_;
  }

  [[nodiscard]] bool is_reserve_known() const noexcept {
    return applied_gate_ == 0 || known_to_gate_ >= newest_reserve_;
  }

  [[nodiscard]] bool has_connections() const noexcept;

  // --- journal::Tap ---

  void on_record(std::uint32_t tap_id, journal::Position at,
                 std::string_view record) noexcept override;
  void on_segment(std::uint32_t tap_id, const journal::format::Header& header) noexcept override;
  void on_mark(std::uint32_t tap_id, journal::Position at,
               journal::format::Mark mark) noexcept override;
  void on_reserve(std::uint32_t tap_id, std::uint64_t reserved_outgoing) noexcept override;

  ControlShare shared;

 private:
  struct Shipped {
    journal::Journal* journal = nullptr;  // Null: the id is free.
    std::string identity;
  };

  struct Masks {
    StandbyMask caught_up = 0;
    StandbyMask covered = 0;
    StandbyMask late = 0;
    StandbyMask connected = 0;
  };

  [[nodiscard]] char* claim(std::size_t bytes) noexcept;
  void make_room() noexcept;
  void forget_stored() noexcept;
  void put_frames_of(std::string& out, std::uint32_t id) const;
  void stream(std::string_view frames) noexcept;

  [[nodiscard]] StandbyLink* find(net::ConnectionId connection) noexcept;
  void serve(StandbyLink& link, StandbyMask bit, std::int64_t now_ns) noexcept;
  void dial(StandbyLink& link, std::int64_t now_ns) noexcept;
  void begin(StandbyLink& link) noexcept;
  void ship(StandbyLink& link) noexcept;
  [[nodiscard]] bool may_be_taken_for_dead(const StandbyLink& link,
                                           std::int64_t now_ns) const noexcept;
  [[nodiscard]] bool take(StandbyLink& link, const FrameView& frame) noexcept;
  [[nodiscard]] bool take_accepted(StandbyLink& link, std::string_view payload) noexcept;
  [[nodiscard]] bool take_stored(StandbyLink& link, std::string_view payload) noexcept;
  void fence(std::uint64_t epoch) noexcept;
  void stand_still() noexcept;
  void find_acked_by_gate() noexcept;
  void apply_gate() noexcept;
  void watch_lag(StandbyLink& link, std::size_t index, std::int64_t now_ns) noexcept;
  void note(const StandbyLink& link, StandbyMask bit, std::int64_t now_ns, Masks& masks) noexcept;
  void publish(const Masks& masks) noexcept;
  void drop(StandbyLink& link) noexcept;
  void part(StandbyLink& link, Goodbye reason) noexcept;
  void set_down(StandbyLink& link) noexcept;

  const ShipperOptions options_;
  net::Reactor& reactor_;
  Dialer& dialer_;
  const std::uint64_t stream_;
  const std::size_t send_bytes_max_;
  Backlog backlog_;
  Place newest_reserve_ = 0;
  Place ended_place_ = 0;   // The stream's end at the last end of a turn.
  bool has_events_ = true;  // Something else happened since then.
  bool leaves_ = false;
  bool stands_still_ = false;
  Place stopped_at_ = 0;
  ControlShare::NumberedMask applied_ = 0;  // The gate that the worker has seen last,
  StandbyMask applied_gate_ = 0;            // and its mask.
  Place acked_by_gate_ = 0;                 // By standbys that can be heard now.
  Place known_to_gate_ = 0;
  std::int64_t now_ns_ = 0;  // Of the last turn.
  std::int64_t next_deadline_ns_ = 0;
  std::vector<Shipped> journals_ = {};
  std::vector<StandbyLink> links_ = {};
  std::vector<net::ConnectionId> closing_ = {};
};

}  // namespace affix::inline v0::replication
