// SPDX-License-Identifier: MIT
// Measures contenders that do the same work: in short rounds, one contender after the other in
// each, on one core, so that a slow second of a shared machine hits them all. A contender that did
// other work than the first gets no figure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace affix_bench {

/// Makes the compiler assume that `value` is read here and changed afterwards.
template <class T>
[[gnu::always_inline]] inline void hide(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

/// Makes the compiler assume that the memory at `pointer` is read here.
[[gnu::always_inline]] inline void keep(const void* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

struct Contender {
  std::string name;
  /// The timed work, `count` times.
  std::function<void(std::size_t count)> run;
  /// The work's reading of its input, as text. Equal for all contenders that have it; empty for a
  /// raw baseline, which does less on purpose. Not timed.
  std::function<std::string()> reading;
  /// Called before each round of this contender, not timed.
  std::function<void()> before;
};

struct Benchmark {
  std::string name;
  /// Description of the timed part, for readers.
  std::string about;
  std::vector<Contender> contenders;
  /// Input bytes of one unit of work: shown as GB/s too. 0: throughput does not matter.
  std::size_t bytes = 0;
};

struct Options {
  bool quick = false;
  int core = -1;  ///< -1: the last one that the process may use.
  std::string filter;
  std::string contender_filter;
  std::string json_path;
  bool list = false;
};

/// `--quick`, `--core N`, `--filter TEXT` (in the benchmark's name), `--contender TEXT`, `--json
/// FILE`, `--list`. For anything else prints the fault and exits with 2.
[[nodiscard]] Options parse_options(int argc, char** argv);

/// Runs the selected benchmarks, prints tables, writes the JSON. Returns the program's exit code: 1
/// when a contender's reading differs from the first one's.
[[nodiscard]] int run_benchmarks(const Options& options, const std::vector<Benchmark>& benchmarks);

}  // namespace affix_bench
