// SPDX-License-Identifier: MIT
// The writer's side of the counters: makes the file, gives sessions their seats and takes them
// back. What is counted is written straight into the mapping.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/counters.hpp"
#include "affix/journal/mapping_guard.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// Who a session is, as its seat says it.
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

/// Every page of it is there before anybody writes to it, so that a full disk is an error here and
/// no SIGBUS later. Where somebody cuts it all the same, counting goes on in pages of this process,
/// unless the program has no journal::install_bus_error_handler(). It only grows; a seat that was
/// given back is given to the next session.
class CounterFile {
 public:
  /// To be at `path` from publish() on. An empty path: memory without a name in any directory.
  /// Locked: another engine counts there. System calls, allocates.
  [[nodiscard]] static std::expected<std::unique_ptr<CounterFile>, base::Error> create(
      const std::string& path, std::size_t workers, std::int64_t utc_ns);

  CounterFile(const CounterFile&) = delete;
  CounterFile& operator=(const CounterFile&) = delete;

  /// Unmaps, and leaves a published file for who wants to see how it ended. No session counts any
  /// more.
  ~CounterFile();

  /// Takes the place of what is at the path: who reads the former file goes on reading that one.
  /// Until then a start that fails leaves the former file as it was.
  [[nodiscard]] std::expected<void, base::Error> publish();

  /// Lives as long as this.
  [[nodiscard]] WorkerCounters& worker(std::size_t number) noexcept { return workers_[number]; }

  /// A seat for a session, all counters 0. Lives as long as this. Any thread; takes a lock, and a
  /// system call for every 64th.
  [[nodiscard]] std::expected<SessionCounters*, base::Error> take_seat(
      const SeatIdentity& identity);

  /// The session is no more. Any thread; takes a lock.
  void give_back(SessionCounters& seat) noexcept;

  /// Makes room for the latencies of a few sessions, unless there is some: before they trade, so
  /// that take_latencies() has no system call to make. Any thread; takes a lock.
  void reserve_latencies() noexcept;

  /// Room for the latencies of a seat, empty; null when there is none to be had, which is counted.
  /// Once for each session that has traffic: any thread, takes a lock and may make system calls.
  [[nodiscard]] SessionLatencies* take_latencies(SessionCounters& seat) noexcept;

  /// What operators have stopped from sending: the engine, or else these instances. One thread at a
  /// time.
  void show_stops(bool engine, std::span<const std::string_view> instances) noexcept;

  /// The engine ends in order.
  void stop(std::int64_t utc_ns) noexcept { header_->stopped_utc_ns.set(as_counter(utc_ns)); }

  /// Where this process finds it: what create() was given, else a name that only its descriptor
  /// has, /proc/self/fd/N; empty when there is nothing but memory.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  struct Mapping {
    std::byte* at = nullptr;
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
    journal::MappingGuard guard;
  };

  /// Where a part of the file is, in memory and in the file.
  struct Place {
    std::byte* at = nullptr;
    std::uint64_t offset = 0;
  };

  CounterFile(std::string path, int file) noexcept : path_(std::move(path)), file_(file) {}

  [[nodiscard]] static std::expected<std::unique_ptr<CounterFile>, base::Error> create_named(
      const std::string& path);
  [[nodiscard]] static std::unique_ptr<CounterFile> create_nameless();

  [[nodiscard]] static std::uint64_t as_counter(std::int64_t ns) noexcept {
    return ns > 0 ? static_cast<std::uint64_t>(ns) : 0;
  }

  /// Appends `bytes` zeroed bytes to the file and maps them.
  [[nodiscard]] std::expected<Place, base::Error> grow(std::size_t bytes);
  [[nodiscard]] std::expected<void, base::Error> begin(std::size_t workers, std::int64_t utc_ns);
  [[nodiscard]] std::expected<void, base::Error> add_seats();
  [[nodiscard]] bool add_latencies() noexcept;

  std::string path_;
  std::string unpublished_;  // The file's name until publish(); empty: it has none, or its own.
  int file_;                 // -1: memory of this process alone.
  CountersHeader* header_ = nullptr;
  WorkerCounters* workers_ = nullptr;

  std::mutex lock_;  // Of what follows: seats are given on workers' threads.
  std::uint64_t end_ = 0;
  std::vector<Mapping> mappings_;
  std::atomic<std::uint64_t>* last_link_ = nullptr;
  std::size_t seats_made_ = 0;
  std::size_t latencies_made_ = 0;
  std::vector<SessionCounters*> free_seats_;
  std::vector<std::uint64_t> free_latencies_;  // Their offsets.
};

}  // namespace affix::inline v0::engine
