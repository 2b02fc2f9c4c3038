// SPDX-License-Identifier: MIT
// A benchmark's results in the format of all of this project's benchmarks.
#pragma once

#include "affix/base/error.hpp"

#include "measure/latency_histogram.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::tools {

/// One row: a benchmark, its contender, and the distribution of the values.
struct Measurement {
  std::string benchmark;
  std::string contender;
  std::string unit;
  std::uint64_t n = 0;
  double min = 0;
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double p9999 = 0;
  double max = 0;
};

[[nodiscard]] Measurement measurement_of(std::string benchmark, std::string contender,
                                         const LatencyHistogram& histogram);

/// Does the same for a list of values; empty gives zeros.
[[nodiscard]] Measurement measurement_of(std::string benchmark, std::string contender,
                                         std::string unit, std::vector<double> values);

/// A JSON list of objects with the fields' names. Io: the file cannot be written.
[[nodiscard]] std::expected<void, base::Error> write_measurements(
    const std::string& path, const std::vector<Measurement>& measurements);

}  // namespace affix::inline v0::tools
