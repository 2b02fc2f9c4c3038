// SPDX-License-Identifier: MIT
// Parses the line that `affix log` writes for a journal's event.
#pragma once

#include "log/entry.hpp"

#include <optional>
#include <string_view>

namespace affix::inline v0::tools::log {

/// The event of `line`, "SESSION TIME EVT NEXT_OUTGOING/NEXT_EXPECTED NAME TEXT" without a line
/// end; nullopt for any other line. Views point into `line`, except Entry::event. O(line).
[[nodiscard]] std::optional<Entry> read_event_line(std::string_view line) noexcept;

}  // namespace affix::inline v0::tools::log
