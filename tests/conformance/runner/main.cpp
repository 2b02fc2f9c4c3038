// SPDX-License-Identifier: MIT
// affix_conformance: plays scenarios against an engine of this process, in memory or over TCP, with
// a clock that the scenarios move.
#include "affix/certify/run.hpp"

#include "certify/collection.hpp"
#include "certify/player.hpp"
#include "loopback_stage.hpp"
#include "program/options.hpp"
#include "virtual_stage.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace affix::conformance {

namespace {

struct Arguments {
  std::vector<std::string> paths;
  std::string stage = "memory";
  Identity identity;
  std::vector<std::string> versions;
  std::vector<std::string> ids;
  std::string role = "both";
  certify::Fragments fragments;
  bool list = false;
};

bool wanted(const std::vector<std::string>& chosen, std::string_view name) {
  return chosen.empty() || std::ranges::find(chosen, name) != chosen.end();
}

class Run {
 public:
  explicit Run(const Arguments& arguments) : arguments_(arguments), names_(AFFIX_DICTIONARIES) {}

  void play_all(const Scenario& scenario) {
    for (const Role role : scenario.roles) {
      for (const Version* version : scenario.versions) {
        const bool chosen = wanted(arguments_.versions, version->name) &&
                            (arguments_.role == "both" || arguments_.role == to_text(role));
        if (chosen) {
          play_one(scenario, role, *version);
        }
      }
    }
  }

  [[nodiscard]] const certify::Totals& totals() const { return totals_; }

 private:
  void play_one(const Scenario& scenario, Role role, const Version& version) {
    std::string error;
    std::unique_ptr<Stage> stage;
    if (arguments_.stage != "memory") {
      const std::string_view reactor =
          arguments_.stage == "loopback" ? net::default_reactor() : arguments_.stage;
      stage = make_loopback_stage(reactor, scenario, role, version, arguments_.identity, error);
    } else {
      stage = make_virtual_stage(scenario, role, version, arguments_.identity, error);
    }
    if (stage == nullptr) {
      ++totals_.failed;
      std::printf("FAILED %s:%d: %s\n", scenario.file.c_str(), scenario.line, error.c_str());
      return;
    }
    const certify::Result result = certify::play({.scenario = scenario,
                                                  .version = version,
                                                  .role = role,
                                                  .identity = arguments_.identity,
                                                  .fragments = arguments_.fragments},
                                                 names_.of(version), *stage);
    if (result.outcome == certify::Outcome::Failed) {
      ++totals_.failed;
      std::printf("FAILED %s\n", certify::failure_text(result).c_str());
    } else {
      ++totals_.passed;
    }
  }

  const Arguments& arguments_;
  certify::Names names_;
  certify::Totals totals_;
};

void list(const std::vector<Scenario>& scenarios) {
  for (const Scenario& scenario : scenarios) {
    std::printf("%s\t%s\t%s\n", scenario.id.c_str(),
                std::filesystem::path(scenario.file).filename().c_str(), scenario.title.c_str());
  }
}

int run(const Arguments& arguments) {
  const auto scenarios = certify::read_all_scenarios(arguments.paths);
  if (!scenarios) {
    std::fputs(scenarios.error().c_str(), stderr);
    return 2;
  }
  if (arguments.list) {
    list(*scenarios);
    return 0;
  }
  Run run(arguments);
  for (const Scenario& scenario : *scenarios) {
    if (wanted(arguments.ids, scenario.id)) {
      run.play_all(scenario);
    }
  }
  const certify::Totals& totals = run.totals();
  std::printf("%zu passed, %zu failed\n", totals.passed, totals.failed);
  return totals.failed == 0 && totals.passed != 0 ? 0 : 1;
}

void add_options(tools::Command program, Arguments& arguments) {
  program.add_option("SCENARIOS", arguments.paths, "Files, or directories of *.scenario")
      .required();
  program
      .add_option("--stage", arguments.stage,
                  "Where affix is examined: memory (virtual time), loopback (TCP), or poll or "
                  "io_uring (TCP on that reactor)")
      .one_of({"memory", "loopback", "poll", "io_uring"});
  program.add_option("--us", arguments.identity.us, "SenderCompID of the scenarios' peer");
  program.add_option("--them", arguments.identity.them, "Its TargetCompID");
  program.add_option("--version-of-fix", arguments.versions, "Only these: 4.0 ... 5.0SP2");
  program.add_option("--scenario", arguments.ids, "Only these numbers");
  program.add_option("--role", arguments.role, "Role of the engine: acceptor, initiator or both")
      .one_of({"acceptor", "initiator", "both"});
  program.add_option("--pieces", arguments.fragments.bytes,
                     "Sends the peer's bytes in pieces of this size");
  program.add_flag("--list", arguments.list, "Prints number, file and title of each scenario");
  program.on_run([&arguments] {
    try {
      return run(arguments);
    } catch (const std::exception& fault) {
      std::fprintf(stderr, "affix_conformance: %s\n", fault.what());
      return 2;
    }
  });
}

}  // namespace

}  // namespace affix::conformance

int main(int argc, char** argv) {
  affix::conformance::Arguments arguments;
  return affix::tools::run_command_line(
      {.name = "affix_conformance",
       .description = "Plays scenarios against an affix engine of its own."},
      [&arguments](affix::tools::Command program) {
        affix::conformance::add_options(program, arguments);
      },
      argc, argv);
}
