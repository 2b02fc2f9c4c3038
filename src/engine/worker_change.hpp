// SPDX-License-Identifier: MIT
// What a worker is given to change among its sessions, prepared by another thread as far as it can
// be, and what it gives back.
#pragma once

#include "affix/base/time.hpp"

#include "engine/change_progress.hpp"
#include "engine/client_group.hpp"
#include "engine/hosted_session.hpp"
#include "engine/sending_holds.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace affix::inline v0::engine {

/// A session that comes.
struct Arrival {
  HostedSessionPtr session;
  RoomReservation room{};                       ///< Of the size that it needs.
  std::shared_ptr<const ClientGroup> client{};  ///< Null: an acceptor's.
  bool of_template = false;
  std::int64_t retire_ns = 0;  ///< Of a template: leaves when it is logged out so long; 0: never.
  const SendingHolds* holds = nullptr;  ///< Say whether it begins stopped; null: it does not.
  ChangeItem item{};
  std::function<void()> then{};  ///< Called by the worker when it is there.
};

/// A session that logs out and goes, or is restarted.
struct Departure {
  SessionHandle session;
  std::string text{};            ///< Of its Logout; empty: none.
  std::int64_t timeout_ns = 0;   ///< Afterwards its connection is cut.
  HostedSessionPtr successor{};  ///< Null: it goes for good.
  RoomReservation room{};        ///< The successor's.
  ChangeItem item{};
};

/// A session that is enabled, or disabled for a reason, by somebody.
struct Switch {
  SessionHandle session;
  bool enabled = true;
  std::string why{};
  std::string by{};
  ChangeItem item{};
};

/// A session that is given values for keys which apply in place.
struct Adjustment {
  SessionHandle session;
  SharedSettings settings;
  ChangeItem item{};
};

/// What a session that is being restarted is told for afterwards.
using LaterChange = std::variant<Adjustment, Departure>;

/// All that one worker is to do at once, in this order.
struct WorkerChange {
  std::vector<Adjustment> adjustments;
  std::vector<Switch> switches;
  std::vector<Departure> departures;
  std::vector<Arrival> arrivals;

  [[nodiscard]] bool empty() const noexcept {
    return adjustments.empty() && switches.empty() && departures.empty() && arrivals.empty();
  }
};

/// A session that is its worker's no more.
struct ReleasedSession {
  HostedSessionPtr session;
  RoomReservation room;
  ChangeItem item;
  std::vector<ChangeItem> further_items{};  ///< Of changes that wanted the same.
  bool forced = false;
  bool for_good = true;  ///< Else a successor sits in its seat.
};

/// What a worker has for whoever keeps its sessions.
struct WorkerNews {
  std::vector<ReleasedSession> released;

  [[nodiscard]] bool empty() const noexcept { return released.empty(); }
};

}  // namespace affix::inline v0::engine
