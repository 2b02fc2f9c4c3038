// SPDX-License-Identifier: MIT
// bench session: one message through codec, session and journal, without a socket.
#include "benchmarks.hpp"

int main(int argc, char** argv) {
  const affix_bench::Options options = affix_bench::parse_options(argc, argv);
  std::vector<affix_bench::Benchmark> benchmarks;
  affix_bench::add_receive_benchmarks(benchmarks);
  affix_bench::add_send_benchmarks(benchmarks);
  affix_bench::add_seed_report_benchmarks(benchmarks);
  return affix_bench::run_benchmarks(options, benchmarks);
}
