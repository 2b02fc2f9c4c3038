// SPDX-License-Identifier: MIT
// Stores differences of readings, only if they are not zero.
#include "monitor/history.hpp"

#include "top/session_rows.hpp"

#include <algorithm>
#include <limits>

namespace affix::inline v0::tools::monitor {

namespace {

using counters::SessionCounter;

constexpr const char* everybody = "*";

/// A step may be due slightly early, as a thread's sleep does not end on the nanosecond.
constexpr std::int64_t interval_slack_ns = 100'000'000;

std::uint32_t cut(std::uint64_t value) noexcept {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

LatencyStep step_of(const base::LatencySnapshot& values) {
  return {cut(values.count()), values.percentile(0.5), values.percentile(0.99),
          values.percentile(0.999), values.largest()};
}

bool is_level(std::size_t which) noexcept {
  return counters::session_counter_names()[which].kind == counters::CounterKind::Level;
}

/// Fills the counters of one step; true if any is not zero.
bool fill_counters(HistoryStep& step, const counters::SessionReading* before,
                   const counters::SessionReading& now) {
  bool any = false;
  for (std::size_t which = 0; which < counters::session_counter_count; ++which) {
    if (!has_history(static_cast<SessionCounter>(which))) {
      continue;
    }
    const std::uint64_t was = before != nullptr && !is_level(which) ? before->counters[which] : 0;
    const std::uint64_t is = now.counters[which];
    step.counters[which] = cut(is > was ? is - was : 0);
    any = any || step.counters[which] != 0;
  }
  return any;
}

}  // namespace

bool has_history(SessionCounter counter) noexcept {
  const counters::CounterKind kind =
      counters::session_counter_names()[static_cast<std::size_t>(counter)].kind;
  return kind == counters::CounterKind::Total || counter == SessionCounter::MessagesQueued ||
         counter == SessionCounter::OutputWaiting;
}

void History::add(std::int64_t utc_ns, const counters::EngineReading* reading) {
  add_to(fine_, utc_ns, reading);
  add_to(coarse_, utc_ns, reading);
}

void History::add_to(Tier& tier, std::int64_t utc_ns, const counters::EngineReading* reading) {
  // After the clock was set back, begins again.
  if (tier.before_ns != 0 && utc_ns >= tier.before_ns &&
      utc_ns - tier.before_ns < tier.interval_ns - interval_slack_ns) {
    return;
  }
  const bool first = tier.before_ns == 0;
  tier.before_ns = utc_ns;
  // Changes while nothing was read belong to no interval.
  const bool known = reading != nullptr && tier.before.has_value() &&
                     tier.before->started_utc_ns == reading->started_utc_ns;
  if (!first) {
    const std::uint64_t interval = tier.next_interval++;
    tier.ends.emplace_back(utc_ns, known);
    if (tier.ends.size() > tier.steps_max) {
      tier.ends.pop_front();
    }
    const std::uint64_t oldest = tier.next_interval - tier.ends.size();
    if (known) {
      HistoryStep sum;
      sum.interval = interval;
      std::array<base::LatencySnapshot, counters::session_latency_count> all;
      bool any_of_all = false;
      tier.steps.try_emplace(everybody);
      for (const counters::SessionReading& session : reading->sessions) {
        const auto* const before = top::find_earlier(*tier.before, *reading, session);
        HistoryStep step;
        step.interval = interval;
        bool any = fill_counters(step, before, session);
        for (std::size_t which = 0; which < counters::session_counter_count; ++which) {
          sum.counters[which] = cut(std::uint64_t{sum.counters[which]} + step.counters[which]);
        }
        for (std::size_t which = 0; any && session.latencies != nullptr && which < all.size();
             ++which) {
          const base::LatencySnapshot& now = (*session.latencies)[which];
          const base::LatencySnapshot since = before != nullptr && before->latencies != nullptr
                                                  ? now.since((*before->latencies)[which])
                                                  : now;
          if (since.count() != 0) {
            step.latencies[which] = step_of(since);
            all[which].add(since);
          }
        }
        any_of_all = any_of_all || any;
        const bool kept =
            tier.steps.contains(session.name) || tier.steps.size() < sessions_max_ + 1;
        if (kept) {
          std::deque<HistoryStep>& steps = tier.steps[session.name];
          if (any) {
            steps.push_back(step);
          }
        }
      }
      std::deque<HistoryStep>& steps = tier.steps[everybody];
      if (any_of_all) {
        for (std::size_t which = 0; which < all.size(); ++which) {
          sum.latencies[which] = step_of(all[which]);
        }
        steps.push_back(sum);
      }
    }
    // Removes steps that are too old, and names of sessions without steps.
    for (auto at = tier.steps.begin(); at != tier.steps.end();) {
      std::deque<HistoryStep>& steps = at->second;
      while (!steps.empty() && steps.front().interval < oldest) {
        steps.pop_front();
      }
      const bool gone = steps.empty() && at->first != everybody && reading != nullptr &&
                        std::ranges::none_of(reading->sessions, [&](const auto& session) {
                          return session.name == at->first;
                        });
      at = gone ? tier.steps.erase(at) : std::next(at);
    }
  }
  tier.before = reading != nullptr ? std::optional(*reading) : std::nullopt;
}

std::optional<HistorySeries> History::series(std::string_view session, std::int64_t seconds,
                                             bool exists) const {
  const bool is_fine = seconds <= fine_seconds * static_cast<std::int64_t>(fine_steps);
  const Tier& tier = is_fine ? fine_ : coarse_;
  HistorySeries series;
  series.interval_seconds = static_cast<double>(is_fine ? fine_seconds : coarse_seconds);
  const auto found = tier.steps.find(session);
  const bool comes = exists && tier.steps.size() < sessions_max_ + 1;
  if (found == tier.steps.end() && session != everybody && !comes) {
    return std::nullopt;
  }
  const std::int64_t wanted = seconds / (is_fine ? fine_seconds : coarse_seconds);
  const std::size_t count =
      std::min(tier.ends.size(), static_cast<std::size_t>(std::max<std::int64_t>(wanted, 1)));
  const std::uint64_t begin = tier.next_interval - count;
  static const std::deque<HistoryStep> nothing;
  const std::deque<HistoryStep>& steps = found != tier.steps.end() ? found->second : nothing;
  auto step = std::ranges::lower_bound(steps, begin, {}, &HistoryStep::interval);
  for (std::size_t at = 0; at < count; ++at) {
    const auto& [end_ns, known] = tier.ends[tier.ends.size() - count + at];
    series.ends_ns.push_back(end_ns);
    series.known.push_back(known);
    HistoryStep& one = series.steps.emplace_back();
    one.interval = begin + at;
    if (step != steps.end() && step->interval == begin + at) {
      one = *step++;
    }
  }
  return series;
}

}  // namespace affix::inline v0::tools::monitor
