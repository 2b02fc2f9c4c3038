// SPDX-License-Identifier: MIT
// Answers questions about the journals of a group that this node leads. Knows no connection: reads
// requests, appends frames. Private to replication.
#pragma once

#include "affix/journal/copying.hpp"
#include "affix/replication/standby.hpp"

#include "replication/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::replication {

/// Bytes of records that one answer has at most, unless a single record is longer.
inline constexpr std::uint32_t answer_bytes_max = 256 * 1024;

/// A group that this node leads.
struct ServedGroup {
  std::string group = {};
  std::uint64_t epoch = 0;
  std::vector<ServedJournal> journals = {};  ///< Sorted by identity.

  [[nodiscard]] const ServedJournal* find(std::string_view identity) const noexcept;
};

/// One per history connection: keeps the journal that was asked for last open for reading.
class HistoryServer {
 public:
  /// Appends the answer to `out`. Blocks on the disk.
  void answer(const ServedGroup& group, const HistoryAsk& ask, std::string& out);
  void answer(const ServedGroup& group, const Fetch& fetch, std::string& out);

 private:
  [[nodiscard]] journal::HistoryReader* reader_of(const ServedGroup& group,
                                                  std::string_view identity);
  [[nodiscard]] HistoryAnswer judge(const HistoryAsk& ask);
  [[nodiscard]] journal::Position end_before(journal::Position first) const;

  std::string directory_ = {};
  std::unique_ptr<journal::HistoryReader> reader_;
};

}  // namespace affix::inline v0::replication
