// SPDX-License-Identifier: MIT
// Segments prepared early: cost of a page of 4 KiB for allocation, release and cleaning for reuse,
// and duration of one call, by the way in which pages are requested from the system.
#include "benchmarks.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"
#include "journal/spare_file.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <time.h>

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
  bool used_again = false;  // Its file was a segment's before.
  std::vector<float> page_ns = {};
  std::vector<float> call_ns = {};
  std::vector<float> release_ns = {};
  std::vector<float> clean_ns = {};  // Of the processor; the disk is waited for as well.
};

float processor_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<float>(now.tv_sec) * 1e9F + static_cast<float>(now.tv_nsec);
}

void clean(Way& way, const journal::SegmentFiles& files, journal::SpareFile& spare) {
  const float before = processor_ns();
  while (spare.wants_cleaning()) {
    spare.clean_step(files, way.making.new_pages == journal::NewPages::Faulted
                                ? journal::page_bytes()
                                : journal::Segment::filled_in_a_step);
  }
  way.clean_ns.push_back((processor_ns() - before) / segment_pages);
}

void prepare_one(Way& way, const journal::SegmentFiles& files) {
  journal::SpareFile spare;
  const std::string path = files.path(2);
  if (way.used_again && spare.keep(files, 1, segment_bytes)) {
    clean(way, files, spare);
  }
  const Clock::time_point begin = Clock::now();
  std::expected<journal::Segment*, affix::base::Error> made =
      spare.make_segment(files, path, segment_bytes, way.making);
  if (*made == nullptr) {
    if (way.used_again) {
      std::fprintf(stderr, "a file cannot be used again here\n");
    }
    made = journal::Segment::create(path, segment_bytes, way.making, journal::system_disk());
  }
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
      {"used again", {}, true},
      {"apart", {.new_pages = journal::NewPages::Faulted}},
      {"apart, used again", {.new_pages = journal::NewPages::Faulted}, true},
  };
  const std::size_t rounds = options.quick ? 10 : 100;
  std::printf(
      "\njournal_prepared: segments of 8 MiB made and their pages made present; filled "
      "with zeros, and each apart as for group\n  %-24s %9s %9s %9s %9s %9s %11s"
      "\n",
      "ns", "min", "median", "p90", "p99", "p99.9", "max");
  const auto files = journal::SegmentFiles::open(directory.path("prepared"));
  if (!files) {
    std::fprintf(stderr, "%s\n", files.error().text().c_str());
    std::exit(2);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Way& way : ways) {
      prepare_one(way, *files);
      // The next one that is used again was this one.
      std::filesystem::rename(files->path(2), files->path(1));
    }
  }
  for (Way& way : ways) {
    report_row("journal_prepared_page", way.name, way.page_ns, json);
  }
  for (Way& way : ways) {
    if (way.used_again) {
      report_row("journal_prepared_clean", way.name, way.clean_ns, json);
    }
  }
  for (Way& way : ways) {
    report_row("journal_prepared_release", way.name, way.release_ns, json);
  }
  for (Way& way : ways) {
    report_row("journal_prepared_call", way.name, way.call_ns, json);
  }
}

}  // namespace affix_bench
