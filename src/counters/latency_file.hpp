// SPDX-License-Identifier: MIT
// Writer's side of the latency file: creates it, and assigns places in its table to sessions. Each
// worker's LatencyRecorder writes records directly into the mapping.
#pragma once

#include "affix/base/error.hpp"
#include "affix/counters/latency_records.hpp"
#include "affix/os/file_mapping.hpp"

#include "os/published_file.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::counters {

/// Capacity of a latency file.
struct LatencyRoom {
  std::size_t workers = 0;
  std::size_t records = 0;   ///< Of each worker; a power of two.
  std::size_t sessions = 0;  ///< Sessions with a name; further ones have none.
};

/// All pages are allocated at the start, as in CounterFile. The file never grows. Recording must
/// have ended when it is destroyed.
class LatencyFile {
 public:
  /// Appears at `path` with publish(). Locked: another engine writes there. System calls,
  /// allocates.
  [[nodiscard]] static std::expected<std::unique_ptr<LatencyFile>, base::Error> create(
      const std::string& path, const LatencyRoom& room, std::int64_t utc_ns);

  LatencyFile(const LatencyFile&) = delete;
  LatencyFile& operator=(const LatencyFile&) = delete;

  /// See PublishedFile::publish().
  [[nodiscard]] std::expected<void, base::Error> publish() { return file_.publish(); }

  /// Place of the session in the table; 0: the table is full. The same name always has the same
  /// place. Any thread; takes a lock, and allocates for a new name.
  [[nodiscard]] std::uint32_t place_of(std::string_view session);

  [[nodiscard]] LatencyRing& ring(std::size_t worker) noexcept;
  [[nodiscard]] std::span<LatencyRecord> records(std::size_t worker) noexcept;

 private:
  LatencyFile(os::PublishedFile file, const LatencyRoom& room) noexcept
      : file_(std::move(file)), room_(room) {}

  [[nodiscard]] std::expected<void, base::Error> begin(std::int64_t utc_ns);

  os::PublishedFile file_;
  const LatencyRoom room_;
  os::FileMapping mapping_;
  LatencyHeader* header_ = nullptr;
  LatencySession* sessions_ = nullptr;
  std::mutex lock_;  // Guards the members below.
  std::unordered_map<std::string, std::uint32_t> places_;
};

}  // namespace affix::inline v0::counters
