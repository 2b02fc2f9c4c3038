// SPDX-License-Identifier: MIT
// bench dictionary: cost of dictionaries, at start-up and per message.
#include "benchmarks.hpp"

int main(int argc, char** argv) {
  const affix_bench::Options options = affix_bench::parse_options(argc, argv);
  std::vector<affix_bench::Benchmark> benchmarks;
  affix_bench::add_load_benchmarks(benchmarks);
  affix_bench::add_validation_benchmarks(benchmarks);
  affix_bench::add_typed_read_benchmarks(benchmarks);
  return affix_bench::run_benchmarks(options, benchmarks);
}
