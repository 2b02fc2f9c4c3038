// SPDX-License-Identifier: MIT
// The scenarios of bench dictionary.
#pragma once

#include "../harness.hpp"

#include <vector>

namespace affix_bench {

/// Loading dictionaries of the repository, with QuickFIX beside where it is installed.
void add_load_benchmarks(std::vector<Benchmark>& benchmarks);

/// Reading fields through a generated reader, beside QuickFIX's getField.
void add_typed_read_benchmarks(std::vector<Benchmark>& benchmarks);

/// Validating messages: index and checks, beside QuickFIX's parse and validation.
void add_validation_benchmarks(std::vector<Benchmark>& benchmarks);

}  // namespace affix_bench
