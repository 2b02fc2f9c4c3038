// SPDX-License-Identifier: MIT
// History of the counters in bounded memory: steps of one second for ten minutes, of ten seconds
// for six hours. Takes readings; uses no clock or thread.
#pragma once

#include "affix/counters/counter_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// A latency within one interval; nanoseconds.
struct LatencyStep {
  std::uint32_t count = 0;
  std::uint64_t p50 = 0;
  std::uint64_t p99 = 0;
  std::uint64_t p999 = 0;
  std::uint64_t largest = 0;
};

/// A session's activity within one interval, stored only if there was any. Levels are those at its
/// end.
struct HistoryStep {
  std::uint64_t interval = 0;
  std::array<std::uint32_t, counters::session_counter_count> counters{};
  std::array<LatencyStep, counters::session_latency_count> latencies{};
};

/// One column of an answer; has one element per interval, oldest first.
struct HistorySeries {
  double interval_seconds = 1;
  std::vector<std::int64_t> ends_ns;
  std::vector<bool> known;  ///< True if the engine was seen.
  std::vector<HistoryStep> steps;
};

/// True if a counter has a history: all that only grow, and the levels messages_queued and
/// output_waiting.
[[nodiscard]] bool has_history(counters::SessionCounter counter) noexcept;

/// One thread. Stores up to `sessions_max` sessions, each with at most 2,760 steps of about 320
/// bytes, only those with activity; further sessions count only in the sum of all.
class History {
 public:
  static constexpr std::int64_t fine_seconds = 1;
  static constexpr std::int64_t coarse_seconds = 10;
  static constexpr std::size_t fine_steps = 600;
  static constexpr std::size_t coarse_steps = 2'160;

  explicit History(std::size_t sessions_max) : sessions_max_(sessions_max) {}

  /// Adds a reading; null: the engine was not seen. Call about once a second.
  void add(std::int64_t utc_ns, const counters::EngineReading* reading);

  /// Series of a session, or `*`; nullopt if the session is not stored. `exists`: a session without
  /// two readings yet has steps without activity.
  [[nodiscard]] std::optional<HistorySeries> series(std::string_view session, std::int64_t seconds,
                                                    bool exists = false) const;

  [[nodiscard]] std::size_t sessions() const noexcept { return fine_.steps.size(); }

 private:
  struct Tier {
    std::int64_t interval_ns = 0;
    std::size_t steps_max = 0;
    std::optional<counters::EngineReading> before{};
    std::int64_t before_ns = 0;
    std::uint64_t next_interval = 0;
    std::deque<std::pair<std::int64_t, bool>> ends{};  // The last is interval next_interval - 1.
    std::map<std::string, std::deque<HistoryStep>, std::less<>> steps{};
  };

  void add_to(Tier& tier, std::int64_t utc_ns, const counters::EngineReading* reading);

  const std::size_t sessions_max_;
  Tier fine_{fine_seconds * 1'000'000'000, fine_steps};
  Tier coarse_{coarse_seconds * 1'000'000'000, coarse_steps};
};

}  // namespace affix::inline v0::tools::monitor
