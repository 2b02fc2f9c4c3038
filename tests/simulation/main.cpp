// SPDX-License-Identifier: MIT
// affix_simulate: whole histories of two engines under every fault, each determined by one number.
// For a history in which a rule was broken, prints the command that repeats it, and its last
// events.
#include "simulation/failover_world.hpp"
#include "simulation/scratch.hpp"
#include "simulation/world.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <malloc.h>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace affix::simulation;

constexpr std::uint64_t steps_usual = 10'000;
constexpr std::size_t trace_lines = 80;

struct Request {
  std::uint64_t first = 1;
  std::uint64_t last = 0;  ///< Below the first: none.
  std::uint64_t steps = steps_usual;
  std::uint64_t fresh = 0;  ///< Number of additional seeds, chosen by this run.
  bool trace = false;
  bool twice = false;     ///< Two runs of a history must be the same.
  bool failover = false;  ///< Nodes that take over from each other, instead of two parties.
  PlantedBug bug = PlantedBug::None;  ///< For tests of the rules: they must find it.
};

[[noreturn]] void explain(const char* fault) {
  std::fprintf(
      stderr,
      "affix_simulate: %s\n"
      "affix_simulate [--failover] [SEED] [--seeds A..B] [--fresh COUNT] [--steps N] [--trace] "
      "[--twice]\n"
      "  --failover    nodes that take over from each other, instead of two parties\n"
      "  SEED          one history (1)\n"
      "  --seeds A..B  the histories of these seeds\n"
      "  --fresh COUNT further ones, of seeds nobody has chosen\n"
      "  --steps N     things that happen in each (10000)\n"
      "  --trace       write every event down\n"
      "  --twice       run each history twice: every event must be the same\n",
      fault);
  std::exit(2);
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    explain("a whole number is missing");
  }
  return value;
}

Request read_request(int count, char** words) {
  Request request;
  for (int at = 1; at < count; ++at) {
    const std::string_view word = words[at];
    const auto value = [&]() -> std::string_view {
      if (++at == count) {
        explain("the last option lacks its value");
      }
      return words[at];
    };
    if (word == "--failover") {
      request.failover = true;
    } else if (word == "--plant") {
      const auto bug = planted_bug_of(value());
      if (!bug) {
        explain("there is no such bug to plant");
      }
      request.failover = true;
      request.bug = *bug;
    } else if (word == "--trace") {
      request.trace = true;
    } else if (word == "--twice") {
      request.twice = true;
    } else if (word == "--steps") {
      request.steps = number(value());
    } else if (word == "--fresh") {
      request.fresh = number(value());
    } else if (word == "--seeds") {
      const std::string_view range = value();
      const std::size_t dots = range.find("..");
      if (dots == std::string_view::npos) {
        explain("--seeds wants A..B");
      }
      request.first = number(range.substr(0, dots));
      request.last = number(range.substr(dots + 2));
    } else {
      request.first = request.last = number(word);
    }
  }
  if (request.last == 0 && request.fresh == 0) {
    request.last = 1;
  }
  return request;
}

struct Totals {
  std::uint64_t steps = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lives = 0;
  std::uint64_t seeds = 0;
  std::int64_t virtual_ns = 0;
  Adoptions adoptions;
  ClusterWorld::Counts cluster;
  std::uint64_t answers = 0;
  std::int64_t longest_takeover_ns = 0;
  std::int64_t longest_recovery_ns = 0;
};

using Trace = std::function<void(std::string_view)>;

/// Leaves the directory's name out of the lines, which is another in each run.
Trace without_path(const Trace& trace, const std::string& path) {
  if (!trace) {
    return {};
  }
  return [&trace, &path](std::string_view line) {
    std::string text(line);
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
      text.erase(at, path.size());
    }
    trace(text);
  };
}

std::optional<std::string> simulate_parties(std::uint64_t seed, const Request& request,
                                            const Trace& trace, Totals& totals) {
  const Scratch scratch;
  Referee referee;
  referee.trace = without_path(trace, scratch.path());
  const Plan plan = make_plan(seed);
  if (trace) {
    trace(text_of(plan));
  }
  World world(plan, scratch.path(), referee);
  world.run(request.steps);
  totals.steps += world.steps();
  totals.delivered += world.delivered();
  totals.lives += world.lives();
  totals.adoptions.add(world.adoptions());
  totals.virtual_ns += world.virtual_ns();
  return referee.violation();
}

std::optional<std::string> simulate_cluster(std::uint64_t seed, const Request& request,
                                            const Trace& trace, Totals& totals) {
  const Scratch scratch;
  Referee referee;
  referee.trace = without_path(trace, scratch.path());
  const FailoverPlan plan = make_failover_plan(seed, request.bug);
  if (trace) {
    trace(text_of(plan));
  }
  FailoverWorld world(plan, scratch.path(), referee);
  world.run(request.steps);
  totals.steps += world.steps();
  totals.cluster.add(world.counts());
  totals.answers += world.answers();
  totals.longest_takeover_ns = std::max(totals.longest_takeover_ns, world.longest_takeover_ns());
  totals.longest_recovery_ns = std::max(totals.longest_recovery_ns, world.longest_recovery_ns());
  totals.virtual_ns += world.virtual_ns();
  return referee.violation();
}

/// Runs one history. Nullopt: all rules were kept.
std::optional<std::string> simulate(std::uint64_t seed, const Request& request, const Trace& trace,
                                    Totals& totals) {
  ++totals.seeds;
  return request.failover ? simulate_cluster(seed, request, trace, totals)
                          : simulate_parties(seed, request, trace, totals);
}

