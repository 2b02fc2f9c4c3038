// SPDX-License-Identifier: MIT
// Notices to the application about its node's failover groups.
#pragma once

#include <cstdint>
#include <string>

namespace affix::inline v0::host {

/// A change of this node's part in a failover group.
struct FailoverNotice {
  /// The event.
  enum class Kind : std::uint8_t {
    Leading,      ///< The node leads the group: on_session_added() has come for its sessions.
    SteppedDown,  ///< Another node leads it: on_session_removed() comes for its sessions, whose
                  ///< connections are closed.
    Alone,        ///< It leads, and no standby could take over without a loss.
    NotAlone,     ///< A standby can take over again.
  };

  Kind kind = Kind::Leading;  ///< What has happened.
  std::string group;          ///< Name of the failover group.
  std::uint64_t epoch = 0;    ///< Number of the reign; greater after each change of the primary.
};

}  // namespace affix::inline v0::host
