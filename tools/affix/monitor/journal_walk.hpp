// SPDX-License-Identifier: MIT
// A journal read backwards, the newest record first, in pieces of bounded work: from any time or
// position, without reading what lies before it. The reader of other processes' journals below it
// takes no lock.
#pragma once

#include "affix/journal/reader.hpp"

#include "monitor/segment_list.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// Whether a record is worth showing to anybody: the cheap look. Views nothing afterwards.
using RecordTest = std::function<bool(const journal::Record& record)>;

/// One thread. Movable; holds a file open only between advance() and rest().
class JournalWalk {
 public:
  /// Of the records up to `to_ns`, down to `from_ns`. Nothing is read yet.
  JournalWalk(std::string directory, std::int64_t from_ns, std::int64_t to_ns);

  enum class Step : std::uint8_t {
    Found,    ///< front() is the next record.
    Working,  ///< The time was over first.
    End,      ///< There is nothing more.
  };

  /// Goes on until there is a front, at most until `deadline_ns` of CLOCK_MONOTONIC. Every record
  /// is shown to `test` once, not in order.
  [[nodiscard]] Step advance(const RecordTest& test, std::int64_t deadline_ns);

  /// Where the front is and when it happened: not later than what was taken before it, whatever its
  /// time stamp says, so that journals can be merged by it.
  [[nodiscard]] journal::Position front() const noexcept { return found_.back().position; }

  [[nodiscard]] std::int64_t front_ns() const noexcept {
    return found_.back().utc_ns < last_ns_ ? found_.back().utc_ns : last_ns_;
  }

  /// Everything of the journal that is later than this has been given out or passed over.
  [[nodiscard]] std::int64_t searched_to_ns() const noexcept { return last_ns_; }

  /// The front itself, read again, and then gone. Nothing: it is not there any more. The record
  /// lives until the next call of anything here.
  [[nodiscard]] std::optional<journal::Record> take();

  /// Closes what is open; advance() opens it again.
  void rest() noexcept { reader_.reset(); }

  /// How many records wait: what it takes in memory.
  [[nodiscard]] std::size_t waiting() const noexcept { return found_.size(); }

  /// What could not be read; the same once.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }

 private:
  struct Hit {
    journal::Position position;
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
  std::optional<journal::Reader> reader_;
  bool begun_ = false;
  std::vector<SegmentFile> segments_;     // Those not entered yet; the last is next.
  std::uint32_t segment_ = 0;             // At work; 0: none.
  std::vector<std::uint32_t> landmarks_;  // Begins of its pieces that are not scanned yet.
  std::uint32_t piece_end_ = 0;           // Where the piece at work ends; UINT32_MAX: at its end.
  std::uint32_t piece_at_ = 0;            // How far it is scanned; 0: not begun.
  std::vector<Hit> scanned_;              // What of it was found, in order.
  std::vector<Hit> found_;                // Of whole pieces; the newest is the last.
  std::int64_t piece_first_ns_ = 0;
  std::int64_t last_ns_ = INT64_MAX;
  std::vector<std::string> problems_;
};

}  // namespace affix::inline v0::tools::monitor
