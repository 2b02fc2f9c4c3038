// SPDX-License-Identifier: MIT
// Means of failover that an engine needs besides its configuration: who decides about primaries,
// and the transport between nodes.
#pragma once

#include "affix/keeper/access.hpp"
#include "affix/net/reactor.hpp"
#include "affix/replication/election_store.hpp"

#include <memory>

namespace affix::inline v0::engine {

/// For Engine::open(). Move only; owns everything.
struct FailoverMeans {
  /// Null: the engine opens that of the key `election` if it is a directory; etcd's comes from
  /// layer service.
  std::unique_ptr<replication::ElectionStore> store{};

  /// Transport and clock of the standby; null: the system's.
  std::unique_ptr<net::Reactor> reactor{};

  /// A keeper that other nodes of this machine use, too: connections of a group that is handed over
  /// to one of them go on. Null: that of the key `keeper`, if it is an affix-keep.
  std::unique_ptr<keeper::Access> keeper{};
};

}  // namespace affix::inline v0::engine