/// Runs it twice. Nullopt: all rules were kept, and both runs had the same events at the same
/// times.
std::optional<std::string> simulate_twice(std::uint64_t seed, const Request& request,
                                          Totals& totals) {
  const std::hash<std::string_view> digest;
  std::vector<std::size_t> digests;  // The lines would count as memory of the history.
  auto violation = simulate(
      seed, request, [&](std::string_view line) { digests.push_back(digest(line)); }, totals);
  std::size_t lines = 0;
  std::optional<std::string> differs;
  static_cast<void>(simulate(
      seed, request,
      [&](std::string_view line) {
        if (!differs && (lines == digests.size() || digests[lines] != digest(line))) {
          differs = "the second run differs from line " + std::to_string(lines + 1) +
                    " on: " + std::string(line);
        }
        ++lines;
      },
      totals));
  if (!violation && !differs && lines < digests.size()) {
    differs = "the second run ends after line " + std::to_string(lines);
  }
  return violation ? violation : differs;
}

/// Repeats the history with its last events.
void show(std::uint64_t seed, const Request& request, const std::string& violation) {
  std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), violation.c_str());
  std::printf("%s", (request.failover ? text_of(make_failover_plan(seed, request.bug))
                                      : text_of(make_plan(seed)))
                        .c_str());
  std::deque<std::string> lines;
  Totals ignored;
  static_cast<void>(simulate(
      seed, request,
      [&lines](std::string_view line) {
        lines.emplace_back(line);
        if (lines.size() > trace_lines) {
          lines.pop_front();
        }
      },
      ignored));
  for (const std::string& line : lines) {
    std::printf("  %.600s\n", line.c_str());
  }
  std::printf("repeat: ./dev simulate %s%llu --steps %llu --trace\n",
              request.failover ? "--failover " : "", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(request.steps));
  std::fflush(stdout);
}

bool run_one(std::uint64_t seed, const Request& request, Totals& totals) {
  if (request.trace) {
    const auto violation = simulate(
        seed, request,
        [](std::string_view line) {
          std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
        },
        totals);
    return !violation;
  }
  const auto violation =
      request.twice ? simulate_twice(seed, request, totals) : simulate(seed, request, {}, totals);
  if (violation && request.bug == PlantedBug::None) {
    show(seed, request, *violation);
  } else if (violation) {
    std::printf("seed %llu finds the bug: %s\n", static_cast<unsigned long long>(seed),
                violation->c_str());
  }
  return !violation;
}

void print_cluster(const Totals& totals) {
  const auto count = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
  std::printf(
      "%llu orders answered, %llu not at once; %llu promotions, %llu hand-overs begun, %llu "
      "connections gone on by them, %llu processes killed; after "
      "one fault a primary within %.0f ms, after the last full agreement within %.1f s\n",
      count(totals.answers), count(totals.cluster.unanswered), count(totals.cluster.promotions),
      count(totals.cluster.hand_overs), count(totals.cluster.continued),
      count(totals.cluster.kills), static_cast<double>(totals.longest_takeover_ns) / 1e6,
      static_cast<double>(totals.longest_recovery_ns) / 1e9);
}

void print_adoptions(const Adoptions& adoptions) {
  std::printf("connections of killed processes: %llu continued, %llu ended with them",
              static_cast<unsigned long long>(adoptions.continued),
              static_cast<unsigned long long>(adoptions.ended));
  for (const auto& [reason, count] : adoptions.refused) {
    std::printf("; %llu closed: %s", static_cast<unsigned long long>(count), reason.c_str());
  }
  std::printf("\n");
}

}  // namespace

int main(int count, char** words) {
  const Request request = read_request(count, words);
  // An engine's tables are large, and thousands of processes begin and end here: returning memory
  // to the kernel each time would cost more than all other work.
  ::mallopt(M_MMAP_THRESHOLD, 32 * 1024 * 1024);
  ::mallopt(M_TRIM_THRESHOLD, 512 * 1024 * 1024);
  const auto begun = std::chrono::steady_clock::now();
  Totals totals;
  std::uint64_t broken = 0;
  for (std::uint64_t seed = request.first; seed <= request.last; ++seed) {
    broken += run_one(seed, request, totals) ? 0U : 1U;
    if (broken != 0 && request.bug != PlantedBug::None) {
      return 0;  // A planted bug was found.
    }
  }
  if (request.fresh != 0) {
    std::random_device device;
    const std::uint64_t base = std::uint64_t{device()} << 16;
    std::printf("fresh seeds %llu..%llu\n", static_cast<unsigned long long>(base),
                static_cast<unsigned long long>(base + request.fresh - 1));
    for (std::uint64_t fresh = 0; fresh < request.fresh; ++fresh) {
      broken += run_one(base + fresh, request, totals) ? 0U : 1U;
    }
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const double hours = static_cast<double>(totals.virtual_ns) / 3.6e12;
  std::printf(
      "%llu seeds, %llu with a broken rule; %llu steps, %.0f a second; %.1f virtual hours, %.1f a "
      "minute; %llu messages delivered, %llu processes started\n",
      static_cast<unsigned long long>(totals.seeds), static_cast<unsigned long long>(broken),
      static_cast<unsigned long long>(totals.steps), static_cast<double>(totals.steps) / seconds,
      hours, hours / seconds * 60, static_cast<unsigned long long>(totals.delivered),
      static_cast<unsigned long long>(totals.lives + totals.cluster.lives));
  if (request.failover) {
    print_cluster(totals);
  } else {
    print_adoptions(totals.adoptions);
  }
  return (broken == 0) == (request.bug == PlantedBug::None) ? 0 : 1;
}
