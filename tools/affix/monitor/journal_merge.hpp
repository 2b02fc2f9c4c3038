// SPDX-License-Identifier: MIT
// Many journals read backwards as one, the newest record first.
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

/// One thread. Records of one journal keep their order; of equal times the first place's come
/// first.
class JournalMerge {
 public:
  /// Of the records from `from_ns` to `to_ns`.
  JournalMerge(const std::vector<JournalPlace>& places, std::int64_t from_ns, std::int64_t to_ns);

  struct Taken {
    journal::Record record;                ///< Lives until the next call.
    const std::string* session = nullptr;  ///< Lives as long as this.
  };

  /// The next record that passes `test`; nothing when the time is over, or at the end(). Bounded by
  /// `deadline_ns` of CLOCK_MONOTONIC. With one journal a call takes microseconds; every journal is
  /// looked into before the first record.
  [[nodiscard]] std::optional<Taken> next(const RecordTest& test, std::int64_t deadline_ns);

  /// There is nothing more.
  [[nodiscard]] bool end() const noexcept;

  /// Everything later than this was given out or passed over.
  [[nodiscard]] std::int64_t searched_to_ns() const noexcept;

  /// Closes files until the next call of next().
  void rest() noexcept;

  /// Positions kept in memory.
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
