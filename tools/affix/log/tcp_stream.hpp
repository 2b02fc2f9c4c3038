// SPDX-License-Identifier: MIT
// One direction of a TCP connection put together again from its segments, whatever order they come
// in, however often, and with some missing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Bounded: what waits for a missing segment is at most `pending_bytes_max`, then the gap is passed
/// over and counted.
class TcpStream {
 public:
  static constexpr std::size_t pending_bytes_max = std::size_t{1} << 20;

  /// A connection begins with its SYN's number; any segment does where the capture began later.
  void begin(std::uint32_t syn_sequence);

  void add(std::uint32_t sequence, std::string_view payload);

  /// Bytes in order that were not consumed.
  [[nodiscard]] std::string_view view() const noexcept {
    return std::string_view(ready_).substr(consumed_);
  }

  void consume(std::size_t bytes) noexcept { consumed_ += bytes; }

  /// Passes over what is missing before the oldest segment that waits. False when none does.
  bool pass_over_gap();

  /// Bytes that the capture has not got.
  [[nodiscard]] std::uint64_t missing_bytes() const noexcept { return missing_; }

  /// Whether bytes are missing right before what view() ends with, since this was last asked.
  [[nodiscard]] bool gap_passed() noexcept {
    const bool passed = gap_passed_;
    gap_passed_ = false;
    return passed;
  }

 private:
  void take_pending();

  bool begun_ = false;
  bool gap_passed_ = false;
  std::uint64_t next_ = 0;  // Position of the next byte, counted without wrapping.
  std::uint64_t missing_ = 0;
  std::size_t consumed_ = 0;
  std::size_t pending_bytes_ = 0;
  std::string ready_;
  std::map<std::uint64_t, std::string> pending_;  // By position.
};

}  // namespace affix::inline v0::tools::log
