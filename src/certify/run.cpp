// SPDX-License-Identifier: MIT
// Divides scenarios among sessions, one thread each.
#include "affix/certify/run.hpp"

#include "affix/os/clock.hpp"

#include "certify/collection.hpp"
#include "certify/player.hpp"
#include "certify/remote_stage.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <thread>

namespace affix::inline v0::certify {

namespace {

/// "FIX.4.4", "4.4", "FIX.5.0SP2", "FIXT.1.1".
const Version* version_of(std::string_view text) {
  constexpr std::string_view prefix = "FIX.";
  if (text == "FIXT.1.1") {
    return find_version("5.0SP2");
  }
  return find_version(text.starts_with(prefix) ? text.substr(prefix.size()) : text);
}

std::string base_36(std::uint64_t number) {
  std::string text;
  for (; number != 0; number /= 36) {
    text.insert(text.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 36]);
  }
  return text;
}

Identity identity_of(const CompIds& ids) {
  return {ids.sender, ids.target};
}

/// One scenario in one version, and the place of its result.
struct Task {
  const Scenario* scenario;
  std::size_t result;
};

/// The tasks of one version, which its sessions take one after the other.
struct Tasks {
  const Version* version;
  std::vector<Task> all;
  std::atomic<std::size_t> next = 0;
};

class Run {
 public:
  Run(const RunOptions& options, RunProgress* progress)
      : options_(options), progress_(progress), names_(options.dictionaries) {
    // Ids of two runs differ, as sessions and books may outlive them.
    fresh_ = base_36(static_cast<std::uint64_t>(os::now().utc_ns / base::ns_per_us));
  }

  [[nodiscard]] std::string prepare() {
    auto scenarios = read_all_scenarios(options_.paths);
    if (!scenarios) {
      return scenarios.error();
    }
    scenarios_ = std::move(*scenarios);
    std::string problem = open_transport();
    for (const SessionChoice& session : options_.sessions) {
      const Version* const version = version_of(session.version);
      if (version == nullptr) {
        problem += "FIX version " + session.version + " is unknown\n";
        continue;
      }
      const bool there = std::ranges::any_of(
          versions_, [version](const auto& tasks) { return tasks->version == version; });
      if (!there) {
        versions_.push_back(std::make_unique<Tasks>());
        versions_.back()->version = version;
        problem += add_tasks(*versions_.back());
      }
    }
    return problem;
  }

