// SPDX-License-Identifier: MIT
// Changes to a worker's sessions, prepared by another thread as far as possible, and their
// results.
#pragma once

#include "affix/base/time.hpp"

#include "engine/change_progress.hpp"
#include "engine/client_group.hpp"
#include "engine/left_connection.hpp"
#include "engine/passing.hpp"
#include "engine/sending_holds.hpp"
#include "host/hosted_session.hpp"
#include "host/led_group.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace affix::inline v0::engine {

/// A session to add.
struct Arrival {
  host::HostedSessionPtr session;
  host::BufferReservation buffers{};            ///< Buffers of the size that the session needs.
  std::shared_ptr<const ClientGroup> client{};  ///< Null: an acceptor's.
  bool of_template = false;
  std::int64_t retire_ns = 0;  ///< Of a template: time logged out before removal; 0: never.
  const SendingHolds* holds = nullptr;  ///< Decides whether sending begins stopped; null: it does
                                        ///< not.
  std::unique_ptr<LeftConnection> left{};  ///< To be continued in the first turn; null: none.
  std::shared_ptr<host::LedGroup> led{};   ///< Its failover group; null: it is in none.
  ChangeItem item{};
  std::function<void()> then{};  ///< The worker calls it after adding the session.
};

/// How a session that leaves ends its connection.
enum class Parting : std::uint8_t {
  Logout,  ///< Logs out, and waits for the peer's Logout.
  Cut,     ///< Another node leads the session's group now. Leaves it, if it was passed on to that
           ///< node; else closes it without a word.
};

/// A session to log out and remove, or to restart.
struct Departure {
  host::SessionHandle session;
  std::string text{};                  ///< Text of its Logout; empty: none.
  std::int64_t timeout_ns = 0;         ///< Maximum wait for the peer's Logout; then the connection
                                       ///< is closed.
  host::HostedSessionPtr successor{};  ///< Null: removed for good.
  host::BufferReservation buffers{};   ///< The successor's buffers.
  Parting parting = Parting::Logout;
  ChangeItem item{};
};

/// A session to enable or disable, with the reason and the operator.
struct Switch {
  host::SessionHandle session;
  bool enabled = true;
  std::string why{};
  std::string by{};
  ChangeItem item{};
};

/// New values for keys of a session that apply in place.
struct Adjustment {
  host::SessionHandle session;
  host::SharedSettings settings;
  ChangeItem item{};
};

/// Commands for a session that is being restarted, to run afterwards.
using LaterChange = std::variant<Adjustment, Departure>;

/// A failover group of which this node, which leads it, begins another epoch: the sessions go on.
struct NewEpoch {
  std::shared_ptr<host::LedGroup> before;
  std::shared_ptr<host::LedGroup> after;
  std::uint64_t epoch = 0;
  std::string node;
};

/// A failover group that this node hands over: its connections go into a keeper.
struct PassOn {
  std::shared_ptr<host::LedGroup> led;
  std::shared_ptr<Passing> passing;
};

/// A line of the log about a failover group, and what the application is told.
struct FailoverReport {
  host::Event::Severity severity = host::Event::Severity::Info;
  std::string text;
  base::MessageCode code{};
  std::optional<host::FailoverNotice> notice{};
};

/// All changes for one worker, to apply in this order.
struct WorkerChange {
  std::vector<Adjustment> adjustments;
  std::vector<Switch> switches;
  std::vector<Departure> departures;
  std::vector<Arrival> arrivals;
  std::vector<NewEpoch> epochs;
  std::vector<PassOn> passes;
  std::vector<FailoverReport> reports;
};

/// A session that the worker has given up.
struct ReleasedSession {
  host::HostedSessionPtr session;
  host::BufferReservation buffers;
  ChangeItem item;
  std::vector<ChangeItem> further_items{};  ///< Of changes that requested the same.
  bool forced = false;
  bool for_good = true;  ///< False: a successor takes over its slot.
};

/// Results of a worker for the owner of its sessions.
struct WorkerNews {
  std::vector<ReleasedSession> released;

  [[nodiscard]] bool empty() const noexcept { return released.empty(); }
};

}  // namespace affix::inline v0::engine
