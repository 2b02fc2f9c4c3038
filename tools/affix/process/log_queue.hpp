// SPDX-License-Identifier: MIT
// What is to be logged, on its way from any thread to the one that writes it down. Bounded: who
// logs never waits and makes no system call.
#pragma once

#include "affix/engine/application.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

/// One line of a log before it has a form. Views.
struct LogRecord {
  std::int64_t utc_ns = 0;
  engine::Event::Severity severity = engine::Event::Severity::Info;
  std::string_view session = {};  ///< Empty: no session's matter.
  std::string_view text = {};
};

/// Bounded queue of many writers and one reader, without locks: a writer claims a place by one
/// compare-and-swap and copies its bytes there. Places lie in the order in which they were claimed.
class LogQueue {
 public:
  static constexpr std::size_t places = 1024;
  /// Session and text together; a longer record takes memory of its own, by an allocation.
  static constexpr std::size_t short_bytes = 440;

  LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  /// Any thread. False: there is no place, or no memory for a long one; dropped() counts it.
  bool push(const LogRecord& record) noexcept;

  /// The reader's thread: the oldest record, or the one so many places behind it, valid until it is
  /// released. False: there is none.
  [[nodiscard]] bool front(LogRecord& record, std::size_t behind = 0) const noexcept;

  /// Gives the oldest record's place back.
  void release() noexcept;

  /// Records ever refused. Any thread.
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

  /// Places ever claimed: what was pushed before this was read has been written down when the
  /// reader has released as many. Any thread.
  [[nodiscard]] std::uint64_t claimed() const noexcept {
    return tail_.load(std::memory_order_acquire);
  }

 private:
  static constexpr std::size_t line_bytes = 64;

  struct alignas(line_bytes) Place {
    std::atomic<std::uint64_t> turn;  ///< Whose it is: the claim's number, or one more when filled.
    std::int64_t utc_ns;
    std::unique_ptr<std::string> longer;
    std::uint32_t session_bytes;
    std::uint32_t text_bytes;
    engine::Event::Severity severity;
    std::array<char, short_bytes> bytes;
  };

  std::unique_ptr<Place[]> ring_;
  alignas(line_bytes) std::atomic<std::uint64_t> tail_{0};
  alignas(line_bytes) std::uint64_t head_ = 0;  // The reader's.
  alignas(line_bytes) std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace affix::inline v0::tools
