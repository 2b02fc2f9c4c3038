// SPDX-License-Identifier: MIT
// The codec's kernels as contenders: one contender of every benchmark for each kernel that this
// machine can run.
#pragma once

#include "affix/wire/kernel.hpp"

#include "../harness.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace affix_bench {

/// Fastest first.
inline std::vector<affix::wire::Kernel> measured_kernels() {
  using affix::wire::Kernel;
  std::vector<Kernel> result;
  for (const Kernel kernel :
       {Kernel::Avx512, Kernel::Avx2, Kernel::Neon, Kernel::Sse42, Kernel::Scalar}) {
    if (affix::wire::kernel_available(kernel)) {
      result.push_back(kernel);
    }
  }
  return result;
}

inline void use_kernel(affix::wire::Kernel kernel) {
  if (!affix::wire::force_kernel(kernel)) {
    std::fprintf(stderr, "kernel %s refuses to be forced\n", affix::wire::to_text(kernel));
    std::exit(2);
  }
}

/// `affix-<kernel>` for each kernel, with the same work and reading.
template <class Run, class Reading>
void add_affix(Benchmark& benchmark, Run run, Reading reading) {
  for (const affix::wire::Kernel kernel : measured_kernels()) {
    benchmark.contenders.push_back({std::string("affix-") + affix::wire::to_text(kernel), run,
                                    reading, [kernel] { use_kernel(kernel); }});
  }
}

}  // namespace affix_bench
