// SPDX-License-Identifier: MIT
// Rows of results, their file, and the kernel's figures of a process.
#include "measure/measurement.hpp"

#include "affix/base/time.hpp"

#include "measure/process_usage.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace affix::tools {
namespace {

TEST(Measurement, OfValues) {
  std::vector<double> values;
  for (int value = 1000; value >= 1; --value) {
    values.push_back(value);
  }
  const Measurement row = measurement_of("b", "c", "ns", values);
  EXPECT_EQ(row.n, 1000U);
  EXPECT_EQ(row.min, 1);
  EXPECT_EQ(row.median, 501);
  EXPECT_EQ(row.p99, 991);
  EXPECT_EQ(row.max, 1000);
  EXPECT_EQ(measurement_of("b", "c", "ns", {}).n, 0U);
}

TEST(Measurement, OfAHistogram) {
  const auto histogram = std::make_unique<LatencyHistogram>();
  for (std::int64_t value = 1; value <= 100; ++value) {
    histogram->record(value);
  }
  const Measurement row = measurement_of("b", "c", *histogram);
  EXPECT_EQ(row.unit, "ns");
  EXPECT_EQ(row.median, 50);
  EXPECT_EQ(row.p90, 90);
}

TEST(Measurement, FileIsAListOfRows) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("affix-rows-" + std::to_string(::getpid())))
          .string();
  ASSERT_TRUE(write_measurements(
      path, {measurement_of("a \"b\"", "\xff", "ns", {1.5}), measurement_of("x", "y", "ns", {2})}));
  std::ifstream file(path);
  const auto list = nlohmann::json::parse(file);
  std::filesystem::remove(path);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["benchmark"], "a \"b\"");
  EXPECT_EQ(list[0]["median"], 1.5);
  for (const char* key : {"contender", "unit", "n", "min", "p90", "p99", "p999", "p9999", "max"}) {
    EXPECT_TRUE(list[1].contains(key)) << key;
  }
}

TEST(Measurement, UnwritableFileIsAnError) {
  const auto written = write_measurements("/nowhere/at/all", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, base::ErrorCode::Io);
}

TEST(ProcessUsage, OfThisProcessGrows) {
  const auto before = read_process_usage(::getpid());
  ASSERT_TRUE(before);
  EXPECT_GT(before->anonymous_bytes, 0);
  EXPECT_GT(before->file_bytes, 0);
  // The account is updated by the scheduler; a bounded amount of work causes this.
  std::int64_t after_ns = before->cpu_ns;
  volatile std::uint64_t work = 0;
  for (int turn = 0; turn < 10'000 && after_ns <= before->cpu_ns; ++turn) {
    for (int step = 0; step < 100'000; ++step) {
      work = work + 1;
    }
    after_ns = read_process_usage(::getpid()).value_or(ProcessUsage{}).cpu_ns;
  }
  EXPECT_GT(after_ns, before->cpu_ns);
}

/// Reading of the kernel's clock of a process.
std::int64_t processor_time_ns(clockid_t clock) {
  timespec reading{};
  EXPECT_EQ(::clock_gettime(clock, &reading), 0);
  return std::int64_t{reading.tv_sec} * base::ns_per_second + reading.tv_nsec;
}

TEST(ProcessUsage, EveryThreadCountsOnce) {
  // One thread only, so that no thread has ended. It never stops working.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (volatile std::uint64_t work = 0;;) {
      work = work + 1;
    }
  }
  clockid_t clock{};
  ASSERT_EQ(::clock_getcpuclockid(child, &clock), 0);
  while (processor_time_ns(clock) < 50 * base::ns_per_ms) {
    std::this_thread::yield();
  }
  const auto usage = read_process_usage(child);
  const std::int64_t all_ns = processor_time_ns(clock);  // Read later, and so no less.
  EXPECT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(usage);
  EXPECT_GT(usage->cpu_ns, 0);
  EXPECT_LE(usage->cpu_ns, all_ns);
}

TEST(ProcessUsage, OfNobodyIsAnError) {
  const auto usage = read_process_usage(std::numeric_limits<pid_t>::max());
  ASSERT_FALSE(usage);
  EXPECT_EQ(usage.error().code, base::ErrorCode::NotFound);
}

}  // namespace
}  // namespace affix::tools
