// SPDX-License-Identifier: MIT
// bench journal_append: cost of storing a message, compared with memory, write() and QuickFIX.
#include "benchmarks.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace affix_bench {

void report_row(const std::string& benchmark, const std::string& contender,
                std::vector<float>& values, std::vector<std::string>& json) {
  std::sort(values.begin(), values.end());
  const auto at = [&values](double part) {
    const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size()));
    return static_cast<double>(values[std::min(place, values.size() - 1)]);
  };
  const std::string label = benchmark.substr(benchmark.rfind('_') + 1) + " " + contender;
  std::printf("  %-24s %9.0f %9.0f %9.0f %9.0f %9.0f %11.0f\n", label.c_str(), at(0), at(0.5),
              at(0.9), at(0.99), at(0.999), at(1));
  std::fflush(stdout);
  char line[512];
  std::snprintf(line, sizeof(line),
                "{\"benchmark\": \"%s\", \"contender\": \"%s\", \"unit\": \"ns\", \"n\": %zu, "
                "\"min\": %.0f, \"median\": %.0f, \"p90\": %.0f, \"p99\": %.0f, \"p999\": %.0f, "
                "\"max\": %.0f}",
                benchmark.c_str(), contender.c_str(), values.size(), at(0), at(0.5), at(0.9),
                at(0.99), at(0.999), at(1));
  json.emplace_back(line);
}

namespace {

/// The harness has written its list; the rest is added after its last element.
void add_to_json(const std::string& path, const std::vector<std::string>& rows) {
  std::ostringstream whole;
  whole << std::ifstream(path).rdbuf();
  std::string text = whole.str();
  const std::size_t end = text.rfind("\n]");
  text = end == std::string::npos ? "[" : text.substr(0, end);
  const char* separator = text.size() > 1 ? ",\n" : "\n";
  std::ofstream file(path, std::ios::trunc);
  file << text;
  for (const std::string& row : rows) {
    file << separator << "  " << row;
    separator = ",\n";
  }
  file << "\n]\n";
}

bool wanted(const Options& options, std::string_view name) {
  return name.find(options.filter) != std::string_view::npos;
}

}  // namespace
}  // namespace affix_bench

int main(int argc, char** argv) {
  using namespace affix_bench;
  const Options options = parse_options(argc, argv);
  const TemporaryDirectory directory;
  std::vector<Benchmark> benchmarks;
  if (options.list || wanted(options, "journal_append")) {
    add_append_benchmarks(directory, benchmarks);
  }
  // First the parts that wait for the disk only, then those that the harness pins to a core.
  std::vector<std::string> json;
  if (options.list) {
    std::printf(
        "journal_flushed: batches brought to the disk\njournal_offered: single appends\n"
        "journal_paced: orders at 10,000 a second, and after a burst\n"
        "journal_prepared: segments made ready\n");
  } else {
    if (wanted(options, "journal_prepared")) {
      run_prepared(directory, options, json);
    }
    if (wanted(options, "journal_flushed")) {
      run_flushed(directory, options, json);
    }
    if (wanted(options, "journal_offered")) {
      run_offered(directory, options, json);
    }
    if (wanted(options, "journal_paced") || wanted(options, "journal_burst")) {
      run_paced(directory, options, json);
    }
  }
  int result = 0;
  if (!benchmarks.empty()) {
    result = run_benchmarks(options, benchmarks);
  }
  if (!options.json_path.empty() && !json.empty()) {
    add_to_json(options.json_path, json);
  }
  return result;
}
