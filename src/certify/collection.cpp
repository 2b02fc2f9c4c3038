// SPDX-License-Identifier: MIT
// Reads directories of scenarios, and checks the names in them.
#include "certify/collection.hpp"

#include "certify/message_text.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace affix::inline v0::certify {

namespace {

/// The files of one path; a path that is no directory is a file.
std::vector<std::string> files_of(const std::string& path) {
  std::error_code failed;
  std::vector<std::string> files;
  if (!std::filesystem::is_directory(path, failed)) {
    return {path};
  }
  auto entry = std::filesystem::recursive_directory_iterator(path, failed);
  for (; !failed && entry != std::filesystem::recursive_directory_iterator();
       entry.increment(failed)) {
    if (entry->path().extension() == ".scenario") {
      files.push_back(entry->path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

void check_steps(const std::vector<Step>& steps, const std::string& file, const Meaning& meaning,
                 std::string& problems) {
  for (const Step& step : steps) {
    check_steps(step.body, file, meaning, problems);
    const bool has_fields = step.verb == Verb::Send || step.verb == Verb::Expect ||
                            step.verb == Verb::Find || step.verb == Verb::Logon ||
                            step.verb == Verb::AppSend || step.verb == Verb::Delivered;
    const bool elsewhere = !step.versions.empty() &&
                           std::ranges::find(step.versions, meaning.version) == step.versions.end();
    if (!has_fields || elsewhere) {
      continue;
    }
    if (const auto pieces = pieces_of(step.text, meaning); !pieces) {
      problems += file + ":" + std::to_string(step.line) + ": " + pieces.error() + "\n";
    }
  }
}

}  // namespace

std::expected<std::vector<Scenario>, std::string> read_all_scenarios(
    const std::vector<std::string>& paths) {
  std::vector<Scenario> all;
  std::string problems;
  for (const std::string& path : paths) {
    const std::vector<std::string> files = files_of(path);
    if (files.empty()) {
      problems += path + ": has no *.scenario\n";
    }
    for (const std::string& file : files) {
      auto scenarios = read_scenarios(file);
      if (!scenarios) {
        problems += scenarios.error();
        continue;
      }
      std::ranges::move(*scenarios, std::back_inserter(all));
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return all;
}

std::string unknown_names(const Scenario& scenario, const Version& version,
                          const VersionNames& names) {
  std::string problems;
  check_steps(scenario.steps, scenario.file, {.version = &version, .names = &names}, problems);
  return problems;
}

}  // namespace affix::inline v0::certify