  std::vector<Result> play_all() {
    if (progress_ != nullptr && reception_) {
      progress_->on_listening(reception_->address().text());
    }
    for (const Result& result : results_) {
      if (result.outcome == Outcome::Skipped && progress_ != nullptr) {
        progress_->on_result(result);
      }
    }
    std::vector<std::thread> threads;
    std::size_t number = 0;
    for (const SessionChoice& session : options_.sessions) {
      threads.emplace_back([this, &session, number] { play_on(session, number); });
      ++number;
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    return std::move(results_);
  }

 private:
  std::string open_transport() {
    if (options_.listen.empty()) {
      auto addresses = net::wait_resolve(options_.address);
      if (!addresses) {
        return addresses.error().text() + "\n";
      }
      addresses_ = std::move(*addresses);
      return {};
    }
    const auto address = net::Address::parse(options_.listen);
    if (!address) {
      return address.error().text() + "\n";
    }
    auto reception =
        Reception::open(*address, options_.sessions.size() == 1 && options_.peers.empty());
    if (!reception) {
      return reception.error() + "\n";
    }
    reception_ = std::move(*reception);
    return {};
  }

  [[nodiscard]] Role role() const { return reception_ ? Role::Initiator : Role::Acceptor; }

  /// Reason why a scenario cannot be played; empty: it can.
  [[nodiscard]] std::string hindrance(const Scenario& scenario, const Version& version) const {
    if (!scenario.plain) {
      return "it acts inside the engine";
    }
    if (scenario.memory && !options_.keeps_numbers) {
      return "it is for an engine that keeps its numbers";
    }
    if (scenario.kills && options_.restart_command.empty()) {
      return "it kills the engine, which needs a command that restarts it";
    }
    if (scenario.kills_memory && options_.restart_without_memory_command.empty()) {
      return "it kills the engine, which needs a command that restarts it without its memory";
    }
    if (scenario.longest_wait_ns > options_.longest_wait_ns) {
      return "it waits longer than is allowed here";
    }
    if (std::ranges::find(scenario.roles, role()) == scenario.roles.end()) {
      return "it is for an engine that is the " + std::string(to_text(scenario.roles.front()));
    }
    if (std::ranges::find(scenario.versions, &version) == scenario.versions.end()) {
      return "it is for other versions";
    }
    return {};
  }

  std::string add_tasks(Tasks& tasks) {
    std::string problems;
    for (const Scenario& scenario : scenarios_) {
      const bool chosen = options_.ids.empty() ||
                          std::ranges::find(options_.ids, scenario.id) != options_.ids.end();
      if (!chosen || std::ranges::find(options_.skipped, scenario.id) != options_.skipped.end()) {
        continue;
      }
      const std::string hindrance = this->hindrance(scenario, *tasks.version);
      Result result;
      result.id = scenario.id;
      result.title = scenario.title;
      result.file = scenario.file;
      result.line = scenario.line;
      result.role = to_text(role());
      result.version = tasks.version->name;
      result.outcome = Outcome::Skipped;
      result.fault = hindrance;
      if (hindrance.empty()) {
        result.outcome = Outcome::Failed;
        problems += unknown_names(scenario, *tasks.version, names_.of(*tasks.version));
        tasks.all.push_back({&scenario, results_.size()});
      }
      results_.push_back(std::move(result));
    }
    return problems;
  }

  void play_on(const SessionChoice& session, std::size_t number) {
    const Version* const version = version_of(session.version);
    Tasks& tasks = **std::ranges::find_if(
        versions_, [version](const auto& each) { return each->version == version; });
    std::size_t count = 0;
    for (std::size_t at = tasks.next++; at < tasks.all.size(); at = tasks.next++) {
      const Task& task = tasks.all[at];
      Result result = play_one(*task.scenario, *version, session,
                               fresh_ + "-" + base_36(number + 1) + base_36(++count) + "-");
      const std::lock_guard lock(mutex_);
      results_[task.result] = std::move(result);
      if (progress_ != nullptr) {
        progress_->on_result(results_[task.result]);
      }
    }
  }

  Result play_one(const Scenario& scenario, const Version& version, const SessionChoice& session,
                  std::string fresh_prefix) {
    Play play{.scenario = scenario,
              .version = version,
              .role = role(),
              .identity = identity_of(session.ids),
              .variables = options_.variables,
              .fragments = {options_.fragment_bytes},
              .resets_by_logon = options_.keeps_numbers,
              .fresh_prefix = std::move(fresh_prefix)};
    play.variables.insert(play.variables.end(), session.variables.begin(), session.variables.end());
    for (const auto& [name, ids] : options_.peers) {
      play.others.emplace(name, identity_of(ids));
    }
    const std::unique_ptr<Stage> stage = make_remote_stage(
        {.addresses = addresses_,
         .reception = reception_.get(),
         .patience_ns = options_.patience_ns,
         .connect_ns = options_.connect_ns,
         .restart_command = options_.restart_command,
         .restart_without_memory_command = options_.restart_without_memory_command});
    // Sessions of further peers are there once.
    std::unique_lock further(further_peers_, std::defer_lock);
    if (!scenario.peers.empty()) {
      further.lock();
    }
    std::shared_lock beside(playing_, std::defer_lock);
    std::unique_lock alone(playing_, std::defer_lock);
    if (scenario.alone) {
      alone.lock();
    } else {
      beside.lock();
    }
    return certify::play(play, names_.of(version), *stage);
  }

  const RunOptions& options_;
  RunProgress* progress_;
  Names names_;
  std::string fresh_;
  std::vector<Scenario> scenarios_;
  std::vector<net::Address> addresses_;
  std::unique_ptr<Reception> reception_;
  std::vector<std::unique_ptr<Tasks>> versions_;
  std::vector<Result> results_;
  std::mutex mutex_;
  std::mutex further_peers_;
  std::shared_mutex playing_;  ///< Exclusively by scenarios that are played alone.
};

}  // namespace

std::expected<std::vector<Result>, std::string> run(const RunOptions& options,
                                                    RunProgress* progress) {
  Run run(options, progress);
  if (std::string problem = run.prepare(); !problem.empty()) {
    return std::unexpected(std::move(problem));
  }
  return run.play_all();
}

std::expected<std::vector<ScenarioName>, std::string> list(const std::vector<std::string>& paths) {
  const auto scenarios = read_all_scenarios(paths);
  if (!scenarios) {
    return std::unexpected(scenarios.error());
  }
  std::vector<ScenarioName> names;
  for (const Scenario& scenario : *scenarios) {
    names.push_back({scenario.id, scenario.title, scenario.file, scenario.line});
  }
  return names;
}

Totals totals_of(const std::vector<Result>& results) {
  Totals totals;
  for (const Result& result : results) {
    totals.passed += result.outcome == Outcome::Passed ? 1 : 0;
    totals.failed += result.outcome == Outcome::Failed ? 1 : 0;
    totals.skipped += result.outcome == Outcome::Skipped ? 1 : 0;
  }
  return totals;
}

}  // namespace affix::inline v0::certify
