// SPDX-License-Identifier: MIT
// Reads a journal backwards, the newest record first, in bounded steps: from any time or position,
// without reading earlier parts. Takes no lock on the journal.
#pragma once

#include "affix/journal/reader.hpp"

#include "monitor/segment_list.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Cheap test of a record. Keeps no views.
using RecordTest = std::function<bool(const affix::journal::Record& record)>;

/// One thread. Movable; holds a file open only between advance() and rest().
class JournalWalk {
 public:
  /// For records up to `to_ns`, down to `from_ns`. Reads nothing yet.
  JournalWalk(std::string directory, std::int64_t from_ns, std::int64_t to_ns);

  enum class Step : std::uint8_t {
    Found,    ///< front() is the next record.
    Working,  ///< The deadline came first.
    End,      ///< There are no more records.
  };

  /// Continues until there is a front, at most until `deadline_ns` of CLOCK_MONOTONIC. Calls `test`
  /// with every record once, not in order.
  [[nodiscard]] Step advance(const RecordTest& test, std::int64_t deadline_ns);

  /// Position and time of the front: not later than those of earlier results, whatever its time
  /// stamp, so that journals can be merged.
  [[nodiscard]] affix::journal::Position front() const noexcept { return found_.back().position; }

  [[nodiscard]] std::int64_t front_ns() const noexcept {
    return found_.back().utc_ns < last_ns_ ? found_.back().utc_ns : last_ns_;
  }

  /// Everything in the journal later than this has been returned or skipped.
  [[nodiscard]] std::int64_t searched_to_ns() const noexcept { return last_ns_; }

  /// Reads the front again, returns and removes it. Nullopt: it no longer exists. The record is
  /// valid until the next call on this object.
  [[nodiscard]] std::optional<affix::journal::Record> take();

  /// Closes open files; advance() opens them again.
  void rest() noexcept { reader_.reset(); }

  /// Number of waiting records, which determines the memory used.
  [[nodiscard]] std::size_t waiting() const noexcept { return found_.size(); }

  /// Read problems, each once.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  struct Hit {
    affix::journal::Position position;
    std::int64_t utc_ns = 0;
  };

  [[nodiscard]] bool open();
  [[nodiscard]] bool next_segment();
  void enter_segment();
  void skip_to_time();
  [[nodiscard]] std::optional<std::int64_t> time_at(std::uint32_t offset);
  [[nodiscard]] bool scan(const RecordTest& test, std::int64_t deadline_ns);
  void add_problem(const std::string& text);

  std::string directory_;
  std::int64_t from_ns_;
  std::int64_t to_ns_;
  std::optional<affix::journal::Reader> reader_;
  bool begun_ = false;
  std::vector<SegmentFile> segments_;     // Segments not entered yet; the last is next.
  std::uint32_t segment_ = 0;             // Current segment; 0: none.
  std::vector<std::uint32_t> landmarks_;  // Begins of its pieces that are not scanned yet.
  std::uint32_t piece_end_ = 0;           // End of the current piece; UINT32_MAX: the segment's
                                          // end.
  std::uint32_t piece_at_ = 0;            // Position up to which it is scanned; 0: not begun.
  std::vector<Hit> scanned_;              // Records found in it so far, in order.
  std::vector<Hit> found_;                // From complete pieces; the newest is last.
  std::int64_t piece_first_ns_ = 0;
  std::int64_t last_ns_ = INT64_MAX;
  std::vector<std::string> problems_;
};

}  // namespace affix::inline v0::tools::monitor
