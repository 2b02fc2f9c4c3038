// SPDX-License-Identifier: MIT
// affix_simulate: whole histories of two engines under every fault, each determined by one number.
// For a history in which a rule was broken, prints the command that repeats it, and its last
// events.
#include "simulation/world.hpp"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <malloc.h>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>

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
};

[[noreturn]] void explain(const char* fault) {
  std::fprintf(stderr,
               "affix_simulate: %s\n"
               "affix_simulate [SEED] [--seeds A..B] [--fresh COUNT] [--steps N] [--trace]\n"
               "  SEED          one history (1)\n"
               "  --seeds A..B  the histories of these seeds\n"
               "  --fresh COUNT further ones, of seeds nobody has chosen\n"
               "  --steps N     things that happen in each (10000)\n"
               "  --trace       write every event down\n",
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
    if (word == "--trace") {
      request.trace = true;
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

/// A directory in memory if possible; others work, more slowly.
class Scratch {
 public:
  Scratch() {
    const char* const wanted = std::getenv("TMPDIR");
    const std::string below = wanted != nullptr                        ? wanted
                              : ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm"
                                                                       : "/tmp";
    std::string pattern = below + "/affix-simulate-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      std::perror(pattern.c_str());
      std::exit(2);
    }
    path_ = pattern;
  }

  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  ~Scratch() { clear(); }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  void clear() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::string path_;
};

struct Totals {
  std::uint64_t steps = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lives = 0;
  std::uint64_t seeds = 0;
  std::int64_t virtual_ns = 0;
  Adoptions adoptions;
};

/// Runs one history. Nullopt: all rules were kept.
std::optional<std::string> simulate(std::uint64_t seed, std::uint64_t steps,
                                    const std::function<void(std::string_view)>& trace,
                                    Totals& totals) {
  const Scratch scratch;
  Referee referee;
  referee.trace = trace;
  const Plan plan = make_plan(seed);
  if (trace) {
    trace(text_of(plan));
  }
  World world(plan, scratch.path(), referee);
  world.run(steps);
  totals.steps += world.steps();
  totals.delivered += world.delivered();
  totals.lives += world.lives();
  totals.adoptions.add(world.adoptions());
  totals.virtual_ns += world.virtual_ns();
  ++totals.seeds;
  return referee.violation();
}

/// Repeats the history with its last events.
void show(std::uint64_t seed, std::uint64_t steps, const std::string& violation) {
  std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), violation.c_str());
  std::printf("%s", text_of(make_plan(seed)).c_str());
  std::deque<std::string> lines;
  Totals ignored;
  static_cast<void>(simulate(
      seed, steps,
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
  std::printf("repeat: ./dev simulate %llu --steps %llu --trace\n",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(steps));
  std::fflush(stdout);
}

bool run_one(std::uint64_t seed, const Request& request, Totals& totals) {
  if (request.trace) {
    const auto violation = simulate(
        seed, request.steps,
        [](std::string_view line) {
          std::printf("%.*s\n", static_cast<int>(line.size()), line.data());
        },
        totals);
    return !violation;
  }
  const auto violation = simulate(seed, request.steps, {}, totals);
  if (violation) {
    show(seed, request.steps, *violation);
  }
  return !violation;
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
      static_cast<unsigned long long>(totals.lives));
  print_adoptions(totals.adoptions);
  return broken == 0 ? 0 : 1;
}
