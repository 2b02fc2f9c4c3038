// SPDX-License-Identifier: MIT
// The standing of a failover group on one node, for operators.
#pragma once

#include "affix/replication/member.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// How far a standby is behind this node, which leads.
struct StandbyStanding {
  std::string node;             ///< Its name.
  bool connected = false;       ///< It has accepted this node's connection.
  bool in_gate = false;         ///< Output waits for it.
  bool late = false;            ///< It does not acknowledge in time.
  std::uint64_t lag_bytes = 0;  ///< Stored here and not acknowledged by it.
  std::int64_t lag_ns = 0;      ///< Age of the oldest of that.
};

/// Values of one moment.
struct FailoverStanding {
  std::string group;                      ///< Name of the failover group.
  std::string node;                       ///< This one.
  replication::Standing standing;         ///< This node's part in it.
  std::vector<StandbyStanding> standbys;  ///< Only while this node leads.
};

/// True: this node leads, and no other node may take over.
[[nodiscard]] inline bool is_alone(const replication::Standing& standing) noexcept {
  return standing.role != replication::Role::Standby && standing.in_sync.size() <= 1;
}

}  // namespace affix::inline v0::engine
