// SPDX-License-Identifier: MIT
// affix_conformance: plays conformance scripts against an affix engine, in memory or over TCP, or
// against any acceptor.
#include "address_stage.hpp"
#include "loopback_stage.hpp"
#include "player.hpp"
#include "program/options.hpp"
#include "script.hpp"
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
  std::string address;
  Identity identity;
  std::vector<std::string> versions;
  std::vector<std::string> ids;
  std::string role = "both";
  Pieces pieces;
  bool list = false;
};

struct Totals {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

std::vector<std::string> script_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".script") {
        files.push_back(entry.path().string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

/// All scenarios of all files, or every problem of all files.
std::expected<std::vector<Scenario>, std::string> read_all(const std::vector<std::string>& files) {
  std::vector<Scenario> all;
  std::string problems;
  for (const std::string& file : files) {
    auto scenarios = read_script(file);
    if (!scenarios) {
      problems += scenarios.error();
      continue;
    }
    std::ranges::move(*scenarios, std::back_inserter(all));
  }
  if (!problems.empty()) {
    return std::unexpected(problems);
  }
  return all;
}

bool wanted(const std::vector<std::string>& chosen, std::string_view name) {
  return chosen.empty() || std::ranges::find(chosen, name) != chosen.end();
}

class Run {
 public:
  explicit Run(const Arguments& arguments) : arguments_(arguments) {}

  /// False: the address cannot be used.
  [[nodiscard]] bool prepare() {
    if (arguments_.address.empty()) {
      return true;
    }
    const auto address = net::Address::parse(arguments_.address);
    if (!address) {
      std::fprintf(stderr, "affix_conformance: %s\n", address.error().message.c_str());
      return false;
    }
    address_ = *address;
    return true;
  }

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

  [[nodiscard]] const Totals& totals() const { return totals_; }

 private:
  void play_one(const Scenario& scenario, Role role, const Version& version) {
    const bool elsewhere = !arguments_.address.empty();
    if (elsewhere && (!scenario.plain || role != Role::Acceptor)) {
      ++totals_.skipped;
      return;
    }
    std::string error;
    std::unique_ptr<Stage> stage;
    if (elsewhere) {
      stage = make_address_stage(address_);
    } else if (arguments_.stage != "memory") {
      const std::string_view reactor =
          arguments_.stage == "loopback" ? net::default_reactor() : arguments_.stage;
      stage = make_loopback_stage(reactor, scenario, role, version, arguments_.identity, error);
    } else {
      stage = make_virtual_stage(scenario, role, version, arguments_.identity, error);
    }
    const std::optional<std::string> fault =
        stage == nullptr
            ? scenario.file + ":" + std::to_string(scenario.line) + ": " + error
            : play(scenario, version, role, arguments_.identity, arguments_.pieces, *stage);
    if (fault) {
      ++totals_.failed;
      std::printf("FAILED %s\n", fault->c_str());
    } else {
      ++totals_.passed;
    }
  }

  const Arguments& arguments_;
  net::Address address_;
  Totals totals_;
};

void list(const std::vector<Scenario>& scenarios) {
  for (const Scenario& scenario : scenarios) {
    std::printf("%s\t%s\t%s\n", scenario.id.c_str(),
                std::filesystem::path(scenario.file).filename().c_str(), scenario.title.c_str());
  }
}

int run(const Arguments& arguments) {
  const auto scenarios = read_all(script_files(arguments.paths));
  if (!scenarios) {
    std::fputs(scenarios.error().c_str(), stderr);
    return 2;
  }
  if (arguments.list) {
    list(*scenarios);
    return 0;
  }
  Run run(arguments);
  if (!run.prepare()) {
    return 2;
  }
  for (const Scenario& scenario : *scenarios) {
    if (wanted(arguments.ids, scenario.id)) {
      run.play_all(scenario);
    }
  }
  const Totals& totals = run.totals();
  std::printf("%d passed, %d failed, %d skipped\n", totals.passed, totals.failed, totals.skipped);
  return totals.failed == 0 && totals.passed != 0 ? 0 : 1;
}

void add_options(tools::Command program, Arguments& arguments) {
  program.add_option("SCRIPTS", arguments.paths, "Script files, or folders of *.script").required();
  program
      .add_option("--stage", arguments.stage,
                  "Where affix is examined: memory (virtual time), loopback (TCP), or poll or "
                  "io_uring (TCP on that reactor)")
      .one_of({"memory", "loopback", "poll", "io_uring"});
  program.add_option("--address", arguments.address,
                     "HOST:PORT of any acceptor to examine instead, in real time; scenarios that "
                     "need more than a connection are skipped");
  program.add_option("--us", arguments.identity.us, "SenderCompID of the scripts' peer");
  program.add_option("--them", arguments.identity.them, "Its TargetCompID");
  program.add_option("--version-of-fix", arguments.versions, "Only these: 4.0 ... 5.0SP2");
  program.add_option("--scenario", arguments.ids, "Only these numbers");
  program.add_option("--role", arguments.role, "Role of the engine: acceptor, initiator or both")
      .one_of({"acceptor", "initiator", "both"});
  program.add_option("--pieces", arguments.pieces.bytes,
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
       .description = "Plays conformance scripts against a FIX engine."},
      [&arguments](affix::tools::Command program) {
        affix::conformance::add_options(program, arguments);
      },
      argc, argv);
}
