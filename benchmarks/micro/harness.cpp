// SPDX-License-Identifier: MIT
// Rounds, percentiles, tables and JSON of the micro benchmarks.
#include "harness.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace affix_bench {

namespace {

struct Measured {
  std::string benchmark;
  std::string contender;
  std::vector<double> rounds;  ///< Nanoseconds per message, in order of rounds.
};

struct Figures {
  double min = 0;
  double median = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
};

[[nodiscard]] Figures figures_of(std::vector<double> rounds) {
  std::sort(rounds.begin(), rounds.end());
  const auto at = [&rounds](double part) {
    const auto place = static_cast<std::size_t>(part * static_cast<double>(rounds.size()));
    return rounds[std::min(place, rounds.size() - 1)];
  };
  return {rounds.front(), at(0.5), at(0.9), at(0.99), at(0.999), rounds.back()};
}

/// Median of the rounds' ratios to the same rounds of `other`: slow periods of both cancel out.
[[nodiscard]] double ratio_to(const Measured& measured, const Measured& other) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < measured.rounds.size(); ++round) {
    ratios.push_back(measured.rounds[round] / other.rounds[round]);
  }
  return figures_of(std::move(ratios)).median;
}

[[nodiscard]] int pin(int core) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  if (core < 0) {
    for (int candidate = 0; candidate < CPU_SETSIZE; ++candidate) {
      core = CPU_ISSET(static_cast<unsigned>(candidate), &allowed) ? candidate : core;
    }
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(core), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) {
    std::fprintf(stderr, "cannot pin to core %d\n", core);
    std::exit(2);
  }
  return core;
}

[[nodiscard]] double time_of(const Contender& contender, std::size_t count) {
  const auto begin = std::chrono::steady_clock::now();
  contender.run(count);
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - begin).count() / static_cast<double>(count);
}

/// A contender's round.
struct Round {
  std::size_t size = 1;     ///< Repetitions in the timed part.
  std::size_t warm_up = 0;  ///< Repetitions before it, which bring back the cache contents that the
                            ///< contender before has displaced.
  double expected_ns = 0;   ///< Approximate duration of one round with all of that.
};

/// As many messages as take a round of about 20 microseconds: far above the clock's step of 10 ns,
/// short enough to fit between two interruptions. Work that takes milliseconds, such as loading a
/// file, is done once a round: a few cache misses hardly matter to it, and repetitions would take
/// minutes.
[[nodiscard]] Round round_of(const Contender& contender) {
  constexpr double round_ns = 20'000;
  constexpr double slow_ns = 1'000'000;
  double fastest = time_of(contender, 1);
  if (fastest >= slow_ns) {
    fastest = std::min(fastest, time_of(contender, 1));
    return {.size = 1, .warm_up = 0, .expected_ns = fastest};
  }
  for (int repeat = 0; repeat < 21; ++repeat) {
    fastest = std::min(fastest, time_of(contender, 64));
  }
  const std::size_t size = std::clamp<std::size_t>(
      static_cast<std::size_t>(round_ns / std::max(fastest, 0.1)), 16, 16384);
  const std::size_t warm_up = std::max<std::size_t>(size / 16, 4);
  return {.size = size,
          .warm_up = warm_up,
          .expected_ns = fastest * static_cast<double>(size + warm_up)};
}

/// Number of rounds: fixed, except that slow contenders get as many as fit into some seconds, and
/// at least a handful.
[[nodiscard]] std::size_t round_count(const std::vector<Round>& rounds, bool quick) {
  const std::size_t wanted = quick ? 200 : 3000;
  const double budget_ns = quick ? 2e9 : 15e9;
  double all_ns = 1;
  for (const Round& round : rounds) {
    all_ns += round.expected_ns;
  }
  return std::clamp<std::size_t>(static_cast<std::size_t>(budget_ns / all_ns), 10, wanted);
}

void prepare(const Contender& contender) {
  if (contender.before) {
    contender.before();
  }
}

/// Contenders that did the same work as the first one that reports a reading; names and drops the
/// others.
[[nodiscard]] std::vector<const Contender*> agreeing(const Benchmark& benchmark,
                                                     const Options& options, bool& all_agree) {
  std::vector<const Contender*> result;
  const Contender* first = nullptr;
  std::string wanted;
  for (const Contender& contender : benchmark.contenders) {
    if (contender.name.find(options.contender_filter) == std::string::npos) {
      continue;
    }
    prepare(contender);
    const std::string reading = contender.reading ? contender.reading() : std::string();
    if (contender.reading && first == nullptr) {
      first = &contender;
      wanted = reading;
    }
    if (contender.reading && reading != wanted) {
      std::printf("%s: %s gets no figure, it differs from %s:\n  %.600s\n  %.600s\n",
                  benchmark.name.c_str(), contender.name.c_str(), first->name.c_str(),
                  reading.c_str(), wanted.c_str());
      all_agree = false;
      continue;
    }
    result.push_back(&contender);
  }
  return result;
}

