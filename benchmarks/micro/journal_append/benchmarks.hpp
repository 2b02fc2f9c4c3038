// SPDX-License-Identifier: MIT
// What the parts of bench journal_append share: the message, the batch, and what it appends to.
#pragma once

#include "affix/journal/journal.hpp"

#include "../../temporary_directory.hpp"
#include "harness.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix_bench {

/// Bytes of the message that is stored.
inline constexpr std::size_t message_bytes = 212;

/// Messages that share one time stamp, as those of one turn do.
inline constexpr std::size_t batch_messages = 16;

/// A message of `message_bytes`.
[[nodiscard]] std::string_view message();

/// A journal that is appended to without end: prepares outside the timed part, and forgets what is
/// three segments back.
class EndlessJournal {
 public:
  EndlessJournal(const std::string& directory, affix::journal::Durability durability);

  void append() noexcept;

  /// One received and processed, and one sent: what an order is to the journal.
  void append_order() noexcept;

  void prepare();

  /// Removes what is three segments back. Any one thread.
  void forget();

  /// Appends until segments have their full length, as those of a day under load do.
  void grow_up();

  [[nodiscard]] affix::journal::Journal& journal() noexcept { return *journal_; }

  /// Appends that were tried again because the disk had not reserved their number.
  [[nodiscard]] std::uint64_t reserve_waits() const noexcept { return reserve_waits_; }

 private:
  std::string directory_;
  std::unique_ptr<affix::journal::Journal> journal_;
  std::uint64_t sequence_ = 1;
  std::uint32_t oldest_ = 1;
  std::uint64_t reserve_waits_ = 0;
};

/// The floor: the message and a header's worth of bytes copied into a mapped file, round and round,
/// every page of it present.
class MappedFloor {
 public:
  explicit MappedFloor(const std::string& path);
  MappedFloor(const MappedFloor&) = delete;
  MappedFloor& operator=(const MappedFloor&) = delete;
  ~MappedFloor();

  void append() noexcept;

 private:
  char* base_;
  std::size_t offset_ = 0;
};

/// One write() for each message.
class PlainFile {
 public:
  explicit PlainFile(const std::string& path);
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile();

  void append();
  void start_over();

 private:
  int file_;
  std::size_t bytes_ = 0;
};

/// Append in batches: the harness's table.
void add_append_benchmarks(const TemporaryDirectory& directory, std::vector<Benchmark>& benchmarks);

/// Single appends offered at a rate, each timed: the tail. Prints, and adds to the JSON lines.
void run_offered(const TemporaryDirectory& directory, const Options& options,
                 std::vector<std::string>& json);

/// Orders at 10,000 a second, and after a burst, with and without a core for the thread that
/// prepares. Prints, and adds to the JSON lines.
void run_paced(const TemporaryDirectory& directory, const Options& options,
               std::vector<std::string>& json);

/// Group and sync: flushes beside raw pwrite + fdatasync of the same bytes.
void run_flushed(const TemporaryDirectory& directory, const Options& options,
                 std::vector<std::string>& json);

/// Segments made ready: a page's cost and a call's. Prints, and adds to the JSON lines.
void run_prepared(const TemporaryDirectory& directory, const Options& options,
                  std::vector<std::string>& json);

/// Percentiles of `values`, which it sorts, as one printed line and one JSON object.
void report_row(const std::string& benchmark, const std::string& contender,
                std::vector<float>& values, std::vector<std::string>& json);

}  // namespace affix_bench
