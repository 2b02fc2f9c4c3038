// SPDX-License-Identifier: MIT
// The set of events that a session waits for, so that its worker keeps it in each of its lists
// once.
#pragma once

#include "affix/base/enum_set.hpp"

#include <cstdint>

namespace affix::inline v0::host {

enum class Wait : std::uint8_t {
  Attention,     ///< The end of a turn has work for it.
  NextTurn,      ///< It has more to do than one look allows.
  Durability,    ///< Its output waits for the disk.
  Replication,   ///< Its output waits for the standbys of its failover group.
  Pages,         ///< Its resend or redelivery waits for pages of its journal's history.
  CallbackRoom,  ///< The next message waits for room in the queue to the application's thread.
};

/// One thread.
using WaitSet = base::EnumSet<Wait>;

}  // namespace affix::inline v0::host