[[nodiscard]] std::vector<Measured> measure(const Benchmark& benchmark,
                                            const std::vector<const Contender*>& contenders,
                                            bool quick) {
  std::vector<Measured> result;
  std::vector<Round> shapes;
  for (const Contender* contender : contenders) {
    prepare(*contender);
    shapes.push_back(round_of(*contender));
    result.push_back({benchmark.name, contender->name, {}});
  }
  const std::size_t rounds = round_count(shapes, quick);
  for (Measured& measured : result) {
    measured.rounds.reserve(rounds);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t at = 0; at < contenders.size(); ++at) {
      prepare(*contenders[at]);
      if (shapes[at].warm_up != 0) {
        contenders[at]->run(shapes[at].warm_up);
      }
      result[at].rounds.push_back(time_of(*contenders[at], shapes[at].size));
    }
  }
  return result;
}

[[nodiscard]] const Measured* find(const std::vector<Measured>& all, std::string_view name) {
  for (const Measured& measured : all) {
    if (measured.contender == name) {
      return &measured;
    }
  }
  return nullptr;
}

void print(const Benchmark& benchmark, const std::vector<Measured>& all) {
  std::printf("\n%s: %s\n", benchmark.name.c_str(), benchmark.about.c_str());
  std::printf("  %-16s %9s %9s %9s %9s %9s %11s %9s %10s%s\n", "ns per message", "min", "median",
              "p90", "p99", "p99.9", "max", "x floor", "quickfix x",
              benchmark.bytes != 0 ? "   GB/s (median)" : "");
  const Measured* floor = find(all, "floor");
  const Measured* quickfix = find(all, "quickfix");
  for (const Measured& measured : all) {
    const Figures figures = figures_of(measured.rounds);
    std::printf("  %-16s %9.2f %9.2f %9.2f %9.2f %9.2f %11.2f", measured.contender.c_str(),
                figures.min, figures.median, figures.p90, figures.p99, figures.p999, figures.max);
    if (floor != nullptr) {
      std::printf(" %9.1f", ratio_to(measured, *floor));
    } else {
      std::printf(" %9s", "-");
    }
    if (quickfix != nullptr) {
      std::printf(" %10.1f", ratio_to(*quickfix, measured));
    } else {
      std::printf(" %10s", "-");
    }
    if (benchmark.bytes != 0) {
      std::printf(" %15.2f", static_cast<double>(benchmark.bytes) / figures.median);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

[[nodiscard]] bool write_json(const std::string& path, const std::vector<Measured>& all) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    std::perror(path.c_str());
    return false;
  }
  std::fprintf(file, "[");
  const char* separator = "\n";
  for (const Measured& measured : all) {
    const Figures figures = figures_of(measured.rounds);
    std::fprintf(file,
                 "%s  {\"benchmark\": \"%s\", \"contender\": \"%s\", \"unit\": \"ns\", \"n\": %zu, "
                 "\"min\": %.3f, \"median\": %.3f, "
                 "\"p90\": %.3f, \"p99\": %.3f, \"p999\": %.3f, \"max\": %.3f}",
                 separator, measured.benchmark.c_str(), measured.contender.c_str(),
                 measured.rounds.size(), figures.min, figures.median, figures.p90, figures.p99,
                 figures.p999, figures.max);
    separator = ",\n";
  }
  std::fprintf(file, "\n]\n");
  return std::fclose(file) == 0;
}

[[noreturn]] void refuse(const char* argument) {
  std::fprintf(stderr,
               "unknown or incomplete argument '%s'; there are --quick, --core N, --filter TEXT, "
               "--contender TEXT, --json FILE, --list\n",
               argument);
  std::exit(2);
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  for (int at = 1; at < argc; ++at) {
    const std::string_view argument = argv[at];
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument == "--list") {
      options.list = true;
    } else if (at + 1 == argc) {
      refuse(argv[at]);
    } else if (argument == "--core") {
      const char* text = argv[++at];
      const auto parsed = std::from_chars(text, text + std::strlen(text), options.core);
      if (parsed.ec != std::errc() || *parsed.ptr != '\0' || options.core < 0 ||
          options.core >= CPU_SETSIZE) {
        refuse(text);
      }
    } else if (argument == "--filter") {
      options.filter = argv[++at];
    } else if (argument == "--contender") {
      options.contender_filter = argv[++at];
    } else if (argument == "--json") {
      options.json_path = argv[++at];
    } else {
      refuse(argv[at]);
    }
  }
  return options;
}

int run_benchmarks(const Options& options, const std::vector<Benchmark>& benchmarks) {
  if (options.list) {
    for (const Benchmark& benchmark : benchmarks) {
      std::printf("%s: %s\n", benchmark.name.c_str(), benchmark.about.c_str());
    }
    return 0;
  }
  std::printf(
      "Core %d; each figure is of rounds of about 20 us, or of one piece of work that takes "
      "longer; "
      "minimum first, as the machine is shared. Ratios are medians over rounds.\n",
      pin(options.core));
  std::vector<Measured> all;
  bool all_agree = true;
  for (const Benchmark& benchmark : benchmarks) {
    if (benchmark.name.find(options.filter) == std::string::npos) {
      continue;
    }
    const std::vector<const Contender*> contenders = agreeing(benchmark, options, all_agree);
    std::vector<Measured> measured = measure(benchmark, contenders, options.quick);
    if (!measured.empty()) {
      print(benchmark, measured);
    }
    std::move(measured.begin(), measured.end(), std::back_inserter(all));
  }
  if (all.empty()) {
    std::fprintf(stderr, "no benchmark fits the filters\n");
    return 2;
  }
  if (!options.json_path.empty() && !write_json(options.json_path, all)) {
    return 2;
  }
  return all_agree ? 0 : 1;
}

}  // namespace affix_bench
