// SPDX-License-Identifier: MIT
// The measuring parts of a hosted session, together. Reads no clock.
#pragma once

#include "host/message_latencies.hpp"
#include "host/session_meter.hpp"

namespace affix::inline v0::host {

/// The measurements of a hosted session. One thread.
struct Meters {
  MessageLatencies latencies;
  SessionMeter counts;  ///< With a slot, unless it is yet to take over, or was taken over.
};

}  // namespace affix::inline v0::host
