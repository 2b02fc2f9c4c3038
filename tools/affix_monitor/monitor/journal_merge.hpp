// SPDX-License-Identifier: MIT
// Reads many journals backwards as one, the newest record first.
#pragma once

#include "monitor/journal_walk.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

struct JournalPlace {
  std::string session;
  std::string directory;
};

/// One thread. Records of one journal keep their order; among equal times the first place's come
/// first.
class JournalMerge {
 public:
  /// Reads records from `from_ns` to `to_ns`.
  JournalMerge(const std::vector<JournalPlace>& places, std::int64_t from_ns, std::int64_t to_ns);

  struct Taken {
    affix::journal::Record record;         ///< Valid until the next call.
    const std::string* session = nullptr;  ///< Valid as long as this.
  };

  /// The next record that passes `test`; nullopt after the deadline, or at the end(). Runs until
  /// `deadline_ns` of CLOCK_MONOTONIC at most. With one journal a call takes microseconds; every
  /// journal is examined before the first record.
  [[nodiscard]] std::optional<Taken> next(const RecordTest& test, std::int64_t deadline_ns);

  /// True if there are no more records.
  [[nodiscard]] bool end() const noexcept;

  /// Everything later than this was returned or skipped.
  [[nodiscard]] std::int64_t searched_to_ns() const noexcept;

  /// Closes files until the next call of next().
  void rest() noexcept;

  /// Number of positions kept in memory.
  [[nodiscard]] std::size_t waiting() const noexcept;

  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  struct Lane {
    std::string session;
    JournalWalk walk;
    JournalWalk::Step step = JournalWalk::Step::Working;
  };

  std::vector<Lane> lanes_;
};

}  // namespace affix::inline v0::tools::monitor
