// SPDX-License-Identifier: MIT
// Segments made ready ahead of need: what a page of 4 KiB takes, to have and to give back, and how
// long one call does, by how the system is asked for pages.
#include "benchmarks.hpp"
#include "journal/segment.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace affix_bench {

namespace {

namespace journal = affix::journal;
using Clock = std::chrono::steady_clock;

constexpr std::size_t segment_bytes = std::size_t{8} << 20;
constexpr std::size_t segment_pages = segment_bytes / 4096;

float ns_since(Clock::time_point begin) {
  return std::chrono::duration<float, std::nano>(Clock::now() - begin).count();
}

struct Way {
  const char* name;
  journal::Segment::Making making;
  std::vector<float> page_ns = {};
  std::vector<float> call_ns = {};
  std::vector<float> release_ns = {};
};

void prepare_one(Way& way, const std::string& path) {
  const Clock::time_point begin = Clock::now();
  const auto made =
      journal::Segment::create(path, segment_bytes, way.making, journal::system_disk());
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().text().c_str());
    std::exit(2);
  }
  while ((*made)->lacks_pages()) {
    const Clock::time_point call = Clock::now();
    (*made)->prepare_pages();
    way.call_ns.push_back(ns_since(call));
  }
  way.page_ns.push_back(ns_since(begin) / segment_pages);
  const Clock::time_point release = Clock::now();
  (*made)->drop_reference();
  way.release_ns.push_back(ns_since(release) / segment_pages);
}

}  // namespace

void run_prepared(const TemporaryDirectory& directory, const Options& options,
                  std::vector<std::string>& json) {
  std::vector<Way> ways = {
      {"filled", {}},
      {"apart", {.flushed_often = true}},
  };
  const std::size_t rounds = options.quick ? 10 : 100;
  std::printf(
      "\njournal_prepared: segments of 8 MiB made and their pages made present; filled "
      "with zeros, and each apart as for group\n  %-24s %9s %9s %9s %9s %9s %11s"
      "\n",
      "ns", "min", "median", "p90", "p99", "p99.9", "max");
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Way& way : ways) {
      const std::string path = directory.path("prepared");
      prepare_one(way, path);
      std::filesystem::remove(path);
    }
  }
  for (Way& way : ways) {
    report_row("journal_prepared_page", way.name, way.page_ns, json);
  }
  for (Way& way : ways) {
    report_row("journal_prepared_release", way.name, way.release_ns, json);
  }
  for (Way& way : ways) {
    report_row("journal_prepared_call", way.name, way.call_ns, json);
  }
}

}  // namespace affix_bench
