// SPDX-License-Identifier: MIT
// Reads every session's journal a little at a time, so that damage is found now and not by the
// engine's next start.
#pragma once

#include "affix/journal/record.hpp"

#include "monitor/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// One thread. Begins with the newest segment of each journal and continues with new data; holds no
/// file open between rounds.
class JournalPatrol {
 public:
  /// Number of rounds after which an unchanged journal is read anyway, as its files may change in
  /// other ways.
  static constexpr std::uint64_t rounds_of_silence = 6;

  /// Receives the session's name and its journal's fault; an empty text: none.
  using Report = std::function<void(const std::string& session, const std::string& text)>;

  /// Reads the journals of sessions that have counted activity since their last read, those with
  /// changed files, those that were damaged or not read to the end, and of the others one in
  /// `rounds_of_silence`; reports on each. Costs the others one stat() each. Reads each for at most
  /// `patience_ns`. Returns the number of journals read.
  std::size_t go_round(const std::vector<SessionView>& sessions, std::int64_t patience_ns,
                       const Report& report);

  /// Fault of the journal in `directory`, as a sentence; nullopt: none. Reads for at most
  /// `patience_ns`, and continues there the next time. A missing journal has no fault.
  [[nodiscard]] std::optional<std::string> look(const std::string& directory,
                                                std::int64_t patience_ns);

 private:
  using Counted = std::array<std::uint64_t, counters::session_counter_count>;

  /// Changes when any process writes to a segment's file or replaces it. It need not change by the
  /// engine's stores to its mapping: the session counts those.
  struct FileMark {
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t modified_ns = 0;

    [[nodiscard]] bool operator==(const FileMark&) const = default;
  };

  struct Seen {
    affix::journal::Position read_to;
    bool at_end = false;  // And without a fault up to there.
    FileMark file;        // Of that segment, before it was read.
    Counted counted{};    // The session's count before that.
    std::uint64_t next_round = 0;
  };

  [[nodiscard]] static FileMark mark_of(const std::string& directory, std::uint32_t segment);
  [[nodiscard]] bool is_due(const SessionView& session) const;

  std::map<std::string, Seen> seen_;  // By directory.
  std::uint64_t round_ = 0;
};

}  // namespace affix::inline v0::tools::monitor
