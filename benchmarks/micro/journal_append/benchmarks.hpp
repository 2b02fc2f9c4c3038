// SPDX-License-Identifier: MIT
// Shared parts of bench journal_append: the message, the batch, and the destinations of appends.
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

/// Size of the stored message.
inline constexpr std::size_t message_bytes = 212;

/// Messages that share one time stamp, as those of one turn do.
inline constexpr std::size_t batch_messages = 16;

/// A message of `message_bytes`.
[[nodiscard]] std::string_view message();

/// A journal with endless appends: prepares outside the timed part, and removes segments three
/// back.
class EndlessJournal {
 public:
  EndlessJournal(const std::string& directory, affix::journal::Durability durability);

  void append() noexcept;

  /// One received and processed message, and one sent: an order from the journal's view.
  void append_order() noexcept;

  void prepare();

  /// Removes segments three back. Any one thread.
  void forget();

  /// Appends until segments have their full length, as after a day under load.
  void grow_up();

  [[nodiscard]] affix::journal::Journal& journal() noexcept { return *journal_; }

  /// Number of appends repeated because the disk had not reserved their number.
  [[nodiscard]] std::uint64_t reserve_waits() const noexcept { return reserve_waits_; }

 private:
  std::string directory_;
  std::unique_ptr<affix::journal::Journal> journal_;
  std::uint64_t sequence_ = 1;
  std::uint32_t oldest_ = 1;
  std::uint64_t reserve_waits_ = 0;
};

/// The raw baseline: copies the message and a header's worth of bytes into a mapped file, round and
/// round, with every page present.
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

/// Single appends offered at a rate, each timed: tail latency. Prints, and adds to the JSON lines.
void run_offered(const TemporaryDirectory& directory, const Options& options,
                 std::vector<std::string>& json);

/// Orders at 10,000 a second, and after a burst, with and without a core for the thread that
/// prepares. Prints, and adds to the JSON lines.
void run_paced(const TemporaryDirectory& directory, const Options& options,
               std::vector<std::string>& json);

/// Group and sync: flushes compared with plain pwrite + fdatasync of the same bytes.
void run_flushed(const TemporaryDirectory& directory, const Options& options,
                 std::vector<std::string>& json);

/// Preparing segments: cost of a page and of a call. Prints, and adds to the JSON lines.
void run_prepared(const TemporaryDirectory& directory, const Options& options,
                  std::vector<std::string>& json);

/// Percentiles of `values`, which it sorts, as one printed line and one JSON object.
void report_row(const std::string& benchmark, const std::string& contender,
                std::vector<float>& values, std::vector<std::string>& json);

}  // namespace affix_bench
