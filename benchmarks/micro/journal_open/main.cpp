// SPDX-License-Identifier: MIT
// bench journal_open: time to open a journal with a long history, files cached: after a kill and
// after a clean close, by the fill level of its newest segment.
#include "affix/journal/journal.hpp"

#include "../../temporary_directory.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix_bench {
namespace {

using affix::journal::AppendResult;
using affix::journal::Journal;

constexpr std::uint64_t mebibyte = 1024UL * 1024;
constexpr std::uint64_t segment_bytes = 64 * mebibyte;

struct Arguments {
  std::uint64_t history_bytes = 10'000'000'000;
  std::size_t message_bytes = 212;
  int rounds = 15;
};

[[noreturn]] void usage(const char* wrong) {
  std::fprintf(stderr,
               "%s\nusage: journal_open [--bytes N (10000000000)] [--message-bytes N (212)] "
               "[--rounds N (15)]\n",
               wrong);
  std::exit(2);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int at = 1; at < argc; at += 2) {
    const std::string_view name = argv[at];
    char* end = nullptr;
    const unsigned long long value = at + 1 < argc ? std::strtoull(argv[at + 1], &end, 10) : 0;
    if (value == 0 || *end != '\0') {
      usage("an option needs a number above 0");
    }
    if (name == "--bytes") {
      arguments.history_bytes = value;
    } else if (name == "--message-bytes" && value >= 10 && value <= mebibyte) {
      arguments.message_bytes = value;
    } else if (name == "--rounds" && value <= 10'000) {
      arguments.rounds = static_cast<int>(value);
    } else {
      usage("unknown option or value out of range");
    }
  }
  return arguments;
}

std::unique_ptr<Journal> open_journal(const affix::journal::Options& options) {
  auto opened = Journal::open(options);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().text().c_str());
    std::exit(2);
  }
  return std::move(*opened);
}

/// Appends until the newest segment is full to `part`, in segment `number` at least.
void fill(Journal& journal, const std::string& message, std::uint32_t number, double part) {
  const auto offset = static_cast<std::uint32_t>(static_cast<double>(segment_bytes) * part);
  while (journal.end().segment < number || journal.end().offset < offset) {
    if (journal.append_sent(journal.next_outgoing(), 1, message) != AppendResult::Appended ||
        (journal.needs_preparation() && !journal.prepare())) {
      std::fprintf(stderr, "the journal does not take the history\n");
      std::exit(2);
    }
  }
}

struct Row {
  std::string name;
  std::vector<double> milliseconds = {};
};

void print(Row& row) {
  std::sort(row.milliseconds.begin(), row.milliseconds.end());
  std::printf("  %-44s %9.2f %9.2f %9.2f\n", row.name.c_str(), row.milliseconds.front(),
              row.milliseconds[row.milliseconds.size() / 2], row.milliseconds.back());
  std::fflush(stdout);
}

/// Repeatedly opens the journal and leaves it as `leave` does.
template <typename Leave>
void measure(const affix::journal::Options& options, const Arguments& arguments, std::string name,
             Leave&& leave) {
  Row row{std::move(name)};
  leave(*open_journal(options));
  for (int round = 0; round < arguments.rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const std::unique_ptr<Journal> journal = open_journal(options);
    row.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
    leave(*journal);
  }
  print(row);
}

void run(const Arguments& arguments) {
  const TemporaryDirectory directory;
  affix::journal::Options options;
  options.directory = directory.path() + "/session";
  options.identity = "FIX.4.4:VENUE->FIRM";
  options.sync_on_close = false;
  const std::string message(arguments.message_bytes, 'm');
  const auto segments =
      static_cast<std::uint32_t>(11 + arguments.history_bytes / segment_bytes);  // 64 KiB, 128, ...
  double begin_part = 0.02;
  for (const double part : {begin_part, 0.5, 0.98}) {
    {
      const std::unique_ptr<Journal> journal = open_journal(options);
      fill(*journal, message, segments, part);
      journal->abandon();
    }
    if (part == begin_part) {
      std::printf(
          "journal_open: %.2f GB of history in %u segments, files cached; ms\n  %-44s %9s "
          "%9s %9s\n",
          static_cast<double>(segments - 11) * static_cast<double>(segment_bytes) / 1e9, segments,
          "", "min", "median", "max");
    }
    char fullness[64];
    std::snprintf(fullness, sizeof fullness, "newest segment %.0f %% full, ", part * 100);
    for (const std::uint64_t reserve : {std::uint64_t{0}, std::uint64_t{100'000}}) {
      affix::journal::Options with = options;
      with.sequence_reserve = reserve;
      const std::string kept = reserve == 0 ? ", no reserve" : "";
      measure(with, arguments, fullness + ("killed" + kept),
              [](Journal& journal) { journal.abandon(); });
      measure(with, arguments, fullness + ("closed" + kept),
              [](Journal& journal) { static_cast<void>(journal.close()); });
    }
  }
}

}  // namespace
}  // namespace affix_bench

int main(int argc, char** argv) {
  affix_bench::run(affix_bench::parse(argc, argv));
}
