// SPDX-License-Identifier: MIT
// Speed of scanning logs with a filter that matches one message: a text log and a journal of the
// same reports, written here, in memory where the system allows. GB per second of one thread's
// processor time, best of a few runs; each run must find its message.
#include "affix/base/time.hpp"
#include "affix/journal/journal.hpp"

#include "../../temporary_directory.hpp"
#include "log/show_log.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <time.h>

namespace {

namespace log = affix::tools::log;
namespace journal = affix::journal;

constexpr std::uint64_t messages = 1'000'000;
constexpr int runs = 5;
constexpr std::int64_t start_ns = 1'769'860'800'000'000'000;

/// A report of 230 to 250 bytes, a typical size for venues.
std::string report(std::uint64_t number) {
  const std::string id = std::to_string(number);
  std::string body =
      "35=8\x01"
      "49=EXCHANGE\x01"
      "56=ALICE\x01"
      "34=" +
      id +
      "\x01"
      "52=20260131-12:00:00.123456\x01"
      "37=ORDER" +
      id +
      "\x01"
      "11=CL" +
      id +
      "\x01"
      "17=EXEC" +
      id +
      "\x01"
      "150=F\x01"
      "39=2\x01"
      "55=AAPL\x01"
      "54=1\x01"
      "38=100\x01"
      "44=100.01\x01"
      "32=100\x01"
      "31=100.01\x01"
      "151=0\x01"
      "14=100\x01"
      "6=100.01\x01"
      "60=20260131-12:00:00.123\x01";
  std::string message =
      "8=FIX.4.4\x01"
      "9=" +
      std::to_string(body.size()) + '\x01' + body;
  unsigned sum = 0;
  for (const char c : message) {
    sum += static_cast<unsigned char>(c);
  }
  char trailer[16];
  std::snprintf(trailer, sizeof(trailer), "10=%03u\x01", sum % 256);
  return message + trailer;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

bool write_logs(const std::string& directory) {
  journal::Options options;
  options.directory = directory + "/journal";
  options.identity = "FIX.4.4:EXCHANGE->ALICE";
  options.sequence_reserve = 0;
  options.sync_on_close = false;
  auto opened = journal::Journal::open(options);
  std::FILE* const soh = std::fopen((directory + "/soh.log").c_str(), "wb");
  std::FILE* const pipe = std::fopen((directory + "/pipe.log").c_str(), "wb");
  if (!opened || soh == nullptr || pipe == nullptr) {
    return false;
  }
  for (std::uint64_t number = 1; number <= messages; ++number) {
    std::string message = report(number);
    if ((*opened)->append_sent(number, start_ns + static_cast<std::int64_t>(number), message) !=
        journal::AppendResult::Appended) {
      return false;
    }
    std::fprintf(soh, "20260131-12:00:00.123456 : %s\n", message.c_str());
    std::replace(message.begin(), message.end(), '\x01', '|');
    std::fprintf(pipe, "2026-01-31 12:00:00.123456 OUT %s\n", message.c_str());
  }
  const bool written = std::fclose(soh) == 0;
  return std::fclose(pipe) == 0 && written && (*opened)->close().has_value();
}

std::uint64_t bytes_below(const std::string& path) {
  if (!std::filesystem::is_directory(path)) {
    return std::filesystem::file_size(path);
  }
  // Of the records, without the prepared space after them.
  std::uint64_t bytes = 0;
  for (std::uint64_t number = 1; number <= messages; ++number) {
    bytes += report(number).size();
  }
  return bytes;
}

bool measure(const char* name, const std::string& path) {
  const std::uint64_t bytes = bytes_below(path);
  log::LogOptions options;
  options.paths = {path};
  options.filter.conditions = {"11=CL777777"};
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const out = open_memstream(&text, &size);
    const double begin = processor_seconds();
    const int status = log::show_log(options, out);
    best = std::min(best, processor_seconds() - begin);
    std::fclose(out);
    const std::string_view shown(text, size);
    const bool right = status == 0 && std::count(shown.begin(), shown.end(), '\n') == 1 &&
                       shown.find("|11=CL777777|") != std::string_view::npos;
    std::free(text);
    if (!right) {
      std::fprintf(stderr, "%s: did not find its message\n", name);
      return false;
    }
  }
  std::printf("%-28s %7.2f GB/s %7.1f ns a message\n", name,
              static_cast<double>(bytes) / best * 1e-9, best * 1e9 / static_cast<double>(messages));
  return true;
}

}  // namespace

int main() {
  using Directory = affix_bench::TemporaryDirectory;
  const Directory directory(Directory::On::Memory);
  if (!write_logs(directory.path())) {
    std::fprintf(stderr, "the logs cannot be written\n");
    return 1;
  }
  std::printf("one of %llu messages wanted, processor time of one thread, best of %d\n",
              static_cast<unsigned long long>(messages), runs);
  const bool measured = measure("text log, SOH", directory.path() + "/soh.log") &&
                        measure("text log, |", directory.path() + "/pipe.log") &&
                        measure("journal", directory.path() + "/journal");
  return measured ? 0 : 1;
}
