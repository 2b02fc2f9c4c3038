// SPDX-License-Identifier: MIT
// bench wire: the codec, per message, compared with QuickFIX and with memory accesses alone.
#include "benchmarks.hpp"

int main(int argc, char** argv) {
  const affix_bench::Options options = affix_bench::parse_options(argc, argv);
  std::vector<affix_bench::Benchmark> benchmarks;
  affix_bench::add_decode_benchmarks(benchmarks);
  affix_bench::add_encode_benchmarks(benchmarks);
  affix_bench::add_scan_benchmarks(benchmarks);
  return affix_bench::run_benchmarks(options, benchmarks);
}
