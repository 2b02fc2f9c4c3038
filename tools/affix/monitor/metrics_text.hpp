// SPDX-License-Identifier: MIT
// A snapshot in the text format of Prometheus. docs/reference/metrics.md lists what is in it, and a
// test holds the page to metric_families().
#pragma once

#include "monitor/snapshot.hpp"
#include "monitor/state_json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

struct MetricFamily {
  std::string name;
  std::string type;  ///< "counter", "gauge", "histogram".
  std::string labels;
  std::string help;
};

/// Every family there is, in the order in which they are written.
[[nodiscard]] std::vector<MetricFamily> metric_families();

/// Whose latencies are written beside the sums of each instance, a histogram each: 9 KB a session.
struct HistogramWishes {
  bool all = false;
  std::vector<std::string> sessions{};  ///< Names that are none are left out.

  [[nodiscard]] bool want(std::string_view session) const noexcept;
};

/// Where there are several engines every sample but the monitor's own has the label `engine`.
[[nodiscard]] std::string metrics_text(const EngineStates& states, const MonitorFacts& facts,
                                       const HistogramWishes& wishes = {});

}  // namespace affix::inline v0::tools::monitor
