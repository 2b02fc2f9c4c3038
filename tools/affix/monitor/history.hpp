// SPDX-License-Identifier: MIT
// What the counters did over time, in bounded memory: a second's steps for ten minutes, ten
// seconds' for six hours. Fed with readings; no clock and no thread here.
#pragma once

#include "affix/admin/counter_reader.hpp"

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

/// What a session did within one interval in which it did anything. Levels are as they ended.
struct HistoryStep {
  std::uint64_t interval = 0;
  std::array<std::uint32_t, engine::session_counter_count> counters{};
  std::array<LatencyStep, engine::session_latency_count> latencies{};
};

/// One column of an answer; as long as the intervals, which are the oldest first.
struct HistorySeries {
  double interval_seconds = 1;
  std::vector<std::int64_t> ends_ns;
  std::vector<bool> known;  ///< Whether the engine was there.
  std::vector<HistoryStep> steps;
};

/// Whether a counter has a history: all that only grow, and the levels messages_queued and
/// output_waiting.
[[nodiscard]] bool has_history(engine::SessionCounter counter) noexcept;

/// One thread. Holds up to `sessions_max` sessions, each of at most 2,760 steps of about 320 bytes,
/// and of those only the ones in which the session did something; further sessions count in the sum
/// of all only.
class History {
 public:
  static constexpr std::int64_t fine_seconds = 1;
  static constexpr std::int64_t coarse_seconds = 10;
  static constexpr std::size_t fine_steps = 600;
  static constexpr std::size_t coarse_steps = 2'160;

  explicit History(std::size_t sessions_max) : sessions_max_(sessions_max) {}

  /// A reading; null: the engine is not there. Called about once a second.
  void add(std::int64_t utc_ns, const admin::EngineReading* reading);

  /// Of a session, or `*`; nothing when it is not kept. `exists`: one of which no two readings have
  /// come yet has steps without anything.
  [[nodiscard]] std::optional<HistorySeries> series(std::string_view session, std::int64_t seconds,
                                                    bool exists = false) const;

  [[nodiscard]] std::size_t sessions() const noexcept { return fine_.steps.size(); }

 private:
  struct Tier {
    std::int64_t interval_ns = 0;
    std::size_t steps_max = 0;
    std::optional<admin::EngineReading> before{};
    std::int64_t before_ns = 0;
    std::uint64_t next_interval = 0;
    std::deque<std::pair<std::int64_t, bool>> ends{};  // The last is interval next_interval - 1.
    std::map<std::string, std::deque<HistoryStep>, std::less<>> steps{};
  };

  void add_to(Tier& tier, std::int64_t utc_ns, const admin::EngineReading* reading);

  const std::size_t sessions_max_;
  Tier fine_{fine_seconds * 1'000'000'000, fine_steps};
  Tier coarse_{coarse_seconds * 1'000'000'000, coarse_steps};
};

}  // namespace affix::inline v0::tools::monitor
