// SPDX-License-Identifier: MIT
// The scenarios of bench session, by direction.
#pragma once

#include "../harness.hpp"

#include <vector>

namespace affix_bench {

/// An ExecutionReport from bytes to the application.
void add_receive_benchmarks(std::vector<Benchmark>& benchmarks);

/// A NewOrderSingle from values to bytes that may leave.
void add_send_benchmarks(std::vector<Benchmark>& benchmarks);

/// The rival's report at its session, with and without a record.
void add_seed_report_benchmarks(std::vector<Benchmark>& benchmarks);

}  // namespace affix_bench
