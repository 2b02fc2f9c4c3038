// SPDX-License-Identifier: MIT
// The scenarios of bench wire, by direction.
#pragma once

#include "../harness.hpp"

#include <vector>

namespace affix_bench {

/// Framing, index, lookups, typed decode, checksum.
void add_decode_benchmarks(std::vector<Benchmark>& benchmarks);

/// Encoding, prepared messages, time stamps.
void add_encode_benchmarks(std::vector<Benchmark>& benchmarks);

/// Finds delimiters in many messages, and indexes each.
void add_scan_benchmarks(std::vector<Benchmark>& benchmarks);

}  // namespace affix_bench
