// SPDX-License-Identifier: MIT
// The indices of a worker's messages, whose memory it uses again for each.
#pragma once

#include "host/hosted_session.hpp"

namespace affix::inline v0::engine {

/// Where a worker indexes the messages that it reads. A message from the journal has its own index,
/// so that it does not replace one that has just arrived.
struct MessageIndices {
  host::MessageIndex live;
  host::MessageIndex replay;
};

}  // namespace affix::inline v0::engine
