// SPDX-License-Identifier: MIT
// The scenarios of bench dictionary.
#pragma once

#include "../harness.hpp"

#include <vector>

namespace affix_bench {

/// Loads dictionaries of the repository, and compares with QuickFIX where it is installed.
void add_load_benchmarks(std::vector<Benchmark>& benchmarks);

/// Reads fields through a generated reader, compared with QuickFIX's getField.
void add_typed_read_benchmarks(std::vector<Benchmark>& benchmarks);

/// Validates messages: index and checks, compared with QuickFIX's parse and validation.
void add_validation_benchmarks(std::vector<Benchmark>& benchmarks);

}  // namespace affix_bench
