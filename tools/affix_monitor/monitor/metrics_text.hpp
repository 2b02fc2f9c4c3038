// SPDX-License-Identifier: MIT
// A snapshot in the text format of Prometheus. docs/reference/metrics.md lists the families; a test
// compares the page with metric_families().
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

/// All families, in the order in which they are written.
[[nodiscard]] std::vector<MetricFamily> metric_families();

/// Sessions for which latencies are written in addition to the sums of each instance, a histogram
/// each: 9 KB per session.
struct HistogramSelection {
  bool all = false;
  std::vector<std::string> sessions{};  ///< Unknown names are ignored.

  [[nodiscard]] bool want(std::string_view session) const noexcept;
};

/// With several engines every sample except the monitor's own has the label `engine`.
[[nodiscard]] std::string metrics_text(const EngineStates& states, const MonitorFacts& facts,
                                       const HistogramSelection& arguments = {});

}  // namespace affix::inline v0::tools::monitor
