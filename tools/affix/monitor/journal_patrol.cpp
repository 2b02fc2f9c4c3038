// SPDX-License-Identifier: MIT
// The reader of other processes' journals, from where it was left.
#include "monitor/journal_patrol.hpp"

#include "affix/journal/reader.hpp"
#include "affix/net/clock.hpp"

#include "monitor/segment_list.hpp"

#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

/// Records between two looks at the clock.
constexpr int records_per_look = 256;

}  // namespace

std::optional<std::string> JournalPatrol::look(const std::string& directory,
                                               std::int64_t patience_ns) {
  const std::vector<SegmentFile> segments = list_segment_files(directory);
  if (segments.empty()) {
    read_to_.erase(directory);
    return std::nullopt;
  }
  auto reader = journal::Reader::open(directory);
  if (!reader) {
    return reader.error().code == base::ErrorCode::NotFound ? std::nullopt
                                                            : std::optional(reader.error().text());
  }
  const auto known = read_to_.find(directory);
  const bool goes_on = known != read_to_.end() &&
                       known->second.segment >= segments.front().number &&
                       known->second.segment <= segments.back().number;
  const journal::Position from =
      goes_on ? known->second : journal::Position{segments.back().number, 0};
  if (const auto sought = reader->seek(from); !sought) {
    return sought.error().code == base::ErrorCode::NotFound ? std::nullopt
                                                            : std::optional(sought.error().text());
  }
  const std::int64_t deadline_ns = net::now().steady_ns + patience_ns;
  for (int read = 0; reader->next(); ++read) {
    if (read % records_per_look == 0 && net::now().steady_ns > deadline_ns) {
      break;
    }
  }
  // A position behind damage is none: what is repaired is read again from before it.
  read_to_[directory] = reader->damage() ? from : reader->position();
  return reader->damage() ? std::optional(reader->damage()->text()) : std::nullopt;
}

}  // namespace affix::inline v0::tools::monitor
