// SPDX-License-Identifier: MIT
// Percentile curves as a CSV file, for pictures and users' own tables.
#pragma once

#include "affix/base/error.hpp"

#include "measure/latency_histogram.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools {

/// One column of the file. The histogram outlives the call.
struct DistributionColumn {
  std::string name;  ///< The column's heading, without characters that a CSV file would have to
                     ///< quote.
  const LatencyHistogram* histogram = nullptr;
};

/// The fractions at which curves are written: ten steps for each nine, from 0 to 0.999999, then 1.
[[nodiscard]] std::vector<double> distribution_fractions();

/// Writes `fraction`, then a column in nanoseconds for each histogram. Io: the file cannot be
/// written.
[[nodiscard]] std::expected<void, base::Error> write_distribution(
    const std::string& path, const std::vector<DistributionColumn>& columns);

}  // namespace affix::inline v0::tools
