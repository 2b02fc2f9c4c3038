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

/// Makes the compiler believe that `value` is read here and may be anything afterwards.
template <class T>
[[gnu::always_inline]] inline void hide(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

/// Makes the compiler believe that everything behind `pointer` is read here.
[[gnu::always_inline]] inline void keep(const void* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

struct Contender {
  std::string name;
  /// The timed work, `count` times.
  std::function<void(std::size_t count)> run;
  /// What the work makes of its input, as text. Equal for all contenders that have it; empty for a
  /// floor, which does less on purpose. Not timed.
  std::function<std::string()> reading;
  /// Called before each round of this contender, not timed.
  std::function<void()> before;
};

struct Benchmark {
  std::string name;
  /// What the timed part is, for the reader.
  std::string about;
  std::vector<Contender> contenders;
  /// Of the input of one piece of work: shown as GB/s too. 0: it is not about throughput.
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
/// FILE`, `--list`. Prints what is wrong and exits with 2 on anything else.
[[nodiscard]] Options parse_options(int argc, char** argv);

/// Runs what the filters leave, prints tables, writes the JSON. The program's exit code: 1 when a
/// contender read something else than the first one.
[[nodiscard]] int run_benchmarks(const Options& options, const std::vector<Benchmark>& benchmarks);

}  // namespace affix_bench
