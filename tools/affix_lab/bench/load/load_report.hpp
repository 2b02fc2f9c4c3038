// SPDX-License-Identifier: MIT
// Results of a load run, as text and as rows of a benchmark's results.
#pragma once

#include "bench/load/load_run.hpp"
#include "measure/measurement.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace affix::inline v0::tools::bench {

/// Prints one fact per line.
void print_report(const LoadOptions& options, const LoadResult& result, std::FILE* out);

/// `contender` names the measured server.
[[nodiscard]] std::vector<Measurement> measurements_of(const LoadResult& result,
                                                       const std::string& contender);

}  // namespace affix::inline v0::tools::bench
