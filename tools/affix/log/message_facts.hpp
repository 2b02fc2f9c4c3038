// SPDX-License-Identifier: MIT
// Fills in a log entry's facts that no journal provides: sender, time and number.
#pragma once

#include "log/entry.hpp"

#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

using SessionNames = std::set<std::string, std::less<>>;

/// Fills number, session and, if not yet known, time and direction of an entry whose bytes are a
/// message. The session is named from the side of `own_comp_id`, otherwise from the sender's; its
/// name is stored in `sessions`.
void describe(Entry& entry, std::string_view own_comp_id, SessionNames& sessions);

}  // namespace affix::inline v0::tools::log
