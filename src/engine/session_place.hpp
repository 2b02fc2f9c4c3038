// SPDX-License-Identifier: MIT
// A worker's own state for each of its sessions: connection attempts, and changes under way.
#pragma once

#include "affix/net/reactor.hpp"

#include "engine/address_counts.hpp"
#include "engine/client_group.hpp"
#include "engine/dialer.hpp"
#include "engine/left_connection.hpp"
#include "engine/template_retirement.hpp"
#include "engine/worker_change.hpp"
#include "host/hosted_session.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// How an initiator's session connects; without a dialer it is an acceptor's.
struct Dialing {
  std::optional<Dialer> dialer;
  std::optional<net::ConnectionId> attempt;
  std::shared_ptr<const ClientGroup> client;
  std::vector<std::size_t> hosts{};  ///< Host of each of the dialer's addresses.
  std::uint32_t hosts_version = 0;   ///< Of the client's addresses when they were read.
};

/// A session with its connection attempts, if it is an initiator's, and its pending changes.
struct SessionPlace {
  host::HostedSessionPtr session;  ///< Null: free.
  Dialing dialing;
  std::unique_ptr<LeftConnection> left{};     ///< To be continued in the first turn.
  std::shared_ptr<host::LedGroup> led{};      ///< Its failover group; null: it is in none.
  std::uint32_t tap = 0;                      ///< Number of its journal in the group's shipper.
  AddressPlace address_place{};               ///< Of its connection.
  std::optional<net::ConnectionId> newcomer;  ///< Waits until the old connection is found dead.
  bool enabled = true;
  bool leaving = false;  ///< A LeavingSession is there for it.
  TemplateRetirement retirement;
  std::string disabled_why;
  std::int64_t switched_utc_ns = 0;       ///< Time of the last disabling or enabling.
  std::vector<ChangeItem> until_down{};   ///< Completed when its connection has ended.
  bool wanted_afterwards = false;         ///< True: reconnect after the restart.
  std::vector<LaterChange> afterwards{};  ///< Carried out after the restart, in this order.
};

/// A departure in progress.
struct LeavingSession {
  Departure departure;
  std::int64_t deadline_ns = 0;
  std::vector<ChangeItem> further_items{};  ///< Of changes that request the same.
  bool forced = false;
};

}  // namespace affix::inline v0::engine
