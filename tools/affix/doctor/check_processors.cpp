// SPDX-License-Identifier: MIT
// Checks how fast processors become available, and their other users.
#include "affix/base/time.hpp"

#include "doctor/checks.hpp"
#include "doctor/system_text.hpp"
#include "log/record_text.hpp"

#include <algorithm>
#include <map>

namespace affix::inline v0::tools::doctor {

namespace {

constexpr const char* processor_folder = "/sys/devices/system/cpu/";

// Leaving a shallower idle state costs less than the wake-up itself.
constexpr std::int64_t deep_state_us = 10;

// Far more than a clock reading by the time-stamp counter, which costs 20 to 60 ns.
constexpr std::int64_t slow_clock_ns = 150;

// Duration of a timer's interrupt.
constexpr std::int64_t usual_gap_ns = 50 * base::ns_per_us;

// With fewer cores there is none to spare.
constexpr std::size_t cores_to_isolate = 3;

/// `cpu0`, `cpu1`, ...: the existing ones.
std::vector<std::string> processor_names(const SystemFiles& files) {
  std::vector<std::string> names = files.names(processor_folder);
  std::erase_if(names, [](const std::string& name) {
    return !name.starts_with("cpu") || !number_of(name.substr(3));
  });
  return names;
}

Finding governor(const SystemFiles& files) {
  std::map<std::string, std::size_t> governors;
  for (const std::string& name : processor_names(files)) {
    if (const auto text = files.text(processor_folder + name + "/cpufreq/scaling_governor")) {
      ++governors[*text];
    }
  }
  if (governors.empty()) {
    return unknown("governor",
                   "nothing says how the clock is chosen; on a virtual machine the host does");
  }
  if (governors.size() == 1 && governors.begin()->first == "performance") {
    return fine("governor", "performance");
  }
  std::string found;
  for (const auto& [name, count] : governors) {
    found += (found.empty() ? "" : ", ") + name + " on " + std::to_string(count);
  }
  return costs("governor", found + (governors.size() == 1 ? " processors" : ""),
               "a core that was idle begins slowly: its first messages take up to several times as "
               "long",
               "cpupower frequency-set -g performance");
}

Finding idle_states(const SystemFiles& files, const Measured& measured) {
  const std::string states = std::string(processor_folder) + "cpu0/cpuidle/";
  std::string deepest;
  std::int64_t latency_us = -1;
  for (const std::string& state : files.names(states)) {
    const auto takes = files.number(states + state + "/latency");
    const bool is_off = files.number(states + state + "/disable").value_or(0) != 0;
    if (takes && !is_off && *takes > latency_us) {
      latency_us = *takes;
      deepest = files.text(states + state + "/name").value_or(state);
    }
  }
  const std::string woken = measured.wake_up ? "; a thread that slept ran " +
                                                   log::duration_text(measured.wake_up->median_ns) +
                                                   " after its event here, 1 of 100 times " +
                                                   log::duration_text(measured.wake_up->p99_ns)
                                             : std::string();
  if (latency_us < 0) {
    return unknown("idle-states", "nothing is known about idle states" + woken);
  }
  const std::string found = "the deepest idle state is " + deepest + ", " +
                            std::to_string(latency_us) + " us to come back from" + woken;
  if (latency_us <= deep_state_us) {
    return fine("idle-states", found);
  }
  return costs("idle-states", found,
               "a worker that sleeps (wait_mode=BLOCK) wakes up to " + std::to_string(latency_us) +
                   " us later",
               "cpupower idle-set -D " + std::to_string(deep_state_us) +
                   ", or wait_mode=SPIN on a core of its own");
}

Finding clock_source(const SystemFiles& files, const Measured& measured) {
  const auto source =
      files.text("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  const std::string name = source.value_or("not known");
  const bool is_slow_kind =
      name == "hpet" || name == "acpi_pm" || name == "jiffies" || name == "xen";
  const bool is_slow = measured.clock_read_ns && *measured.clock_read_ns > slow_clock_ns;
  const std::string found =
      name + (measured.clock_read_ns
                  ? ": a reading of the clock takes " + log::duration_text(*measured.clock_read_ns)
                  : std::string());
  if (is_slow || (is_slow_kind && !measured.clock_read_ns)) {
    return costs("clock-source", found,
                 "the clock is read twice and more a message, each time by a call of the kernel",
                 "clocksource=tsc tsc=reliable on the kernel's command line, if the processors' "
                 "counters agree");
  }
  return source ? fine("clock-source", found) : unknown("clock-source", found);
}

/// `none`, `voluntary`, `full`, `lazy` or `rt`; empty: unknown.
std::string preemption_of(const SystemFiles& files) {
  if (files.number("/sys/kernel/realtime").value_or(0) == 1) {
    return "rt";
  }
  const std::string switchable = files.text("/sys/kernel/debug/sched/preempt").value_or("");
  if (const std::string_view chosen = chosen_word(switchable, '(', ')'); !chosen.empty()) {
    return std::string(chosen);
  }
  const std::string command_line = files.text("/proc/cmdline").value_or("");
  for (const std::string_view word : words_of(command_line)) {
    if (word.starts_with("preempt=")) {
      return std::string(word.substr(8));
    }
  }
  const std::string version = files.text("/proc/version").value_or("");
  for (const std::string_view word : words_of(version)) {
    if (word == "PREEMPT_RT") {
      return "rt";
    }
    if (word == "PREEMPT") {
      return "full";
    }
    if (word == "PREEMPT_LAZY") {
      return "lazy";
    }
  }
  return {};
}

Finding preemption(const SystemFiles& files, const Measured& measured) {
  const std::string model = preemption_of(files);
  if (model.empty()) {
    return unknown(
        "preemption", "the kernel's preemption is chosen at its start and not shown",
        "mount -t debugfs none /sys/kernel/debug, then see /sys/kernel/debug/sched/preempt");
  }
  if (model == "full" || model == "rt") {
    return fine("preemption", model);
  }
  return costs(
      "preemption", model,
      "a worker that is woken waits for any other thread on its core, up to a tick of the timer" +
          (measured.wake_up ? "; 1 of 100 wake-ups took " +
                                  log::duration_text(measured.wake_up->p99_ns) + " here"
                            : std::string()),
      "preempt=full on the kernel's command line, or echo full > "
      "/sys/kernel/debug/sched/preempt");
}

std::string gap_text(const Measured& measured) {
  return measured.gaps
             ? "a loop that only spins was held up for " +
                   log::duration_text(measured.gaps->largest_ns) + " at most here, " +
                   std::to_string(measured.gaps->over_10_us) + " times for more than 10 us"
             : std::string("any other thread there delays a worker");
}

Finding isolated_cores(const SystemFiles& files, const Measured& measured) {
  const std::vector<std::int64_t> isolated = isolated_processors(files);
  if (!isolated.empty()) {
    return fine("isolated-cores", "processors " + text_of(isolated) + " are kept free of others");
  }
  const auto online =
      processors_of(files.text(std::string(processor_folder) + "online").value_or("not there"));
  const std::string found = "no processor is kept free of others; " + gap_text(measured);
  if (!online || online->size() < cores_to_isolate) {
    return unknown("isolated-cores", found + "; there is none to spare");
  }
  if (measured.gaps && measured.gaps->largest_ns <= usual_gap_ns) {
    return fine("isolated-cores", found);
  }
  return costs("isolated-cores", "no processor is kept free of others", gap_text(measured),
               "isolcpus=, nohz_full= and rcu_nocbs= on the kernel's command line, and the workers "
               "pinned there");
}

Finding device_interrupts(const SystemFiles& files) {
  const std::vector<std::int64_t> isolated = isolated_processors(files);
  if (isolated.empty()) {
    return unknown("interrupts", "no processor is kept free, so interrupts may come anywhere");
  }
  const std::vector<std::string> there = interrupts_on(files, isolated);
  if (there.empty()) {
    return fine("interrupts", "none of a device comes to processors " + text_of(isolated));
  }
  return costs("interrupts",
               "interrupts " + some_of(there) + " come to processors " + text_of(isolated),
               "each holds the worker there up for some microseconds",
               "write other processors to /proc/irq/N/smp_affinity_list, and stop irqbalance or "
               "tell it");
}

}  // namespace

std::vector<std::int64_t> isolated_processors(const SystemFiles& files) {
  return processors_of(files.text(std::string(processor_folder) + "isolated").value_or(""))
      .value_or(std::vector<std::int64_t>());
}

std::vector<std::string> interrupts_on(const SystemFiles& files,
                                       const std::vector<std::int64_t>& processors) {
  std::vector<std::string> found;
  for (const std::string& number : files.names("/proc/irq")) {
    const std::string folder = "/proc/irq/" + number + "/";
    auto text = files.text(folder + "effective_affinity_list");
    if (!text || text->empty()) {
      text = files.text(folder + "smp_affinity_list");
    }
    const auto comes_to = text ? processors_of(*text) : std::nullopt;
    const bool is_there =
        comes_to && std::find_first_of(comes_to->begin(), comes_to->end(), processors.begin(),
                                       processors.end()) != comes_to->end();
    // A device that uses the interrupt has a directory of its name there.
    const std::vector<std::string> inside =
        is_there ? files.names(folder) : std::vector<std::string>();
    const auto device = std::find_if(inside.begin(), inside.end(), [&](const std::string& name) {
      return !files.text(std::string(folder).append(name));
    });
    if (device != inside.end()) {
      found.push_back(std::string(number).append(" (").append(*device).append(")"));
    }
  }
  return found;
}

std::string some_of(const std::vector<std::string>& all) {
  constexpr std::size_t shown_max = 3;
  std::string text;
  for (std::size_t at = 0; at < std::min(all.size(), shown_max); ++at) {
    text += (text.empty() ? "" : ", ") + all[at];
  }
  return all.size() > shown_max ? text + " and " + std::to_string(all.size() - shown_max) + " more"
                                : text;
}

Findings check_processors(const SystemFiles& files, const Measured& measured) {
  return {governor(files),
          idle_states(files, measured),
          clock_source(files, measured),
          preemption(files, measured),
          isolated_cores(files, measured),
          device_interrupts(files)};
}

}  // namespace affix::inline v0::tools::doctor
