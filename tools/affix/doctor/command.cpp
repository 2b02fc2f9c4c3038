// SPDX-License-Identifier: MIT
// Options of `affix doctor`, and the order of its checks.
#include "doctor/command.hpp"

#include "doctor/checks.hpp"
#include "doctor/configuration_needs.hpp"
#include "doctor/probes.hpp"
#include "doctor/report.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace affix::inline v0::tools::doctor {

namespace {

struct CommandOptions {
  std::string configuration;
  std::string root;
  bool json = false;
};

void append(Findings& findings, Findings more) {
  findings.insert(findings.end(), more.begin(), more.end());
}

int run(const CommandOptions& options) {
  std::optional<affix::config::Configuration> configuration;
  if (!options.configuration.empty()) {
    auto loaded = affix::config::load_configuration(options.configuration);
    if (!loaded) {
      std::fputs(affix::config::text_of(loaded.error()).c_str(), stderr);
      return 2;
    }
    configuration = std::move(*loaded);
  }
  std::error_code error;
  if (!options.root.empty() && !std::filesystem::is_directory(options.root, error)) {
    std::fprintf(stderr, "affix doctor: %s: is not a directory [L104]\n", options.root.c_str());
    return 2;
  }
  if (options.root.empty() && !can_probe()) {
    std::fputs(
        "affix doctor: this system's settings are not known; --root reads a Linux machine's files "
        "[L104]\n",
        stderr);
    return 2;
  }
  const SystemFiles files(options.root);
  const std::vector<std::string> folders =
      configuration ? journal_folders(files, *configuration)
                    : std::vector<std::string>{std::filesystem::current_path(error).string()};
  // Measurements here say nothing about a machine whose files were copied from elsewhere.
  const Measured measured =
      files.is_this_machine()
          ? take_probes({.folder = folders.empty() ? std::string() : folders.front()})
          : Measured();
  Findings findings = check_memory(files, measured);
  append(findings, check_processors(files, measured));
  append(findings, check_limits(files));
  for (const std::string& folder : folders) {
    append(findings, check_disk(files, measured, folder));
  }
  if (configuration) {
    append(findings, check_configuration(files, measured, *configuration));
  }
  const std::string report =
      options.json ? report_json(measured, findings) : report_text(measured, findings);
  std::fwrite(report.data(), 1, report.size(), stdout);
  return any_costs(findings) ? 1 : 0;
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  Command command = program.add_command("doctor",
                                        "Report the settings of this machine and of a "
                                        "configuration that cost tail latency or throughput");
  command.add_option("configuration,--config", options->configuration,
                     "Look at this configuration file, too");
  command.add_option("--root", options->root,
                     "Read /proc and /sys below this folder, and measure nothing");
  command.add_flag("--json", options->json, "One object: what was measured, and the findings");
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::doctor
