// SPDX-License-Identifier: MIT
// Bounded queue of log records from any thread to the thread that writes them: threads that log
// never wait and make no system call.
#pragma once

#include "affix/service/log_record.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace affix::inline v0::service {

/// Lock-free bounded queue of many writers and one reader: a writer claims a place by one
/// compare-and-swap and copies its bytes there. Places are in the order in which they were claimed.
class LogQueue {
 public:
  static constexpr std::size_t places = 1024;
  /// Maximum size of session and text in a place; a longer record allocates its own memory.
  static constexpr std::size_t short_bytes = 440;

  LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Any thread. False: there is no place, or no memory for a long record; dropped() counts it.
  bool push(const LogRecord& record) noexcept;

  /// The reader's thread: the oldest record, or the one `behind` places after it, valid until it is
  /// released, if there is one.
  [[nodiscard]] std::optional<LogRecord> front(std::size_t behind = 0) const noexcept;

  /// Releases the oldest record's place.
  void release() noexcept;

  /// Total number of refused records. Any thread.
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

  /// Total number of claimed places: a record pushed before this call is written once the reader
  /// has released as many. Any thread.
  [[nodiscard]] std::uint64_t claimed() const noexcept {
    return tail_.load(std::memory_order_acquire);
  }

 private:
  static constexpr std::size_t line_bytes = 64;

  struct alignas(line_bytes) Place {
    std::atomic<std::uint64_t> turn;  ///< Owner of the place: the number of the claim, or one more
                                      ///< when filled.
    std::int64_t utc_ns;
    std::unique_ptr<char[]> longer;
    std::uint32_t session_bytes;
    std::uint32_t text_bytes;
    host::Event::Severity severity;
    base::MessageCode code;
    std::array<char, short_bytes> bytes;
  };

  std::unique_ptr<Place[]> ring_;
  alignas(line_bytes) std::atomic<std::uint64_t> tail_{0};
  alignas(line_bytes) std::uint64_t head_ = 0;  // The reader's.
  alignas(line_bytes) std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace affix::inline v0::service
