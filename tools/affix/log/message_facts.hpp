// SPDX-License-Identifier: MIT
// What a log entry needs of a message that no journal described: who sent it, when, its number.
#pragma once

#include "log/entry.hpp"

#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

using SessionNames = std::set<std::string, std::less<>>;

/// Fills number, session and, where they are not known yet, time and direction of an entry whose
/// bytes are a message. The session is named from the side of `own_comp_id`, else from the
/// sender's, and kept in `sessions`.
void describe(Entry& entry, std::string_view own_comp_id, SessionNames& sessions);

}  // namespace affix::inline v0::tools::log
