// SPDX-License-Identifier: MIT
// Computes UTC from the processor's cycle counter if that has a constant rate, at a third of the
// cost of reading the system's clock.
#pragma once

#include "affix/base/time.hpp"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace affix::inline v0::os {

/// For one thread. Times are accurate to a microsecond relative to the clock, and may go back by as
/// much: the clock is read at least once a millisecond. Without a usable counter, every call reads
/// the clock.
class CycleClock {
 public:
  /// Maximum age of the clock reading used.
  static constexpr std::int64_t span_ns = base::ns_per_ms;

  /// True if the processor's counter has a constant rate.
  [[nodiscard]] static bool can_reckon() noexcept {
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned power_leaf = 0x8000'0007;
    constexpr unsigned invariant_bit = 1U << 8;
    return __get_cpuid(power_leaf, &a, &b, &c, &d) != 0 && (d & invariant_bit) != 0;
#else
    return false;
#endif
  }

  /// `reckons`: use the counter; false for a clock that is not the system's.
  explicit CycleClock(bool reckons) noexcept : reckons_(reckons && can_reckon()) {}

  /// Current time. `read` returns a clock's UTC nanoseconds.
  template <typename Read>
  [[nodiscard]] std::int64_t now(Read read) noexcept {
    if (!reckons_) {
      return read();
    }
    const std::uint64_t since = count() - base_count_;
    if (since < span_count_) [[likely]] {
      return base_ns_ + static_cast<std::int64_t>(static_cast<double>(since) * ns_per_count_);
    }
    return read_anew(read);
  }

 private:
  /// A reading that takes this many cycles was interrupted and is not used as a base: 10 us at 4
  /// GHz.
  static constexpr std::uint64_t moment_count = 40'000;

  /// Time after which the rate is measured again, to follow a clock that is slewed.
  static constexpr std::int64_t rate_span_ns = base::ns_per_second;

  [[nodiscard]] static std::uint64_t count() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
  }

  template <typename Read>
  [[nodiscard]] std::int64_t read_anew(Read read) noexcept {
    const std::uint64_t before = count();
    const std::int64_t utc_ns = read();
    const std::uint64_t after = count();
    if (after - before > moment_count) {
      return utc_ns;  // The next reading tries again.
    }
    base_count_ = after;
    base_ns_ = utc_ns;
    const std::int64_t elapsed_ns = utc_ns - rate_from_ns_;
    const std::uint64_t elapsed = after - rate_from_count_;
    if (elapsed_ns >= span_ns && elapsed != 0) {
      set_rate(static_cast<double>(elapsed_ns) / static_cast<double>(elapsed));
    }
    if (rate_from_ns_ == 0 || elapsed_ns < 0 || elapsed_ns >= rate_span_ns) {
      rate_from_ns_ = utc_ns;
      rate_from_count_ = after;
    }
    return utc_ns;
  }

  void set_rate(double ns_per_count) noexcept {
    // Processors count at 0.5 to 10 GHz: any other rate means that the clock was set.
    constexpr double slowest = 2.0;
    constexpr double fastest = 0.1;
    if (ns_per_count < fastest || ns_per_count > slowest) {
      span_count_ = 0;
      rate_from_ns_ = 0;
      return;
    }
    ns_per_count_ = ns_per_count;
    span_count_ = static_cast<std::uint64_t>(static_cast<double>(span_ns) / ns_per_count);
  }

  const bool reckons_;
  std::uint64_t base_count_ = 0;
  std::int64_t base_ns_ = 0;
  double ns_per_count_ = 0;
  std::uint64_t span_count_ = 0;  // 0: the rate is not known yet.
  std::int64_t rate_from_ns_ = 0;
  std::uint64_t rate_from_count_ = 0;
};

}  // namespace affix::inline v0::os
