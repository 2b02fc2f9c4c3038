// SPDX-License-Identifier: MIT
// Computes percentiles of histograms and lists, and writes the JSON file.
#include "measure/measurement.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace affix::inline v0::tools {

Measurement measurement_of(std::string benchmark, std::string contender,
                           const LatencyHistogram& histogram) {
  const auto at = [&histogram](double fraction) {
    return static_cast<double>(histogram.value_at(fraction));
  };
  return {.benchmark = std::move(benchmark),
          .contender = std::move(contender),
          .unit = "ns",
          .n = histogram.count(),
          .min = static_cast<double>(histogram.min_ns()),
          .median = at(0.5),
          .p90 = at(0.9),
          .p99 = at(0.99),
          .p999 = at(0.999),
          .p9999 = at(0.9999),
          .max = static_cast<double>(histogram.max_ns())};
}

Measurement measurement_of(std::string benchmark, std::string contender, std::string unit,
                           std::vector<double> values) {
  Measurement result{.benchmark = std::move(benchmark),
                     .contender = std::move(contender),
                     .unit = std::move(unit),
                     .n = values.size()};
  if (values.empty()) {
    return result;
  }
  std::sort(values.begin(), values.end());
  const auto at = [&values](double fraction) {
    const auto place = static_cast<std::size_t>(fraction * static_cast<double>(values.size()));
    return values[std::min(place, values.size() - 1)];
  };
  result.min = values.front();
  result.median = at(0.5);
  result.p90 = at(0.9);
  result.p99 = at(0.99);
  result.p999 = at(0.999);
  result.p9999 = at(0.9999);
  result.max = values.back();
  return result;
}

std::expected<void, base::Error> write_measurements(const std::string& path,
                                                    const std::vector<Measurement>& measurements) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Measurement& row : measurements) {
    list.push_back({{"benchmark", row.benchmark},
                    {"contender", row.contender},
                    {"unit", row.unit},
                    {"n", row.n},
                    {"min", row.min},
                    {"median", row.median},
                    {"p90", row.p90},
                    {"p99", row.p99},
                    {"p999", row.p999},
                    {"p9999", row.p9999},
                    {"max", row.max}});
  }
  std::ofstream file(path, std::ios::trunc);
  // Invalid UTF-8 in a contender's name is replaced instead of throwing.
  file << list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  file.close();
  if (!file) {
    return std::unexpected(base::Error{base::ErrorCode::Io, "cannot be written", path, "L101"});
  }
  return {};
}

}  // namespace affix::inline v0::tools
