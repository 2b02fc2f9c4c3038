// SPDX-License-Identifier: MIT
// Flushes batches: the journal's flush compared with pwrite + fdatasync of the same bytes.
#include "benchmarks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <numeric>
#include <unistd.h>

namespace affix_bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t raw_bytes = 64UL * 1024 * 1024;

/// The raw baseline: a file with every block written before, like the journal's.
class RawFile {
 public:
  explicit RawFile(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT, 0600)) {
    const std::string zeros(1UL << 20, '\0');
    bool written = file_ >= 0;
    for (std::size_t at = 0; written && at < raw_bytes; at += zeros.size()) {
      written = pwrite(file_, zeros.data(), zeros.size(), static_cast<off_t>(at)) ==
                static_cast<ssize_t>(zeros.size());
    }
    if (!written || fdatasync(file_) != 0) {
      std::perror(path.c_str());
      std::exit(2);
    }
  }

  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  ~RawFile() { close(file_); }

  void store(std::string_view bytes) {
    if (offset_ + bytes.size() > raw_bytes) {
      offset_ = 4096;
    }
    if (pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset_)) !=
            static_cast<ssize_t>(bytes.size()) ||
        fdatasync(file_) != 0) {
      std::perror("pwrite and fdatasync");
      std::exit(2);
    }
    offset_ += bytes.size();
  }

 private:
  int file_;
  std::size_t offset_ = 4096;
};

template <typename Work>
float microseconds_of(Work work) {
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<float, std::micro>(Clock::now() - begin).count();
}

void store_batch(EndlessJournal& journal, std::size_t batch) {
  for (std::size_t at = 0; at < batch; ++at) {
    journal.append();
  }
  if (const auto flushed = journal.journal().flush(); !flushed) {
    std::fprintf(stderr, "%s\n", flushed.error().text().c_str());
    std::exit(2);
  }
}

float median_of(std::vector<float> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

}  // namespace

void run_flushed(const TemporaryDirectory& directory, const Options& options,
                 std::vector<std::string>& json) {
  RawFile raw(directory.path("raw"));
  EndlessJournal sync(directory.path("flushed-sync"), affix::journal::Durability::Sync);
  EndlessJournal group(directory.path("flushed-group"), affix::journal::Durability::Group);
  const std::size_t rounds = options.quick ? 40 : 400;
  std::printf(
      "\njournal_flushed: a batch appended and brought to the disk, beside pwrite + fdatasync of "
      "as many bytes; medians of the rounds' ratios\n  %-8s %12s %12s %12s %10s %10s %14s %14s\n",
      "messages", "raw us", "sync us", "group us", "sync x", "group x", "raw msg/s", "sync msg/s");
  for (const std::size_t batch : {1UL, 4UL, 16UL, 64UL, 256UL}) {
    const std::string bytes(batch * affix::journal::format::record_bytes(message_bytes), 'x');
    std::vector<float> raw_us;
    std::vector<float> sync_us;
    std::vector<float> group_us;
    std::vector<float> sync_ratio;
    std::vector<float> group_ratio;
    for (std::size_t round = 0; round < rounds; ++round) {
      sync.prepare();
      group.prepare();
      raw_us.push_back(microseconds_of([&] { raw.store(bytes); }));
      sync_us.push_back(microseconds_of([&] { store_batch(sync, batch); }));
      group_us.push_back(microseconds_of([&] { store_batch(group, batch); }));
      sync_ratio.push_back(sync_us.back() / raw_us.back());
      group_ratio.push_back(group_us.back() / raw_us.back());
    }
    const auto per_second = [&](const std::vector<float>& all) {
      return static_cast<double>(batch * rounds) * 1e6 /
             static_cast<double>(std::accumulate(all.begin(), all.end(), 0.0F));
    };
    std::printf(
        "  %-8zu %12.1f %12.1f %12.1f %10.2f %10.2f %14.0f %14.0f\n", batch,
        static_cast<double>(median_of(raw_us)), static_cast<double>(median_of(sync_us)),
        static_cast<double>(median_of(group_us)), static_cast<double>(median_of(sync_ratio)),
        static_cast<double>(median_of(group_ratio)), per_second(raw_us), per_second(sync_us));
    const std::string name = "journal_flushed_" + std::to_string(batch);
    for (std::vector<float>* values : {&raw_us, &sync_us, &group_us}) {
      for (float& value : *values) {
        value *= 1'000;
      }
    }
    std::printf("  %-24s %9s %9s %9s %9s %9s %11s\n", "ns", "min", "median", "p90", "p99", "p99.9",
                "max");
    report_row(name, "raw", raw_us, json);
    report_row(name, "sync", sync_us, json);
    report_row(name, "group", group_us, json);
  }
}

}  // namespace affix_bench
