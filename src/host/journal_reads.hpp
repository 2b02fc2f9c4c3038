// SPDX-License-Identifier: MIT
// The reading side of a hosted session's journal: who reads what, and how far. Delivers nothing.
#pragma once

#include "affix/journal/replay.hpp"

#include "host/redelivery_progress.hpp"
#include "host/withheld_input.hpp"

#include <optional>

namespace affix::inline v0::host {

/// The reads of its journal that a hosted session has under way. One thread.
struct JournalReads {
  std::optional<journal::Replay> resend;  ///< What the peer has requested, while it is sent.
  RedeliveryProgress redelivery;
  WithheldInput withheld;
};

}  // namespace affix::inline v0::host
