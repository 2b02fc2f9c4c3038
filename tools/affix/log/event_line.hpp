// SPDX-License-Identifier: MIT
// The line that `affix log` writes for a journal's event, read back from a text.
#pragma once

#include "log/entry.hpp"

#include <optional>
#include <string_view>

namespace affix::inline v0::tools::log {

/// The event of `line`, which is "SESSION TIME EVT NEXT_OUTGOING/NEXT_EXPECTED NAME TEXT" without a
/// line end; nothing when it is not. Its views are into `line`, but for Entry::event. O(line).
[[nodiscard]] std::optional<Entry> read_event_line(std::string_view line) noexcept;

}  // namespace affix::inline v0::tools::log
