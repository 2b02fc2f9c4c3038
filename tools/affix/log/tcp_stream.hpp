// SPDX-License-Identifier: MIT
// Reassembles one direction of a TCP connection from its segments, in any order, repeated, and with
// some missing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::log {

/// Bounded: at most `pending_bytes_max` wait for a missing segment; then the gap is skipped and
/// counted.
class TcpStream {
 public:
  static constexpr std::size_t pending_bytes_max = std::size_t{1} << 20;

  /// Begins with the number of the connection's SYN, or of any segment if the capture began later.
  void begin(std::uint32_t syn_sequence);

  void add(std::uint32_t sequence, std::string_view payload);

  /// Contiguous bytes that are not consumed yet.
  [[nodiscard]] std::string_view view() const noexcept {
    return std::string_view(ready_).substr(consumed_);
  }

  void consume(std::size_t bytes) noexcept { consumed_ += bytes; }

  /// Skips the gap before the oldest waiting segment. False if none waits.
  bool pass_over_gap();

  /// Bytes missing from the capture.
  [[nodiscard]] std::uint64_t missing_bytes() const noexcept { return missing_; }

  /// True if a gap directly precedes the last bytes of view(), since the last call.
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
