// SPDX-License-Identifier: MIT
// Checks a configuration's durability and waiting, and the placement of its workers.
#include "affix/config/words.hpp"

#include "doctor/checks.hpp"
#include "doctor/configuration_needs.hpp"
#include "doctor/instances.hpp"
#include "doctor/system_text.hpp"
#include "log/record_text.hpp"

#include <algorithm>
#include <map>

namespace affix::inline v0::tools::doctor {

namespace {

using Processors = std::vector<std::int64_t>;

bool contains(const Processors& all, std::int64_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::string in_brackets(const std::string& name) {
  return "[" + name + "]";
}

Findings durability(const Measured& measured, const affix::config::Configuration& configuration) {
  std::map<std::string, std::vector<std::string>> sessions;
  for (const auto* all : {&configuration.sessions, &configuration.templates}) {
    for (const affix::config::SessionSettings& session : *all) {
      sessions[affix::config::value_of(session, "durability")].push_back(session.name);
    }
  }
  Findings findings;
  for (const auto& [kind, names] : sessions) {
    const std::string found = "durability=" + kind + " of " + some_of(names);
    if (kind != "sync") {
      findings.push_back(fine("durability", found));
      continue;
    }
    findings.push_back(costs(
        "durability", found,
        "each message waits for the disk" +
            (measured.flush ? ": " + log::duration_text(measured.flush->median_ns) + " here, " +
                                  log::duration_text(measured.flush->largest_ns) + " at most"
                            : std::string()),
        "durability=group, which loses milliseconds with the machine's power and no number, or "
        "process"));
  }
  return findings;
}

Finding waiting(const Measured& measured, const Instance& instance, bool has_spare) {
  const std::string found = in_brackets(instance.name) + " waits by wait_mode=" +
                            affix::config::value_of(*instance.settings, "wait_mode");
  if (instance.wait_mode != affix::config::WaitMode::Block) {
    return fine("waiting", found);
  }
  const std::string late =
      "a message that comes while its worker sleeps waits until it runs" +
      (measured.wake_up ? ": " + log::duration_text(measured.wake_up->median_ns) +
                              " here, 1 of 100 " + log::duration_text(measured.wake_up->p99_ns)
                        : std::string());
  if (!has_spare) {
    return fine("waiting", found + ", and there is no processor to spin on");
  }
  return costs("waiting", found, late,
               "wait_mode=SPIN with a core of its own, or SPIN_THEN_BLOCK where cores are shared");
}

Finding workers(const std::vector<Instance>& instances, const Processors& allowed) {
  std::size_t all = 0;
  std::size_t spinning = 0;
  for (const Instance& instance : instances) {
    all += instance.workers;
    spinning += instance.spins() ? instance.workers : 0;
  }
  const std::string found = std::to_string(all) + " workers, of which " + std::to_string(spinning) +
                            " spin, on " + std::to_string(allowed.size()) + " processors";
  if (allowed.empty()) {
    return unknown("workers", found);
  }
  if (spinning > 0 && spinning >= allowed.size()) {
    return costs("workers", found,
                 "the thread that prepares journals and all other programs take their time from a "
                 "worker that spins, some milliseconds at once",
                 "a processor more than workers that spin, or wait_mode=SPIN_THEN_BLOCK");
  }
  if (all > allowed.size()) {
    return costs(
        "workers", found, "workers wait for each other's processors",
        "worker_thread_count for all groups together of at most " + std::to_string(allowed.size()));
  }
  return fine("workers", found);
}

/// Workers pinned to processors where they may not run, or where another one already is.
Findings pinned_places(const std::vector<Instance>& instances, const Processors& allowed) {
  Findings findings;
  std::map<std::int64_t, std::string> taken;
  for (const Instance& instance : instances) {
    for (const std::int64_t core : instance.pinned) {
      const std::string found =
          in_brackets(instance.name) + " has a worker on processor " + std::to_string(core);
      if (!allowed.empty() && !contains(allowed, core)) {
        findings.push_back(
            costs("pinning", found,
                  "this process may use " + text_of(allowed) + " only, so it runs anywhere",
                  "another cpu_core_id or worker_core_ids, or allow that processor"));
      } else if (const auto other = taken.find(core); other != taken.end()) {
        findings.push_back(costs("pinning", found,
                                 "a worker of " + in_brackets(other->second) +
                                     " is there, too: each waits while the other runs",
                                 "a processor for each worker"));
      }
      taken.emplace(core, instance.name);
    }
    if (instance.spins() && instance.pinned.empty()) {
      findings.push_back(costs("pinning",
                               in_brackets(instance.name) + " spins and is pinned nowhere",
                               "the scheduler moves it, and each time its caches are empty",
                               "cpu_core_id or worker_core_ids"));
    }
  }
  return findings;
}

/// Other users of the workers' processors: sibling threads, interrupts, ordinary programs.
Findings pinned_neighbours(const SystemFiles& files, const std::vector<Instance>& instances) {
  Processors pinned;
  for (const Instance& instance : instances) {
    pinned.insert(pinned.end(), instance.pinned.begin(), instance.pinned.end());
  }
  std::sort(pinned.begin(), pinned.end());
  pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
  Findings findings;
  for (const std::int64_t core : pinned) {
    const auto siblings =
        processors_of(files
                          .text("/sys/devices/system/cpu/cpu" + std::to_string(core) +
                                "/topology/thread_siblings_list")
                          .value_or(""));
    for (const std::int64_t sibling : siblings.value_or(Processors())) {
      if (sibling > core && contains(pinned, sibling)) {
        findings.push_back(costs(
            "pinning",
            "workers are on processors " + std::to_string(core) + " and " + std::to_string(sibling),
            "they are halves of one core, and slow each other down",
            "processors of different cores, as worker_core_ids=AUTO takes"));
      }
    }
  }
  if (const auto there = interrupts_on(files, pinned); !there.empty()) {
    findings.push_back(costs("pinning",
                             "interrupts " + some_of(there) + " come to workers' processors",
                             "each holds the worker there up for some microseconds",
                             "write other processors to /proc/irq/N/smp_affinity_list, and stop "
                             "irqbalance or tell it"));
  }
  const Processors isolated = isolated_processors(files);
  Processors outside = pinned;
  std::erase_if(outside, [&](std::int64_t core) { return contains(isolated, core); });
  if (!isolated.empty() && !outside.empty()) {
    findings.push_back(costs("pinning",
                             "workers are on processors " + text_of(outside) + ", and " +
                                 text_of(isolated) + " are kept free",
                             "others run where the workers do, and nobody where nobody disturbs",
                             "cpu_core_id or worker_core_ids of " + text_of(isolated)));
  }
  if (findings.empty() && !pinned.empty()) {
    findings.push_back(fine("pinning", "workers are on processors " + text_of(pinned)));
  }
  return findings;
}

}  // namespace

Findings check_configuration(const SystemFiles& files, const Measured& measured,
                             const affix::config::Configuration& configuration) {
  const Processors allowed = allowed_processors(files);
  const std::vector<Instance> instances = instances_of(configuration, allowed);
  Findings findings = durability(measured, configuration);
  std::size_t all = 0;
  for (const Instance& instance : instances) {
    all += instance.workers;
  }
  for (const Instance& instance : instances) {
    findings.push_back(waiting(measured, instance, allowed.size() > all));
  }
  findings.push_back(workers(instances, allowed));
  Findings places = pinned_places(instances, allowed);
  const bool in_place = places.empty();
  for (Finding& neighbour : pinned_neighbours(files, instances)) {
    if (neighbour.verdict == Verdict::Costs || in_place) {
      places.push_back(std::move(neighbour));
    }
  }
  Findings needs = check_needs(files, configuration);
  for (Findings* const more : {&places, &needs}) {
    findings.insert(findings.end(), more->begin(), more->end());
  }
  return findings;
}

}  // namespace affix::inline v0::tools::doctor
