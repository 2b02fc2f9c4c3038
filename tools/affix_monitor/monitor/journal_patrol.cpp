// SPDX-License-Identifier: MIT
// Continues to read other processes' journals where it stopped.
#include "monitor/journal_patrol.hpp"

#include "affix/base/time.hpp"
#include "affix/journal/reader.hpp"
#include "affix/journal/segment_scan.hpp"
#include "affix/os/clock.hpp"

#include "monitor/segment_list.hpp"

#include <sys/stat.h>

namespace affix::inline v0::tools::monitor {

namespace {

/// Records between two looks at the clock.
constexpr int records_per_look = 256;

}  // namespace

JournalPatrol::FileMark JournalPatrol::mark_of(const std::string& directory,
                                               std::uint32_t segment) {
  struct stat status{};
  if (::stat(affix::journal::segment_file_path(directory, segment).c_str(), &status) != 0) {
    return {};
  }
  return {status.st_ino, status.st_size,
          status.st_mtim.tv_sec * base::ns_per_second + status.st_mtim.tv_nsec};
}

bool JournalPatrol::is_due(const SessionView& session) const {
  const auto found = seen_.find(session.journal);
  if (found == seen_.end()) {
    return true;
  }
  const Seen& seen = found->second;
  return !seen.at_end || round_ >= seen.next_round || seen.counted != session.row.now.counters ||
         seen.file != mark_of(session.journal, seen.read_to.segment);
}

std::size_t JournalPatrol::go_round(const std::vector<SessionView>& sessions,
                                    std::int64_t patience_ns, const Report& report) {
  ++round_;
  std::size_t read = 0;
  for (const SessionView& session : sessions) {
    if (session.journal.empty() || !is_due(session)) {
      continue;
    }
    const bool known = seen_.contains(session.journal);
    report(session.name, look(session.journal, patience_ns).value_or(std::string()));
    ++read;
    if (const auto found = seen_.find(session.journal); found != seen_.end()) {
      found->second.counted = session.row.now.counters;
      // Spreads the next reads: journals first read in one round must not all be read again in the
      // same round.
      found->second.next_round =
          round_ + (known ? rounds_of_silence : 1 + seen_.size() % rounds_of_silence);
    }
  }
  return read;
}

std::optional<std::string> JournalPatrol::look(const std::string& directory,
                                               std::int64_t patience_ns) {
  const auto sentence = [](const base::Error& error) {
    return error.code == base::ErrorCode::NotFound ? std::nullopt : std::optional(error.text());
  };
  auto reader = affix::journal::Reader::open(directory);
  if (!reader) {
    seen_.erase(directory);
    return sentence(reader.error());
  }
  auto known = seen_.find(directory);
  if (known != seen_.end()) {
    known->second.at_end = false;
    if (const auto sought = reader->seek(known->second.read_to); !sought) {
      if (sought.error().code != base::ErrorCode::NotFound) {
        return sought.error().text();
      }
      seen_.erase(known);  // Archived, or created again.
      known = seen_.end();
    }
  }
  affix::journal::Position from;
  if (known != seen_.end()) {
    from = known->second.read_to;
  } else {
    const std::vector<SegmentFile> segments = list_segment_files(directory);
    if (segments.empty()) {
      return std::nullopt;
    }
    from = {segments.back().number, 0};
    if (const auto sought = reader->seek(from); !sought) {
      return sentence(sought.error());
    }
  }
  Seen seen{.read_to = from, .file = mark_of(directory, from.segment)};
  const std::int64_t deadline_ns = os::now().steady_ns + patience_ns;
  bool in_time = true;
  for (int read = 0; in_time && reader->next(); ++read) {
    in_time = read % records_per_look != 0 || os::now().steady_ns <= deadline_ns;
  }
  // A position after damage is not kept: after a repair, reading begins before it.
  if (!reader->damage()) {
    seen.read_to = reader->position();
    seen.at_end = in_time;
  }
  if (seen.read_to.segment != from.segment) {
    // Changes made while earlier segments were read are read in the next round.
    seen.at_end = false;
  }
  seen_.insert_or_assign(directory, seen);
  return reader->damage() ? sentence(*reader->damage()) : std::nullopt;  // NotFound: archived.
}

}  // namespace affix::inline v0::tools::monitor
