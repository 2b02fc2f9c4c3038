// SPDX-License-Identifier: MIT
// Writer of the counters: creates the file, assigns seats to sessions and takes them back. Counters
// are written directly into the mapping.
#pragma once

#include "affix/base/error.hpp"
#include "affix/counters/counters.hpp"
#include "affix/counters/failover_counters.hpp"
#include "affix/os/file_mapping.hpp"

#include "os/published_file.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::counters {

/// Names of a session as its seat shows them.
struct SeatIdentity {
  std::string_view name = {};
  std::string_view instance = {};
  std::string_view begin_string = {};
  std::string_view sender_comp_id = {};
  std::string_view target_comp_id = {};
  std::string_view journal_directory = {};
  std::size_t worker = 0;
  bool initiator = false;
};

/// Every page is allocated before any thread writes to it, so a full disk is an error here and no
/// SIGBUS later. If the file is truncated all the same, counting continues in pages of this
/// process, unless the program has no os::install_bus_error_handler(). The file only grows;
/// the next session reuses a released seat. A published file stays in place and shows the final
/// counts; no session may count any more when this object is destroyed.
class CounterFile {
 public:
  /// publish() moves it to `path`. With an empty path, memory without a name in any directory.
  /// Locked: another engine counts there. System calls, allocates.
  [[nodiscard]] static std::expected<std::unique_ptr<CounterFile>, base::Error> create(
      const std::string& path, std::size_t workers, std::int64_t utc_ns);

  CounterFile(const CounterFile&) = delete;
  CounterFile& operator=(const CounterFile&) = delete;

  /// Counters of these failover groups, in the same order; valid as long as this object. Once,
  /// before publish(). System calls, allocates.
  [[nodiscard]] std::expected<std::span<FailoverCounters>, base::Error> add_failover(
      std::span<const std::string_view> groups, std::string_view node);

  /// See PublishedFile::publish().
  [[nodiscard]] std::expected<void, base::Error> publish() { return file_.publish(); }

  /// Valid as long as this object.
  [[nodiscard]] WorkerCounters& worker(std::size_t number) noexcept { return workers_[number]; }

  /// Returns a seat for a session with all counters 0, valid as long as this object. Any thread;
  /// takes a lock, and makes a system call for every 64th.
  [[nodiscard]] std::expected<SessionCounters*, base::Error> take_seat(
      const SeatIdentity& identity);

  /// Releases the seat of a session that has ended. Any thread; takes a lock.
  void give_back(SessionCounters& seat) noexcept;

  /// Reserves space for the latencies of a few sessions, unless there is some: call it before they
  /// trade, so that take_latencies() makes no system call. Any thread; takes a lock.
  void reserve_latencies() noexcept;

  /// Empty space for the latencies of a seat; null when none is left, which is counted. Once for
  /// each session that has traffic: any thread, takes a lock and may make system calls.
  [[nodiscard]] SessionLatencies* take_latencies(SessionCounters& seat) noexcept;

  /// Shows which sending operators have stopped: the engine's, or else that of these instances. One
  /// thread at a time.
  void show_stops(bool engine, std::span<const std::string_view> instances) noexcept;

  /// Records that the engine ended in order.
  void stop(std::int64_t utc_ns) noexcept { header_->stopped_utc_ns.set(as_counter(utc_ns)); }

  /// Path for this process: that given to create(), else /proc/self/fd/N, the name of its
  /// descriptor; empty when there is only memory.
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

 private:
  /// Part of the file, and its offset.
  struct Part {
    os::FileMapping mapping;
    std::uint64_t offset = 0;
  };

  explicit CounterFile(os::PublishedFile file) noexcept : file_(std::move(file)) {}

  [[nodiscard]] static std::uint64_t as_counter(std::int64_t ns) noexcept {
    return ns > 0 ? static_cast<std::uint64_t>(ns) : 0;
  }

  /// Appends `bytes` zeroed bytes to the file and maps them. Valid until the next call.
  [[nodiscard]] std::expected<const Part*, base::Error> grow(std::size_t bytes);
  [[nodiscard]] std::expected<void, base::Error> begin(std::size_t workers, std::int64_t utc_ns);
  [[nodiscard]] std::expected<void, base::Error> add_seats();
  [[nodiscard]] bool add_latencies() noexcept;

  os::PublishedFile file_;  // None: private memory of this process.
  CountersHeader* header_ = nullptr;
  WorkerCounters* workers_ = nullptr;

  std::mutex lock_;  // Guards the members below: seats are taken on workers' threads.
  std::uint64_t end_ = 0;
  std::vector<Part> parts_;
  std::atomic<std::uint64_t>* last_link_ = nullptr;
  std::size_t seats_made_ = 0;
  std::size_t latencies_made_ = 0;
  std::vector<SessionCounters*> free_seats_;
  std::vector<std::uint64_t> free_latencies_;  // Offsets of free latency blocks.
};

}  // namespace affix::inline v0::counters
