// SPDX-License-Identifier: MIT
// Lines for events and warnings of which only the number is reported.
#include "host/report_filter.hpp"

#include "affix/session/events.hpp"

#include <algorithm>
#include <cstdio>

namespace affix::inline v0::host {

std::string_view ReportFilter::repeated_line(Line& room, session::Event event,
                                             std::uint64_t count) noexcept {
  const int size = std::snprintf(room.data(), room.size(), "%llu more within a second: %s",
                                 static_cast<unsigned long long>(count), session::to_text(event));
  return {room.data(), std::min(static_cast<std::size_t>(size), room.size() - 1)};
}

std::string_view ReportFilter::warning_line(Line& room, std::size_t reason,
                                            std::uint64_t count) noexcept {
  const int size =
      std::snprintf(room.data(), room.size(), "%llu messages delivered with a warning: %s",
                    static_cast<unsigned long long>(count),
                    session::to_text(static_cast<session::RejectReason>(reason)));
  return {room.data(), std::min(static_cast<std::size_t>(size), room.size() - 1)};
}

}  // namespace affix::inline v0::host
